/**
 * Measures what a store takes for writes of 1 KB, without a server. No server can make a write for less.
 *   npx tsx hack/bench/append.ts [--store lmdb|mongodb] [--sizes 1,16,64] [--seconds 4]
 * A create is one change. An update is two: the object, and the version that it replaces, with its index row. The size
 * of a batch is the number of clients. Prints CPU-ms (user and system) of a write, of this process and of mongod, and
 * the KB that this process passes to the system for it, those for the objects that follow the log included. All take
 * turns, so that they see the same machine. Linux only.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ulid } from 'ulid';
import type { Backend, Put, Stored } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { startReplicaSet } from '../mongod/replica-set.js';
import { cpuMs, writtenBytes } from './cpu.js';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'lmdb' },
    sizes: { type: 'string', default: '1,16,64' },
    seconds: { type: 'string', default: '4' },
  },
});
const FOLDERS = 'folders.folder.svc.app';
const VERSIONS = 'retainedversions.history.svc.app';
const TEXT = 'x'.repeat(800);
/** The objects that are updated, and the milliseconds of a turn. */
const OBJECTS = 10_000;
const TURN = 250;

interface Store {
  readonly backend: Backend;
  /** The process of the database, if the store has one. */
  readonly database?: number;
  stop(): Promise<void>;
}

const store = await (values.store === 'mongodb' ? openDatabase() : openFile());
const objects: Stored[] = [];
let revision = 0;
let last: string | undefined;
let created = 0;

const WRITES: Readonly<Record<string, (size: number) => readonly Put[]>> = {
  create: (size) => Array.from({ length: size }, (_, i) => putOf(`new-${created++}`, revision + i + 1)),
  update: (size) => {
    const first = Math.floor(Math.random() * OBJECTS);
    // Far from each other, as those of clients are.
    return Array.from({ length: size }, (_, i) => (first + i * 151) % OBJECTS).flatMap((at, i) => update(at, i));
  },
};

while (objects.length < OBJECTS) {
  const puts = Array.from({ length: 500 }, (_, i) => putOf(`folder-${objects.length + i}`, revision + i + 1));
  objects.push(...puts);
  await append(puts);
}
process.stdout.write(`${values.store}: CPU-ms of a write, of this process and of mongod, and written KB\n`);
for (const size of values.sizes.split(',').map(Number)) await measure(size);
await store.backend.close();
await store.stop();

async function measure(size: number): Promise<void> {
  const used = new Map(Object.keys(WRITES).map((name) => [name, { count: 0, own: 0, database: 0, bytes: 0 }]));
  const databaseMs = (): number => (store.database === undefined ? 0 : cpuMs(store.database));
  const until = performance.now() + Number(values.seconds) * 1000;
  for (let turn = 0; turn < 2 || performance.now() < until; turn++)
    for (const [name, changes] of Object.entries(WRITES)) {
      const [own, database, bytes] = [cpuMs(process.pid), databaseMs(), writtenBytes()];
      const end = performance.now() + TURN;
      let count = 0;
      for (; performance.now() < end; count += size) await append(changes(size));
      // A turn has what it wrote. A server does this once a second.
      await store.backend.materialize?.();
      const sum = used.get(name);
      // The first turn compiles, and makes the collections.
      if (sum === undefined || turn === 0) continue;
      sum.count += count;
      sum.own += cpuMs(process.pid) - own;
      sum.database += databaseMs() - database;
      sum.bytes += writtenBytes() - bytes;
    }
  for (const [name, { count, own, database, bytes }] of used) {
    const each = (ms: number): string => (ms / count).toFixed(3);
    process.stdout.write(
      `${name}, batches of ${size}: ${each(own)} + ${each(database)} = ${each(own + database)}, ${(bytes / 1024 / count).toFixed(1)} KB\n`,
    );
  }
}

async function append(changes: readonly Put[]): Promise<void> {
  const batch = { commitId: ulid(), parent: last, changes, counters: new Map([[FOLDERS, revision]]) };
  await store.backend.append(revision, batch);
  last = batch.commitId;
  revision += changes.length;
}

function putOf(name: string, at: number): Put & Stored {
  return put(FOLDERS, name, at, { uid: randomUUID(), title: `Title ${at}`, text: TEXT });
}

function put(resource: string, name: string, at: number, spec: object): Put & Stored {
  const object = { metadata: { resourceVersion: `${at}`, name }, spec };
  return { key: keyOf(resource, 'default', name), revision: at, value: Buffer.from(JSON.stringify(object)), object };
}

/** The names of the versions are as in registry/write/retained.ts. */
function update(at: number, position: number): readonly Put[] {
  const old = objects[at] as Stored;
  const { metadata, spec } = JSON.parse(Buffer.from(old.value).toString());
  const [first, second] = [revision + 2 * position + 1, revision + 2 * position + 2];
  const version = put(VERSIONS, `${Date.now()}.${spec.uid}.${old.revision}`, first, { object: { metadata, spec } });
  const next = put(FOLDERS, metadata.name, second, { ...spec, title: `Title ${second}` });
  objects[at] = next;
  return [version, { ...next, previous: old }];
}

async function openFile(): Promise<Store> {
  const path = await mkdtemp(join(tmpdir(), 'bench-append-'));
  return { backend: await openLmdb({ path, domain: 'svc.app' }), stop: () => rm(path, { recursive: true }) };
}

async function openDatabase(): Promise<Store> {
  const set = await startReplicaSet({ members: 1 });
  const backend = await openMongodb({ uri: set.uri, database: 'append', domain: 'svc.app' });
  const database = set.members[0]?.pid;
  return { backend, ...(database !== undefined && { database }), stop: () => set.stop() };
}
