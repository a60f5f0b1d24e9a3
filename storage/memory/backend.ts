import { randomUUID } from 'node:crypto';
import { yieldingAsync } from '../../pkg/system/yielding/yielding.js';
import type { Backend, Batch, Commit, Put, Revision, Stored } from '../backend.js';
import { compactedError, divergedError, StorageError } from '../errors.js';
import { type Key, resourceOf } from '../key.js';
import { LogEnd, type LogPosition } from '../log/log-end.js';
import { ownBytes, ownChange } from '../log/own-change.js';
import { Signal } from '../signal.js';
import { untilEither } from '../until.js';

/** The data. It outlives `close`, and several backends may be opened on it. */
export interface MemoryStore {
  readonly objects: Map<Key, Stored>;
  readonly log: { readonly commit: Commit; readonly at: number }[];
  readonly counters: Map<string, number>;
  readonly appended: Signal;
  end: Revision;
  /** The id of the last commit. */
  commit: string;
  compacted: Revision;
}

export function memoryStore(): MemoryStore {
  return {
    objects: new Map(),
    log: [],
    counters: new Map(),
    appended: new Signal(),
    end: 0,
    commit: randomUUID(),
    compacted: 0,
  };
}

/**
 * Sets a store back to a copy, or replaces it by another one, under the backends that are open on it. They find out by
 * themselves. Tails look when `appended` notifies.
 */
export function setBack(store: MemoryStore, { objects, log, counters, end, commit, compacted }: MemoryStore): void {
  store.objects.clear();
  for (const [key, stored] of objects) store.objects.set(key, stored);
  store.counters.clear();
  for (const [resource, value] of counters) store.counters.set(resource, value);
  store.log.splice(0, store.log.length, ...log);
  Object.assign(store, { end, commit, compacted });
}

export function copyOf(store: MemoryStore): MemoryStore {
  const copy = memoryStore();
  setBack(copy, store);
  return copy;
}

/**
 * A naive implementation of Backend for tests: arrays and maps, sorted on every call. The other backends are compared
 * with it, so it is simple and not fast.
 */
export function openMemory(
  store: MemoryStore = memoryStore(),
  now: () => number = Date.now,
  shared: boolean = false,
): Backend {
  const closing = new AbortController();
  const known = new LogEnd();

  function use(): MemoryStore {
    if (closing.signal.aborted) throw new StorageError('closed', 'The store is closed.');
    return store;
  }

  async function* load(resource: string): AsyncIterable<readonly Stored[]> {
    const all = [...use().objects.values()].sort(byKey);
    const own = all.filter((stored) => resourceOf(stored.key) === resource);
    for (let i = 0; i < own.length; i += 100) yield own.slice(i, i + 100);
  }

  const backend: Backend = {
    shared,
    end: async () => refresh(use(), known),
    append: async (after, batch) => append(use(), known, after, batch, now()),
    commitAt: async (revision) => commitAt(use(), revision),
    tail: (after, signal, _known, commitId) => {
      const source = use();
      return untilEither([signal, closing.signal], (stop) =>
        yieldingAsync(tail(source, known, { revision: after, commitId }, stop)),
      );
    },
    load,
    counters: async () => new Map(use().counters),
    get: async (keys) => find(use(), keys),
    revisionBefore: async (age) => use().log.findLast((entry) => entry.at < now() - age)?.commit.end ?? 0,
    compacted: async () => use().compacted,
    logBytes: async () => use().log.reduce((sum, { commit }) => sum + bytesOf(commit), 0),
    compact: async (through) => compact(use(), through),
    close: async () => closing.abort(),
  };
  return shared ? Object.defineProperty(backend, 'logId', { get: () => known.logId, enumerable: true }) : backend;
}

/** The end of the log. Throws `diverged` if the log is not the one that was read before. */
function refresh(store: MemoryStore, known: LogEnd): Revision {
  const { end, commit } = store;
  known.beginRead()({ revision: end, commitId: commit });
  return end;
}

function append(store: MemoryStore, known: LogEnd, after: Revision, batch: Batch, at: number): void {
  if (after > store.end && batch.parent !== undefined) throw divergedAt(known, after);
  if (after !== store.end) {
    throw new StorageError('behind', `The log ends at ${store.end}, not at ${after}.`);
  }
  if (batch.parent !== undefined && batch.parent !== store.commit) throw divergedAt(known, after);
  batch.changes.forEach((change, i) => {
    if (change.revision !== after + i + 1) {
      throw new Error(`The change of ${change.key} has the revision ${change.revision}, not ${after + i + 1}.`);
    }
  });
  for (const put of batch.changes) write(store, put);
  for (const [resource, value] of batch.counters) store.counters.set(resource, value);
  if (batch.changes.length === 0) return;
  store.end = after + batch.changes.length;
  store.commit = batch.commitId;
  const commit = {
    end: store.end,
    id: batch.commitId,
    changes: batch.changes.map(ownChange),
    counters: new Map(batch.counters),
  };
  store.log.push({ commit, at });
  known.advance({ revision: store.end, commitId: store.commit });
  store.appended.notify();
}

function divergedAt(known: LogEnd, revision: Revision): StorageError {
  known.diverge();
  return divergedError(revision);
}

function write(store: MemoryStore, put: Put): void {
  const { key, revision, value } = put;
  if (value === undefined) store.objects.delete(key);
  else store.objects.set(key, { key, revision, value: ownBytes(value) });
}

function commitAt(store: MemoryStore, revision: Revision): string | undefined {
  return revision === store.end ? store.commit : store.log.find(({ commit }) => commit.end === revision)?.commit.id;
}

async function* tail(store: MemoryStore, known: LogEnd, from: LogPosition, signal: AbortSignal): AsyncIterable<Commit> {
  const { logId } = known;
  let { revision: position, commitId } = from;
  while (!signal.aborted) {
    if (logId !== known.logId) throw divergedError(position);
    if (commitId !== undefined && position > store.compacted && commitAt(store, position) !== commitId)
      throw divergedAt(known, position);
    if (position < store.compacted) throw compactedError(position, store.compacted);
    const next = store.log.find((entry) => entry.commit.end > position)?.commit;
    if (next === undefined) {
      await store.appended.waitOrAbort(signal);
      continue;
    }
    const start = position;
    [position, commitId] = [next.end, next.id];
    // Otherwise a log that was set back and has grown to the same revision would not be noticed by the next look.
    known.advance({ revision: position, commitId });
    yield { ...next, changes: next.changes.filter((change) => change.revision > start) };
  }
}

function bytesOf({ changes }: Commit): number {
  return changes.reduce((sum, { value, previous }) => sum + (value?.length ?? 0) + (previous?.value.length ?? 0), 0);
}

function find(store: MemoryStore, keys: readonly Key[]): ReadonlyMap<Key, Stored> {
  const objects = new Map<Key, Stored>();
  for (const key of keys) {
    const stored = store.objects.get(key);
    if (stored !== undefined) objects.set(key, stored);
  }
  return objects;
}

function compact(store: MemoryStore, through: Revision): void {
  store.compacted = Math.max(store.compacted, Math.min(through, store.end));
  const retained = store.log.filter((entry) => entry.commit.end > store.compacted);
  store.log.splice(0, store.log.length, ...retained);
}

/** Compares the bytes of UTF-8, because JavaScript orders strings beyond the Basic Multilingual Plane differently. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function byKey(a: Stored, b: Stored): number {
  return compare(a.key, b.key);
}
