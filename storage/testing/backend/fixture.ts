import { expect } from 'chai';
import type { Backend, Batch, Bytes, Change, Commit, IndexRow, Put, Revision, Stored } from '../../backend.js';
import { isStorageError, type StorageErrorCode } from '../../errors.js';
import { type Key, keyOf } from '../../key.js';

export interface Opened {
  readonly backend: Backend;
  /** Closes everything and opens the same data again. */
  reopen(): Promise<Backend>;
  /** A second server on the same data; absent if the store allows only one. */
  another?(): Promise<Backend>;
  /** Closes everything and removes the data. */
  destroy(): Promise<void>;
}

/** Returns the store of the running test, which starts empty and is removed at its end. */
export type Current = () => Opened;

/** A write of a test: a new value (text or bytes) of a key, or none for a deletion. */
export interface Wish {
  readonly key: Key;
  readonly value?: string | Bytes;
  readonly rows?: readonly IndexRow[];
}

export const RESOURCE = 'folders.folder.svc.app';
const decoder = new TextDecoder('utf-8', { fatal: true });
let commits = 0;
/** The commit that `write` appended last to each store. */
const lastCommits = new WeakMap<Backend, { readonly end: Revision; readonly id: string }>();

export function key(name: string, resource: string = RESOURCE): Key {
  return keyOf(resource, 'default', name);
}

export function json(value: unknown): Bytes {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function text(bytes: Bytes): string {
  return decoder.decode(bytes);
}

export function batchOf(changes: readonly Put[], counters: Readonly<Record<string, number>> = {}): Batch {
  return {
    commitId: `suite-${process.pid}-${Date.now()}-${commits++}`,
    changes,
    counters: new Map(Object.entries(counters)),
  };
}

/** Makes changes of the wishes on top of `current`, with the previous values that the log needs. */
export function changesOf(after: Revision, wishes: readonly Wish[], current: ReadonlyMap<Key, Stored>): readonly Put[] {
  const state = new Map(current);
  return wishes.map((wish, i) => {
    const previous = state.get(wish.key);
    const revision = after + i + 1;
    const value = typeof wish.value === 'string' ? json(wish.value) : wish.value;
    if (value === undefined) state.delete(wish.key);
    else state.set(wish.key, { key: wish.key, revision, value });
    return {
      key: wish.key,
      revision,
      ...(value && { value }),
      ...(previous && { previous }),
      ...(wish.rows && { rows: wish.rows }),
    };
  });
}

/**
 * Appends one commit at the current end of the log. It names the commit that it continues, as those of servers do.
 * Returns the new end.
 */
export async function write(
  backend: Backend,
  wishes: readonly Wish[],
  counters: Readonly<Record<string, number>> = {},
): Promise<Revision> {
  const after = await backend.end();
  const current = await backend.get(wishes.map((wish) => wish.key));
  const batch = batchOf(changesOf(after, wishes, current), counters);
  const last = lastCommits.get(backend);
  await backend.append(after, last?.end === after ? { ...batch, parent: last.id } : batch);
  const end = after + wishes.length;
  lastCommits.set(backend, { end, id: batch.commitId });
  return end;
}

/** Like `write`, but reads and tries again if another writer was faster. */
export async function writeAgain(backend: Backend, wishes: readonly Wish[]): Promise<Revision> {
  for (;;) {
    try {
      return await write(backend, wishes);
    } catch (error) {
      if (!isStorageError(error, 'behind')) throw error;
    }
  }
}

/** The commits after `after` up to the one that reaches `end`. */
export async function read(backend: Backend, after: Revision, end: Revision): Promise<readonly Commit[]> {
  const found: Commit[] = [];
  if (after >= end) return found;
  for await (const commit of backend.tail(after, new AbortController().signal)) {
    found.push(commit);
    if (commit.end >= end) break;
  }
  return found;
}

export async function loadAll(backend: Backend, resource: string = RESOURCE): Promise<readonly Stored[]> {
  const found: Stored[] = [];
  for await (const chunk of backend.load(resource)) found.push(...chunk);
  return found;
}

/** A form that chai can compare and print, for any class of bytes. */
export function plainStored({ key, revision, value }: Stored): unknown {
  return { key, revision, value: text(value) };
}

export function plainChange({ key, revision, value, previous }: Change): unknown {
  return {
    key,
    revision,
    ...(value && { value: text(value) }),
    ...(previous && { previous: plainStored(previous) }),
  };
}

export function plainCommit({ end, changes, counters }: Commit): unknown {
  return { end, changes: changes.map(plainChange), counters: Object.fromEntries(counters) };
}

/**
 * Checks that every revision after `after` occurs once and in order, and that each commit ends with its last change.
 */
export function expectGapFree(found: readonly Commit[], after: Revision): void {
  let next = after + 1;
  for (const commit of found) {
    for (const change of commit.changes) expect(change.revision).to.equal(next++);
    expect(commit.end).to.equal(next - 1);
  }
}

export async function expectCode(work: Promise<unknown>, code: StorageErrorCode): Promise<void> {
  const outcome = await work.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  expect(isStorageError(outcome), `a StorageError, not ${String(outcome)}`).to.equal(true);
  expect(outcome).to.include({ code });
}
