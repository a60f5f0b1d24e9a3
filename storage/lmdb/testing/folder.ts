import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend, Revision } from '../../backend.js';
import { batchOf, key } from '../../testing/backend/fixture.js';
import { using } from '../../testing/transfer/fixture.js';
import { commit } from '../commit.js';
import { openExclusively } from '../lock.js';
import { openLmdb } from '../open.js';
import { planAppend } from '../plan.js';
import { type LmdbTables, openLmdbTables, openRoot } from '../tables.js';

export const DOMAIN = 'svc.app';

/** A new folder for each test of the suite, which is removed after it. */
export function eachFolder(): () => string {
  let path = '';
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'lmdb-unit.'));
  });
  afterEach(() => rm(path, { recursive: true }));
  return () => path;
}

/** Opens the store as a server does, creates it if necessary, and closes it after the work. */
export function withStore<Result>(path: string, work: (backend: Backend) => Promise<Result>): Promise<Result> {
  return using(openLmdb({ path, domain: DOMAIN }), work);
}

/** Opens the tables of a store that nobody else has open, to look at them, or to make them as a fault would. */
export async function withTables<Result>(path: string, work: (tables: LmdbTables) => Promise<Result>): Promise<Result> {
  const { tables, release } = openExclusively(path);
  try {
    return await work(tables);
  } finally {
    await release();
  }
}

/** Writes as a process would that the lock on the folder did not keep out. The log ends at `end` before. */
export async function intrude(path: string, end: Revision): Promise<void> {
  const root = openRoot(path);
  const change = { key: key('intruder'), revision: end + 1, value: Buffer.from('{}') };
  const operations = await planAppend(end, batchOf([change]), { end: end + 1, at: 0, commit: 'intruder' });
  await commit(openLmdbTables(root), end, operations);
  await root.close();
}

/** The same tables, but the writes of a commit do what `write` does. */
export function writingWith(
  tables: LmdbTables,
  write: (...args: Parameters<LmdbTables['meta']['ifVersion']>) => Promise<boolean>,
): LmdbTables {
  const get = (meta: LmdbTables['meta'], name: string | symbol): unknown => {
    const value: unknown = Reflect.get(meta, name);
    if (name === 'ifVersion') return write;
    return typeof value === 'function' ? value.bind(meta) : value;
  };
  return { ...tables, meta: new Proxy(tables.meta, { get }) };
}
