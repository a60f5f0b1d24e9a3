import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Put, Revision, Stored } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { GroupCommitDelay } from '../../storage/log/group-commit.js';

const FOLDERS = 'folders.folder.svc.app';
const VERSIONS = 'retainedversions.history.svc.app';

/**
 * The embedded store, without engine, indexes in memory and history. Writes that wait are one durable commit, with the bytes and rows that our server
 * writes.
 */
export interface BareStore {
  /** Resolves when the object is on disk. If it replaces another, that is retained as a version, as our server does. */
  write(name: string, value: Uint8Array): Promise<void>;
  read(name: string): Uint8Array | undefined;
  close(): Promise<void>;
}

interface Waiting {
  readonly name: string;
  readonly value: Uint8Array;
  done(): void;
}

export async function openBareStore(): Promise<BareStore> {
  const path = await mkdtemp(join(tmpdir(), 'bench-bare-'));
  const backend = await openLmdb({ path, domain: 'svc.app' });
  const objects = new Map<string, Stored>();
  let revision = 0;
  // Without it, the commits of several clients would be smaller than ours.
  const delay = new GroupCommitDelay();
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    await setImmediate();
    while (waiting.length > 0) {
      await delay.wait(waiting.length);
      const [batch, began] = [waiting, performance.now()];
      waiting = [];
      const changes: Put[] = [];
      for (const { name, value } of batch) {
        const old = objects.get(name);
        if (old !== undefined) changes.push(versionOf(old, revision + changes.length + 1));
        const put = { key: keyOf(FOLDERS, 'default', name), revision: revision + changes.length + 1, value };
        changes.push(old === undefined ? put : { ...put, previous: old });
        objects.set(name, put);
      }
      await backend.append(revision, { commit: randomUUID(), changes, counters: new Map([[FOLDERS, revision]]) });
      revision += changes.length;
      for (const { done } of batch) done();
      delay.committed(waiting.length, batch.length, performance.now() - began);
    }
    running = undefined;
  };
  return {
    write: (name, value) =>
      new Promise((done) => {
        waiting.push({ name, value, done });
        delay.grownTo(waiting.length);
        running ??= run();
      }),
    read: (name) => objects.get(name)?.value,
    close: async () => {
      await running;
      await backend.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** The name of the version is as in registry/history/retained.ts. */
function versionOf(old: Stored, revision: Revision): Put {
  const [origin, object] = [randomUUID(), Buffer.from(old.value).toString()];
  const value = Buffer.from(`{"kind":"RetainedVersion","spec":{"origin":"${origin}","object":${object}}}`);
  return { key: keyOf(VERSIONS, 'default', `${Date.now()}.${origin}.${old.revision}`), revision, value };
}
