import { printable } from '../../../pkg/system/text/printable.js';
import type { MirrorSpec } from '../mirror/schema.js';
import type { Access } from './access.js';
import type { DeletionGuard } from './deletion-guard.js';
import type { Memory } from './memory.js';
import type { Queue } from './queue.js';
import type { Key } from './resources.js';
import type { Source } from './source.js';
import type { Target } from './target.js';
import type { There } from './there.js';

/** What the steps of one look share: the state here, what is known of the state there, and the way to it. */
export interface Step {
  readonly source: Source;
  readonly target: Target;
  readonly memory: Memory;
  readonly there: There;
  readonly queue: Queue;
  readonly spec: MirrorSpec;
  readonly guard: DeletionGuard;
  /** What was sent, apart from what the other server does not have, with what that is. */
  readonly partial: Map<Key, string>;
  /** A list without the teams that are not there as they are here, because others could have what it gives. */
  readonly allowed: (access: Access, place: Key) => Access;
  /** What versions of dashboards say about the change. */
  readonly message: string;
  /** Stores that something is begun, before it is sent. What comes of it may never be known. */
  readonly begin: (key: Key, folder?: string) => Promise<void>;
}

/** The most subjects that a note names. */
const NAMED = 10;
const LONGEST_NOTE = 500;

/** Notes who is not there, so that what a list gives them could not be sent. */
export function noteMissing({ partial }: Step, key: Key, wanted: Access, known: Access): void {
  const missing = [...wanted.keys()].filter((subject) => !known.has(subject));
  if (missing.length === 0) return void partial.delete(key);
  const named = missing.slice(0, NAMED).map((subject) => subject.replace(':', ' '));
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  partial.set(key, printable(`not there: ${named.join(', ')}${more}`).slice(0, LONGEST_NOTE));
}
