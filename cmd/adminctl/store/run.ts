import { limitHeapGrowth } from '../../../pkg/system/memory/heap-growth.js';
import { supportBundle } from '../support/bundle.js';
import type { Terminal } from '../terminal.js';
import { backup } from './backup.js';
import { check } from './check.js';
import { compact } from './compact.js';
import { copy } from './copy.js';
import type { StoreCommand } from './options.js';
import { restore } from './restore.js';

const DONE = 0;
/** Per cent. The commands read much and keep little. */
const HEAP_GROWTH = 40;

/** Runs a command on the store, and returns its exit code. Throws errors for the operator. */
export async function runStoreCommand(command: StoreCommand, terminal: Terminal): Promise<number> {
  limitHeapGrowth(HEAP_GROWTH);
  if ('check' in command) return check(command.check, terminal);
  terminal.out.write(`${await textOf(command, terminal)}\n`);
  return DONE;
}

function textOf(command: Exclude<StoreCommand, { readonly check: unknown }>, terminal: Terminal): Promise<string> {
  if ('backup' in command) return backup(command.backup, terminal);
  if ('compact' in command) return compact(command.compact);
  if ('supportBundle' in command) return supportBundle(command.supportBundle);
  if ('copy' in command) return copy(command.copy, terminal);
  return restore(command.restore, terminal);
}
