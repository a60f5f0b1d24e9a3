import { type Database, open, type RootDatabase } from 'lmdb';
import type { Bytes, Revision } from '../backend.js';

/** What is written with every commit, in one record: `at` is when, so that times never go back. */
export interface End {
  readonly end: Revision;
  readonly at: number;
}

/** The tables of the one data file. Keys are bytes everywhere: LMDB orders them as `memcmp` does. */
export interface Tables {
  readonly root: RootDatabase<Bytes, Bytes>;
  /** `format`, `domain`, `end`, `compacted`; the version of `end` guards every commit. */
  readonly meta: Database<unknown, Bytes>;
  /** Key → value, with the revision as LMDB version, so that a value is written from where it lies. */
  readonly objects: Database<Bytes, Bytes>;
  /** (end of the commit, number of the segment) → segment, see `segment.ts`. */
  readonly log: Database<Bytes, Bytes>;
  /** Key → the index rows of the object, for those that have any. */
  readonly rows: Database<unknown, Bytes>;
  /** (resource, index, tuple, key) → nothing. */
  readonly index: Database<Bytes, Bytes>;
  readonly counters: Database<unknown, Bytes>;
}

/** LMDB's own bound, at its page size of 4 KiB. */
export const LONGEST_KEY = 1978;

/**
 * `overlappingSync` off: a commit is on disk before anyone can see it. `eventTurnBatching` off: else lmdb-js mixes unrelated
 * writes into one transaction, and leaves a promise behind whose rejection nobody can handle when the disk is full.
 */
export function openRoot(path: string): RootDatabase<Bytes, Bytes> {
  return open<Bytes, Bytes>({
    path,
    noSubdir: false,
    overlappingSync: false,
    eventTurnBatching: false,
    txnStartThreshold: 1,
    encoding: 'binary',
    keyEncoding: 'binary',
  } as Parameters<typeof open>[0] & { path: string });
}

export function openTables(root: RootDatabase<Bytes, Bytes>): Tables {
  return {
    root,
    meta: root.openDB('meta', { encoding: 'json', keyEncoding: 'binary', useVersions: true }),
    objects: root.openDB('objects', { encoding: 'binary', keyEncoding: 'binary', useVersions: true }),
    log: root.openDB('log', { encoding: 'binary', keyEncoding: 'binary' }),
    rows: root.openDB('rows', { encoding: 'json', keyEncoding: 'binary' }),
    index: root.openDB('index', { encoding: 'binary', keyEncoding: 'binary' }),
    counters: root.openDB('counters', { encoding: 'json', keyEncoding: 'binary' }),
  };
}

/** The names of the records in `meta`. */
export const META = {
  format: Buffer.from('format'),
  domain: Buffer.from('domain'),
  end: Buffer.from('end'),
  compacted: Buffer.from('compacted'),
} as const;

/** The LMDB version of the `end` record: never 0, which lmdb-js takes for "none". */
export function versionOf(end: Revision): number {
  return end + 1;
}
