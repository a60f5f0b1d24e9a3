import type { Backend, Change, Revision } from '../backend.js';
import { closedError, isStorageError } from '../errors.js';
import type { Key } from '../key.js';
import { type Entry, entryOf } from '../state/entry.js';
import type { ResourceDefinition } from '../state/resource.js';
import type { State } from '../state/state.js';
import { tooOld } from './logged.js';

interface PastSource {
  readonly backend: Backend;
  readonly definition: ResourceDefinition;
  /** The newest state. */
  readonly state: State;
  readonly signal: AbortSignal;
}

/** A range of keys: from the first up to but without the last. */
export interface Keys {
  readonly low: string;
  readonly high: string;
}

/**
 * The first objects of a range as they were at a revision whose later changes do not fit in memory. The changes are
 * read from the log for each page, and only those of the page are undone. Fewer than `limit` only if the range has no
 * more. Throws `compacted`.
 */
export async function pastPage(
  source: PastSource,
  revision: Revision,
  { low, high }: Keys,
  limit: number,
): Promise<readonly Entry[]> {
  const objects = source.state.resource(source.definition.resource);
  const found: Entry[] = [];
  for (let from = low; ; ) {
    const wanted = limit - found.length;
    const present = objects.first(from, high, wanted);
    const last = present.length < wanted ? undefined : present.at(-1);
    const end = last === undefined ? high : `${last.key}\0`;
    const former = await formerOf(source, revision, { low: from, high: end });
    const unchanged = present.filter(({ key }) => !former.has(key));
    const changed = [...former.values()].filter((entry) => entry !== undefined);
    found.push(...[...unchanged, ...changed].sort((a, b) => (a.key < b.key ? -1 : 1)));
    if (found.length >= limit || last === undefined) return found.slice(0, limit);
    from = end;
  }
}

/** The objects of a range that have changed since a revision, as they were then. */
async function formerOf(
  source: PastSource,
  revision: Revision,
  { low, high }: Keys,
): Promise<ReadonlyMap<Key, Entry | undefined>> {
  const { definition } = source;
  const former = new Map<Key, Entry | undefined>();
  for await (const { key, previous } of changesAfter(source, revision)) {
    // Only the first change of an object has its state at the revision.
    if (key < low || key >= high || former.has(key)) continue;
    former.set(key, previous && entryOf(definition, key, previous.revision, previous.value));
  }
  return former;
}

async function* changesAfter(
  { backend, state, signal }: PastSource,
  revision: Revision,
): AsyncGenerator<Change, void, undefined> {
  let reached = revision;
  // After the last change, the reader would wait for the log.
  if (reached >= state.revision) return;
  try {
    for await (const { end, changes } of backend.tail(revision, signal)) {
      yield* changes;
      reached = end;
      if (reached >= state.revision) return;
    }
  } catch (cause) {
    if (!isStorageError(cause, 'compacted')) throw cause;
    throw tooOld(revision, await backend.compacted(), cause);
  }
  if (reached < state.revision) throw closedError();
}
