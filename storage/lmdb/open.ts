import { randomUUID } from 'node:crypto';
import { messageOf } from '../../pkg/system/errors/message.js';
import type { Backend } from '../backend.js';
import { isStorageError, StorageError } from '../errors.js';
import { LmdbBackend } from './backend.js';
import { checkFormat, FORMAT, TOGETHER, WITH_ROWS } from './format.js';
import { openExclusively } from './lock.js';
import { type End, type LmdbTables, META, versionOf } from './tables.js';

export interface LmdbOptions {
  /** The folder of the data file. It is created if it does not exist. */
  readonly path: string;
  /** The API domain. It is stored with the data, because the groups and labels of objects contain it. */
  readonly domain: string;
  readonly now?: () => number;
}

/** Opens the embedded store for this process alone. Throws `refused` with the reason if it cannot. */
export async function openLmdb({ path, domain, now = Date.now }: LmdbOptions): Promise<Backend> {
  const { tables, release } = openExclusively(path);
  try {
    if (tables.meta.get(META.end) === undefined) await initialize(tables, domain);
    checkStore(tables, path, domain);
    await dropRows(tables);
    await separate(tables);
    await nameEnd(tables);
    return new LmdbBackend(tables, { path, now, release });
  } catch (cause) {
    await release();
    if (isStorageError(cause)) throw cause;
    const reason = messageOf(cause);
    throw new StorageError('refused', `The embedded store in ${path} cannot be opened: ${reason}`, { cause });
  }
}

/** One transaction, so that a store is either empty or complete. */
async function initialize(tables: LmdbTables, domain: string): Promise<void> {
  await tables.meta.batch(() => {
    tables.meta.put(META.format, FORMAT, 1);
    tables.meta.put(META.domain, domain, 1);
    tables.meta.put(META.compacted, 0, 1);
    tables.meta.put(META.stored, 0, 1);
    tables.meta.put(META.end, { end: 0, at: 0 }, versionOf(0));
  });
}

/** A store that an earlier version wrote, or that was filled, does not say which commit is its last one. */
async function nameEnd({ meta }: LmdbTables): Promise<void> {
  const last = meta.get(META.end) as End;
  if (last.commit === undefined) await meta.put(META.end, { ...last, commit: randomUUID() }, versionOf(last.end));
}

/** Removes what format 1 had beside the objects. Servers of that format read it, so they are refused first. */
async function dropRows({ meta, root }: LmdbTables): Promise<void> {
  if (meta.get(META.format) !== WITH_ROWS) return;
  await meta.put(META.format, TOGETHER, 1);
  for (const name of ['rows', 'index', 'counts'])
    await root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' }).drop();
}

/** Servers of the earlier format take the objects to be as new as the log, so they are refused from now on. */
async function separate({ meta }: LmdbTables): Promise<void> {
  if (meta.get(META.format) !== TOGETHER) return;
  const { end } = meta.get(META.end) as End;
  await meta.batch(() => {
    meta.put(META.stored, end, 1);
    meta.put(META.format, FORMAT, 1);
  });
}

/** Throws `refused` if this is no store of this version and domain. */
export function checkStore(tables: LmdbTables, path: string, domain: string): void {
  checkFormat(tables, path);
  const recorded = tables.meta.get(META.domain);
  if (recorded !== domain) {
    throw new StorageError(
      'refused',
      `The data in ${path} belongs to the API domain ${JSON.stringify(recorded)}, and the setting api.domain is ${JSON.stringify(domain)}. Restore api.domain, or set paths.data to another folder.`,
    );
  }
}
