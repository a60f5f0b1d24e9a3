import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { commit } from '../../storage/lmdb/commit.js';
import { logKey } from '../../storage/lmdb/log.js';
import type { Operation } from '../../storage/lmdb/plan.js';
import { META, openRoot, openTables, versionOf } from '../../storage/lmdb/tables.js';

/** LMDB, as the embedded store opens it, without anything of a server: what waits is written to a log and a table in one durable commit. */
export interface BareStore {
  /** Resolves when the value is on disk. */
  write(key: string, value: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export async function openBareStore(): Promise<BareStore> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-bare-'));
  const tables = openTables(openRoot(folder));
  let end = 0;
  await tables.meta.put(META.end, { end, at: 0 }, versionOf(end));
  let waiting: { readonly key: Buffer; readonly value: Uint8Array; done(): void }[] = [];
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    await setImmediate();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const next = end + batch.length;
      const log = Buffer.concat(batch.map(({ value }) => value));
      await commit(tables, end, [
        ...batch.map(({ key, value }): Operation => ({ table: 'objects', key, value, version: next })),
        { table: 'log', key: logKey(next, 0), value: log },
        { table: 'meta', key: META.end, value: { end: next, at: 0 }, version: versionOf(next) },
      ]);
      end = next;
      for (const { done } of batch) done();
    }
    running = undefined;
  };
  return {
    write: (key, value) =>
      new Promise((done) => {
        waiting.push({ key: Buffer.from(key), value, done });
        running ??= run();
      }),
    close: async () => {
      await running;
      await tables.root.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
