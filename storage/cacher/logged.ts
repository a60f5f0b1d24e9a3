import type { Backend, Revision } from '../backend.js';
import { isStorageError, StorageError } from '../errors.js';
import { resourceOf } from '../key.js';
import type { ResourceDefinition } from '../state/resource.js';
import { type Event, eventOf } from './event.js';

/** A commit that was read from the log, with its events of one resource. */
export interface CommitEvents {
  readonly end: Revision;
  readonly events: readonly Event[];
}

/** The commits after a revision. Throws `compacted` with the message of a ring. */
export async function* loggedCommits(
  backend: Backend,
  definition: ResourceDefinition,
  after: Revision,
  signal: AbortSignal,
): AsyncGenerator<CommitEvents, void, undefined> {
  try {
    for await (const { end, changes } of backend.tail(after, signal)) {
      const own = changes.filter(({ key }) => resourceOf(key) === definition.resource);
      yield { end, events: own.map((change) => eventOf(definition, change, undefined)) };
    }
  } catch (cause) {
    if (!isStorageError(cause, 'compacted') && !isStorageError(cause, 'diverged')) throw cause;
    throw tooOld(after, await backend.compacted(), cause);
  }
}

/** Clients know this message. */
export function tooOld(revision: Revision, floor: Revision, cause?: unknown): StorageError {
  return new StorageError('compacted', `too old resource version: ${revision} (${floor})`, { cause });
}
