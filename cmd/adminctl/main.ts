#!/usr/bin/env node
import { argv, env, exit, stderr, stdin, stdout } from 'node:process';
import { ConfigError } from '../../pkg/config/load.js';
import { isPem, MIN_KEY } from '../../pkg/config/schema.js';
import { messageOf } from '../../pkg/system/errors/message.js';
import { printableLines } from '../../pkg/system/text/printable.js';
import { parseAccounts } from './accounts/options.js';
import { isFromServer, parseBridge } from './bridge/options.js';
import { parseImport } from './gitops/import-options.js';
import { parseExport, parseSync, SyncUsageError } from './gitops/options.js';
import { usageOf } from './help.js';
import { parseCommand } from './options.js';
import { parseStoreCommand } from './store/options.js';
import { UsageError } from './usage.js';

const DONE = 0;
const FAILED = 1;
const WRONG_USE = 2;

async function firstLine(): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > 10_000) break;
  }
  return (text.split('\n')[0] ?? '').replace(/\r$/, '');
}

function checkedKey(text: string): string {
  const key = text.trim();
  if (isPem(key)) throw new Error('This is PEM, such as a certificate or a private key, and no secret key.');
  if (key.length >= MIN_KEY) return key;
  throw new Error(`A secret key has at least ${MIN_KEY} characters.`);
}

/** Runs a command for manifests. Returns its exit code, or undefined if it is another command. */
async function gitops([name = '', ...rest]: readonly string[]): Promise<number | undefined> {
  const terminal = { out: stdout, err: stderr, env };
  if (!['sync', 'export', 'import'].includes(name) || rest.includes('--help') || rest.includes('-h')) return undefined;
  if (name === 'sync') {
    const options = parseSync(rest);
    return (await import('./gitops/sync.js')).sync(options, stdin, terminal);
  }
  if (name === 'import' && isFromServer(rest)) {
    const options = parseBridge(rest, env);
    return (await import('./bridge/import.js')).importFromServer(options, terminal);
  }
  if (name === 'import') {
    const options = parseImport(rest);
    return (await import('./tree/run.js')).runImport(options, terminal);
  }
  const options = parseExport(rest);
  await (await import('./gitops/export.js')).exportTo(options, terminal);
  return DONE;
}

/** The same for commands on the store and on accounts. */
async function onStore(args: readonly string[]): Promise<number | undefined> {
  if (args.includes('--help') || args.includes('-h')) return undefined;
  const accounts = parseAccounts(args, env);
  if (accounts !== undefined)
    return (await import('./accounts/commands.js')).runAccountsCommand(accounts, { out: stdout, err: stderr, env });
  const command = parseStoreCommand(args, env);
  if (command === undefined) return undefined;
  return (await import('./store/run.js')).runStoreCommand(command, { out: stdout, err: stderr, env });
}

// Commands are loaded only when they are needed, so that help and wrong usage are answered at once.
async function main(): Promise<number> {
  process.setSourceMapsEnabled(true);
  const args = argv.slice(2);
  return (await gitops(args)) ?? (await onStore(args)) ?? (await operate(args));
}

async function operate(args: readonly string[]): Promise<number> {
  const command = parseCommand(args, env);
  if ('print' in command) {
    stdout.write(command.print);
    return DONE;
  }
  if ('completion' in command) {
    stdout.write((await import('./completion.js')).completionScript(command.completion));
    return DONE;
  }
  if ('rotate' in command) {
    const { rotate } = await import('./rotate.js');
    const key = command.rotate.fromStdin ? checkedKey(await firstLine()) : undefined;
    stdout.write(`${await rotate({ ...command.rotate, key })}\n`);
    return DONE;
  }
  const { resetPassword } = await import('./reset-password.js');
  const password = command.reset.fromStdin ? await firstLine() : undefined;
  stdout.write(`${await resetPassword({ ...command.reset, password })}\n`);
  return DONE;
}

/** The exit code if nobody reads the output any more, as in `adminctl check | head`. */
let outcome = FAILED;

/** Ends the program when everything is written, because a pipe takes the output later. */
function end(code: number): void {
  outcome = code;
  stdout.write('', () => exit(code));
}

stdout.on('error', () => exit(outcome));
await main().then(
  (code) => end(code),
  (error: unknown) => {
    const isWrongUse = error instanceof UsageError || error instanceof ConfigError;
    // The error is last, where it is seen.
    const help = isWrongUse || error instanceof SyncUsageError ? `${usageOf(argv[2])}\n` : '';
    stderr.write(`${help}adminctl: ${printableLines(messageOf(error))}\n`);
    exit(isWrongUse ? WRONG_USE : FAILED);
  },
);
