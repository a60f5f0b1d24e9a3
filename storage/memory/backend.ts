import { randomUUID } from 'node:crypto';
import type { Backend, Batch, Commit, Put, Revision, Stored } from '../backend.js';
import { compactedError, divergedError, StorageError } from '../errors.js';
import { type Key, resourceOf } from '../key.js';
import { ownBytes, ownChange } from '../log/own-change.js';
import { Signal } from '../signal.js';
import { withRests } from '../stretch.js';
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
 * A naive implementation of Backend for tests: arrays and maps, sorted on every call. The other backends are compared with it, so it is
 * simple and not fast.
 */
export function openMemory(
  store: MemoryStore = memoryStore(),
  now: () => number = Date.now,
  shared: boolean = false,
): Backend {
  const closing = new AbortController();

  function use(): MemoryStore {
    if (closing.signal.aborted) throw new StorageError('closed', 'The store is closed.');
    return store;
  }

  async function* load(resource: string): AsyncIterable<readonly Stored[]> {
    const all = [...use().objects.values()].sort(byKey);
    const own = all.filter((stored) => resourceOf(stored.key) === resource);
    for (let i = 0; i < own.length; i += 100) yield own.slice(i, i + 100);
  }

  return {
    shared,
    end: async () => use().end,
    append: async (after, batch) => append(use(), after, batch, now()),
    commitAt: async (revision) => commitAt(use(), revision),
    tail: (after, signal, _known, id) => {
      const source = use();
      return untilEither([signal, closing.signal], (stop) => withRests(tail(source, after, stop, id)));
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
}

function append(store: MemoryStore, after: Revision, batch: Batch, at: number): void {
  if (after > store.end && batch.parent !== undefined) throw divergedError(after);
  if (after !== store.end) {
    throw new StorageError('behind', `The log ends at ${store.end}, not at ${after}.`);
  }
  if (batch.parent !== undefined && batch.parent !== store.commit) throw divergedError(after);
  batch.changes.forEach((change, i) => {
    if (change.revision !== after + i + 1) {
      throw new Error(`The change of ${change.key} has the revision ${change.revision}, not ${after + i + 1}.`);
    }
  });
  for (const put of batch.changes) write(store, put);
  for (const [resource, value] of batch.counters) store.counters.set(resource, value);
  if (batch.changes.length === 0) return;
  store.end = after + batch.changes.length;
  store.commit = batch.commit;
  const commit = {
    end: store.end,
    id: batch.commit,
    changes: batch.changes.map(ownChange),
    counters: new Map(batch.counters),
  };
  store.log.push({ commit, at });
  store.appended.notify();
}

function write(store: MemoryStore, put: Put): void {
  const { key, revision, value } = put;
  if (value === undefined) store.objects.delete(key);
  else store.objects.set(key, { key, revision, value: ownBytes(value) });
}

function commitAt(store: MemoryStore, revision: Revision): string | undefined {
  return revision === store.end ? store.commit : store.log.find(({ commit }) => commit.end === revision)?.commit.id;
}

async function* tail(store: MemoryStore, after: Revision, signal: AbortSignal, id?: string): AsyncIterable<Commit> {
  if (id !== undefined && after > store.compacted && commitAt(store, after) !== id) throw divergedError(after);
  let position = after;
  while (!signal.aborted) {
    if (position < store.compacted) throw compactedError(position, store.compacted);
    const next = store.log.find((entry) => entry.commit.end > position)?.commit;
    if (next === undefined) {
      await store.appended.waitOrAbort(signal);
      continue;
    }
    const start = position;
    position = next.end;
    yield { ...next, changes: next.changes.filter((change) => change.revision > start) };
  }
}

function bytesOf({ changes }: Commit): number {
  return changes.reduce((sum, { value, previous }) => sum + (value?.length ?? 0) + (previous?.value.length ?? 0), 0);
}

function find(store: MemoryStore, keys: readonly Key[]): ReadonlyMap<Key, Stored> {
  const found = new Map<Key, Stored>();
  for (const key of keys) {
    const stored = store.objects.get(key);
    if (stored !== undefined) found.set(key, stored);
  }
  return found;
}

function compact(store: MemoryStore, through: Revision): void {
  store.compacted = Math.max(store.compacted, Math.min(through, store.end));
  const kept = store.log.filter((entry) => entry.commit.end > store.compacted);
  store.log.splice(0, store.log.length, ...kept);
}

/** Compares the bytes of UTF-8, because JavaScript orders strings beyond the Basic Multilingual Plane differently. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function byKey(a: Stored, b: Stored): number {
  return compare(a.key, b.key);
}
