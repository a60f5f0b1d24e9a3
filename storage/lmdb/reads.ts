import type { Commit, Revision, Stored } from '../backend.js';
import { compactedError, StorageError } from '../errors.js';
import type { Key } from '../key.js';
import type { StoreReads } from '../remote/reads.js';
import type { Space } from '../space.js';
import { commitAt, lastBefore, readCommits } from './log.js';
import { checkStore } from './open.js';
import { logBytes, spaceOf } from './size.js';
import { openToRead } from './snapshot.js';
import { type End, type LmdbTables, META } from './tables.js';
import { countersNow, getNewest, loadNewest } from './unstored.js';

/**
 * Reads the embedded store while another process writes it. LMDB maps the file into the memory of both, so this takes
 * no message. A snapshot lasts no longer than a turn of the event loop, so it hardly keeps pages from being used again.
 * Throws `refused` if the store cannot be read.
 */
export function openLmdbReads({ path, domain }: { readonly path: string; readonly domain: string }): StoreReads {
  const tables = openToRead(path);
  try {
    checkStore(tables, path, domain);
    return new LmdbReads(tables, path);
  } catch (error) {
    void tables.root.close();
    throw error;
  }
}

class LmdbReads implements StoreReads {
  readonly #tables: LmdbTables;
  readonly #path: string;
  #isClosed = false;

  constructor(tables: LmdbTables, path: string) {
    this.#tables = tables;
    this.#path = path;
  }

  end(): Revision {
    return (this.#newest().meta.get(META.end) as End).end;
  }

  commitAt(revision: Revision): string | undefined {
    return commitAt(this.#newest(), revision);
  }

  /** All of it in one snapshot, so that no compaction comes in between. */
  commits(after: Revision): readonly Commit[] {
    const tables = this.#newest();
    const { end } = tables.meta.get(META.end) as End;
    const compacted = compactedOf(tables);
    if (after < compacted) throw compactedError(after, compacted);
    return after >= end ? [] : readCommits(tables, after, end);
  }

  compacted(): Revision {
    return compactedOf(this.#newest());
  }

  logBytes(): number {
    return logBytes(this.#newest());
  }

  space(): Space {
    return spaceOf(this.#newest(), this.#path);
  }

  revisionBefore(age: number): Revision {
    const tables = this.#newest();
    const { end } = tables.meta.get(META.end) as End;
    return lastBefore(tables, Date.now() - age, compactedOf(tables), end);
  }

  load(resource: string): AsyncIterable<readonly Stored[]> {
    return loadNewest(() => this.#newest(), resource);
  }

  counters(): ReadonlyMap<string, number> {
    return countersNow(this.#newest());
  }

  get(keys: readonly Key[]): ReadonlyMap<Key, Stored> {
    return getNewest(this.#newest(), keys);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#tables.root.close();
  }

  /** lmdb-js keeps a snapshot until the end of the turn. The other process may have committed since it was made. */
  #newest(): LmdbTables {
    if (this.#isClosed) throw new StorageError('closed', 'The store is closed.');
    this.#tables.root.resetReadTxn();
    return this.#tables;
  }
}

function compactedOf({ meta }: LmdbTables): Revision {
  return meta.get(META.compacted) as Revision;
}
