import { type Database, open, type RootDatabase } from 'lmdb';
import type { Bytes, Revision } from '../backend.js';
import { type LoadedValue, openLoaded } from './loaded.js';

/** The end of the log, and the time of its last commit, so that times never decrease. */
export interface End {
  readonly end: Revision;
  readonly at: number;
  /** The id of the last commit. Earlier versions did not write it. */
  readonly commit?: string;
}

/** The tables of the data file. All keys are bytes, which LMDB orders as `memcmp` does. */
export interface LmdbTables {
  readonly root: RootDatabase<Bytes, Bytes>;
  /** The records of `META`. Every commit checks the version of `end`. */
  readonly meta: Database<unknown, Bytes>;
  /** Key → value, with the revision as LMDB version, so that values are written without a copy. */
  readonly objects: Database<Bytes, Bytes>;
  /** The same table, for loads. */
  readonly loaded: Database<LoadedValue, string>;
  /** (end of the commit, number of the segment) → segment; see `segment.ts`. */
  readonly log: Database<Bytes, Bytes>;
  readonly counters: Database<unknown, Bytes>;
}

/** The limit of LMDB at its page size of 4 KiB. */
export const MAX_KEY = 1978;

/**
 * The free pages that LMDB keeps in memory between commits. A commit inserts each page that it frees into their list,
 * so with the 75,000 of lmdb-js, a commit in a file with much free space takes ten times as long.
 */
const FREE_PAGES = 4000;

/**
 * Without `overlappingSync`, a commit is on disk before it is visible. With `eventTurnBatching`, lmdb-js would mix
 * unrelated writes in one transaction, and on a full disk leave a rejected promise that nobody can handle.
 */
export function openRoot(path: string): RootDatabase<Bytes, Bytes> {
  return open<Bytes, Bytes>({
    path,
    noSubdir: false,
    overlappingSync: false,
    eventTurnBatching: false,
    txnStartThreshold: 1,
    maxFreeSpaceToLoad: FREE_PAGES,
    maxFreeSpaceToRetain: 2 * FREE_PAGES,
    encoding: 'binary',
    keyEncoding: 'binary',
  } as Parameters<typeof open>[0] & { path: string });
}

/** Opens a store that another process writes. */
export function openRootToRead(path: string): RootDatabase<Bytes, Bytes> {
  return open<Bytes, Bytes>({ path, noSubdir: false, readOnly: true, encoding: 'binary', keyEncoding: 'binary' });
}

export function openLmdbTables(root: RootDatabase<Bytes, Bytes>): LmdbTables {
  return {
    root,
    meta: root.openDB('meta', { encoding: 'json', keyEncoding: 'binary', useVersions: true }),
    objects: root.openDB('objects', { encoding: 'binary', keyEncoding: 'binary', useVersions: true }),
    loaded: openLoaded(root),
    log: root.openDB('log', { encoding: 'binary', keyEncoding: 'binary' }),
    counters: root.openDB('counters', { encoding: 'json', keyEncoding: 'binary' }),
  };
}

/** The names of the records in `meta`. */
export const META = {
  format: Buffer.from('format'),
  domain: Buffer.from('domain'),
  end: Buffer.from('end'),
  /** The revision up to which the changes of the log are in the objects. Earlier versions wrote both at once. */
  stored: Buffer.from('stored'),
  compacted: Buffer.from('compacted'),
  origin: Buffer.from('origin'),
} as const;

/** The LMDB version of the `end` record. Never 0, which means "none" to lmdb-js. */
export function versionOf(end: Revision): number {
  return end + 1;
}
