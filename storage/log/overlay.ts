import type { Change, Commit, Stored } from '../backend.js';
import { compareKeys, type Key, resourceOf } from '../key.js';

/** What some commits of the log leave. */
export class Result {
  /** The last change of each object. */
  readonly changes = new Map<Key, Change>();
  /** The last values of the internal id counters. */
  readonly counters = new Map<string, number>();

  add(commits: Iterable<Commit>): this {
    for (const commit of commits) {
      for (const change of commit.changes) this.changes.set(change.key, change);
      for (const [resource, value] of commit.counters) this.counters.set(resource, value);
    }
    return this;
  }
}

export function ofResource({ changes }: Result, resource: string): readonly Change[] {
  return [...changes.values()].filter(({ key }) => resourceOf(key) === resource);
}

/**
 * Objects with these changes, in the order of the bytes of their keys. The chunks are in this order. They may have
 * objects that are newer than the changes, because the objects are written meanwhile. The newer one of both counts.
 */
export async function* overlaid(
  chunks: AsyncIterable<readonly Stored[]>,
  unordered: Iterable<Change>,
): AsyncGenerator<readonly Stored[], void, undefined> {
  const changes = [...unordered].sort((a, b) => compareKeys(a.key, b.key));
  let next = 0;
  for await (const chunk of chunks) {
    const last = chunk.at(-1);
    const from = next;
    while (last !== undefined && isUpTo(changes[next], last.key)) next++;
    if (next === from) yield chunk;
    else yield* pieces(merged(chunk, changes.slice(from, next)));
  }
  yield* pieces(changes.slice(next).flatMap((change) => objectOf(change)));
}

/** The objects of a chunk. Readers rest between chunks. */
const PIECE = 500;

function* pieces(objects: readonly Stored[]): Generator<readonly Stored[], void, undefined> {
  for (let from = 0; from < objects.length; from += PIECE) yield objects.slice(from, from + PIECE);
}

function isUpTo(change: Change | undefined, key: Key): boolean {
  return change !== undefined && compareKeys(change.key, key) <= 0;
}

function merged(chunk: readonly Stored[], changes: readonly Change[]): readonly Stored[] {
  const objects: Stored[] = [];
  let next = 0;
  for (const stored of chunk) {
    for (; isBefore(changes[next], stored.key); next++) objects.push(...objectOf(changes[next]));
    const same = changes[next]?.key === stored.key ? changes[next++] : undefined;
    if (same === undefined || same.revision <= stored.revision) objects.push(stored);
    else objects.push(...objectOf(same));
  }
  return objects;
}

function isBefore(change: Change | undefined, key: Key): boolean {
  return change !== undefined && compareKeys(change.key, key) < 0;
}

/** The object that a change leaves; none if it is a deletion. */
export function objectOf(change: Change | undefined): readonly Stored[] {
  if (change?.value === undefined) return [];
  const { key, revision, value } = change;
  return [{ key, revision, value }];
}
