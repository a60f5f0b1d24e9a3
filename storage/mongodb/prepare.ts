import type { Batch, Put, Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import { type Key, resourceOf } from '../key.js';
import { restAfter, Stretches } from '../stretch.js';
import { textOf } from './documents.js';
import { sizeOf } from './recent.js';
import { STAGE_ABOVE } from './staged.js';

/** A BSON document may have 16 MiB; the difference is for the fields beside the body. */
const MAX_SIZE = 15 * 1024 * 1024;

/** More changes than this need not fit in one document. */
const MOST_WHOLE = 10_000;

export interface Prepared {
  /** The id of the server that commits. */
  readonly server: string;
  readonly after: Revision;
  readonly batch: Batch;
  /** True if the values of the changes are staged. */
  readonly staged: boolean;
  /** Whether each change has a document of its own in the log. */
  readonly isSplit: boolean;
  /** By resource, the last change of each key. */
  readonly objects: ReadonlyMap<string, readonly Put[]>;
  /** The keys that had an object before the batch. */
  readonly existing: ReadonlySet<Key>;
  readonly texts: ReadonlyMap<Put, string>;
}

/** Rejects with `rejected` if an object is too long. Others get their turns while a large batch is prepared. */
export async function prepare(server: string, after: Revision, batch: Batch): Promise<Prepared> {
  const { changes } = batch;
  const texts = new Map<Put, string>();
  let bytes = 0;
  const stretches = new Stretches();
  for (const [i, put] of changes.entries()) {
    if (put.revision !== after + i + 1) {
      throw new Error(`The change of ${put.key} has the revision ${put.revision}, not ${after + i + 1}.`);
    }
    refuseTooLong(put);
    if (put.value !== undefined) texts.set(put, textOf(put.value));
    bytes += sizeOf(put);
    if (stretches.isOver) await stretches.rest();
  }
  const objects = lastOfEach(changes);
  await restAfter(changes.length);
  const staged = bytes > STAGE_ABOVE;
  const isSplit = staged || changes.length > MOST_WHOLE;
  return { server, after, batch, staged, isSplit, objects, existing: existingBefore(changes), texts };
}

/** The collections that a batch writes. */
export function collectionsOf({ objects }: Prepared): readonly string[] {
  return [...objects.keys()];
}

function lastOfEach(puts: readonly Put[]): ReadonlyMap<string, readonly Put[]> {
  const byResource = new Map<string, Map<Key, Put>>();
  for (const put of puts) {
    const resource = resourceOf(put.key);
    const own = byResource.get(resource) ?? new Map<Key, Put>();
    byResource.set(resource, own.set(put.key, put));
  }
  return new Map([...byResource].map(([resource, own]) => [resource, [...own.values()]]));
}

/** The first change of a key tells. */
function existingBefore(puts: readonly Put[]): ReadonlySet<Key> {
  const first = new Map<Key, Put>();
  for (const put of puts) if (!first.has(put.key)) first.set(put.key, put);
  return new Set([...first.values()].filter(({ previous }) => previous !== undefined).map(({ key }) => key));
}

function refuseTooLong(put: Put): void {
  const size = put.value?.byteLength ?? 0;
  if (size <= MAX_SIZE) return;
  throw new StorageError(
    'rejected',
    `${put.key} takes ${size} bytes, but MongoDB can store at most ${MAX_SIZE} for one object.`,
    {
      key: put.key,
    },
  );
}
