/**
 * Measures the least that MongoDB and its driver take for the writes of several clients at once, in fewer and fewer commands.
 *   npx tsx hack/bench/mongodb-floor.ts [--sizes 1,16,64] [--seconds 10]
 * A create is an object and its part of the log. An update is two objects, the row of the version that it replaces, and its part of the log.
 * `backend` is the commit of this server, and what carries it into the objects after each turn. The others write the same documents by the bare driver, without
 * the checks that a commit needs. `by collection` is a transaction of two commands for a create and four for an update. `in two collections` takes two commands
 * for both, as if all objects and rows were in one collection. `in one collection` takes one, as if the log were in it, too. `log only` is one insert
 * without a transaction: objects would have to be written later. Prints CPU-ms (user and system) of a write, of this process and of mongod. All take
 * turns, so that they see the same machine. Linux only.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Binary, type Document, MongoClient } from 'mongodb';
import type { Put, Stored } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { encodeWhole } from '../../storage/log/segment.js';
import { objectDocument, textOf } from '../../storage/mongodb/documents.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { startReplicaSet } from '../mongod/replica-set.js';
import { cpuMs } from './cpu.js';

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '1,16,64' }, seconds: { type: 'string', default: '10' } },
});
const FOLDERS = 'folders.folder.svc.app';
const VERSIONS = 'retainedversions.history.svc.app';
const TEXT = 'x'.repeat(800);
const DURABLE = { w: 'majority', j: true } as const;
const OBJECTS = 5000;
/** Commits of a turn. */
const TURN = 20;

const set = await startReplicaSet({ members: 1 });
const mongod = set.members[0]?.pid ?? 0;
const client = new MongoClient(set.uri, { enableUtf8Validation: false });
const bare = client.db('floor');
for (const name of ['log', 'folders', 'versions', 'rows', 'all']) await bare.createCollection(name);
const backend = await openMongodb({ uri: set.uri, database: 'commits', domain: 'svc.app' });
const session = client.startSession();

/** Each way to write has a log and objects of its own. */
interface Own {
  revision: number;
  readonly objects: Stored[];
  /** The last commit, which the next one names. */
  commit?: string;
}
const owns = new Map<string, Own>();
/** `made` changes of the same commit come before. */
type Make = (own: Own, made: number) => readonly Put[];
const WRITES: Readonly<Record<string, Make>> = {
  create: (own, made) => [put(FOLDERS, `new-${own.revision + made}`, own.revision + made + 1)],
  update: updated,
};
type Way = (own: Own, changes: readonly Put[]) => Promise<unknown>;
const WAYS: Readonly<Record<string, Way>> = {
  backend: async (own, changes) => {
    const batch = { ...batchOf(changes), ...(own.commit !== undefined && { parent: own.commit }) };
    await backend.append(own.revision, batch);
    own.commit = batch.commit;
  },
  'by collection': (own, changes) => transact([log(own, changes, 'log'), ...apart(changes)]),
  'in two collections': (own, changes) => transact([log(own, changes, 'log'), together(changes)]),
  'in one collection': (own, changes) => {
    const { updates } = log(own, changes, 'all');
    return transact([{ update: 'all', updates: [...updates, ...together(changes).updates] }]);
  },
  'log only': (own, changes) =>
    bare.command({ insert: 'log', documents: [itemOf(own, changes)], writeConcern: DURABLE }),
};

for (const size of values.sizes.split(',').map(Number)) await measure(size);
await session.endSession();
await backend.close();
await client.close();
await set.stop();

async function measure(size: number): Promise<void> {
  const used = new Map<string, { count: number; own: number; database: number }>();
  const until = performance.now() + Number(values.seconds) * 1000;
  for (let turn = 0; turn < 2 || performance.now() < until; turn++)
    for (const [write, make] of Object.entries(WRITES))
      for (const [way, run] of Object.entries(WAYS)) {
        const of = owns.get(way) ?? (await begun(way, run));
        const [own, database] = [cpuMs(process.pid), cpuMs(mongod)];
        for (let n = 0; n < TURN; n++) {
          const changes: Put[] = [];
          for (let i = 0; i < size; i++) changes.push(...make(of, changes.length));
          await run(of, changes);
          of.revision += changes.length;
        }
        if (way === 'backend') await backend.materialize?.();
        // The first turn compiles.
        if (turn === 0) continue;
        const name = `${write}, batches of ${size}, ${way}`;
        const sum = used.get(name) ?? { count: 0, own: 0, database: 0 };
        used.set(name, sum);
        sum.count += TURN * size;
        sum.own += cpuMs(process.pid) - own;
        sum.database += cpuMs(mongod) - database;
      }
  for (const [name, { count, own, database }] of [...used].sort()) {
    const each = (ms: number): string => (ms / count).toFixed(3);
    process.stdout.write(`${name.padEnd(44)} ${each(own)} + ${each(database)} = ${each(own + database)}\n`);
  }
}

/** The folders that are updated. */
async function begun(way: string, run: Way): Promise<Own> {
  const own: Own = { revision: 0, objects: [] };
  owns.set(way, own);
  for (let made = 0; made < OBJECTS; made += 500) {
    const puts = Array.from({ length: 500 }, (_, i) => put(FOLDERS, `folder-${made + i}`, own.revision + i + 1));
    await run(own, puts);
    own.objects.push(...puts);
    own.revision += puts.length;
  }
  return own;
}

async function transact(commands: readonly Document[]): Promise<void> {
  session.startTransaction({ writeConcern: { w: 'majority', journal: true } });
  for (const command of commands) {
    const { writeErrors } = await bare.command(command, { session });
    if (writeErrors !== undefined) throw new Error(JSON.stringify(writeErrors[0]));
  }
  await session.commitTransaction();
}

function batchOf(changes: readonly Put[]) {
  return { commit: randomUUID(), changes, counters: new Map<string, number>() };
}

/** The part of a commit in the log. */
function itemOf({ revision }: Own, changes: readonly Put[]): Document {
  const segment = new Binary(encodeWhole(revision, batchOf(changes)));
  return { _id: randomUUID(), from: revision + 1, commit: randomUUID(), segment };
}

function log(own: Own, changes: readonly Put[], update: string) {
  const end = { q: { _id: 'log' }, u: { $set: { revision: own.revision } }, upsert: true };
  const { _id, ...item } = itemOf(own, changes);
  return { update, updates: [end, { q: { _id }, u: { $set: item, $currentDate: { at: true } }, upsert: true }] };
}

function documentsOf(changes: readonly Put[]) {
  return changes.map((change) => objectDocument(change, textOf(change.value ?? new Uint8Array())));
}

/** As the backend does it. */
function apart(changes: readonly Put[]): readonly Document[] {
  const of = (wanted: string) => documentsOf(changes.filter(({ key }) => key.startsWith(wanted)));
  const [folders, versions] = [of(FOLDERS), of(VERSIONS)];
  if (versions.length === 0) return [{ insert: 'folders', documents: folders }];
  const replaced = folders.map(({ _id, ...u }) => ({ q: { _id }, u, upsert: true }));
  return [
    { insert: 'versions', documents: versions },
    { update: 'folders', updates: replaced, ordered: false },
  ];
}

function together(changes: readonly Put[]) {
  const updates = documentsOf(changes).map(({ _id, ...u }): Document => ({ q: { _id }, u, upsert: true }));
  return { update: 'all', updates };
}

function put(
  resource: string,
  name: string,
  revision: number,
  spec: object = { uid: randomUUID(), text: TEXT },
): Stored {
  const object = { metadata: { resourceVersion: `${revision}`, name }, spec };
  return { key: keyOf(resource, 'default', name), revision, value: Buffer.from(JSON.stringify(object)) };
}

/** The names of the versions are as in registry/history/retained.ts. */
function updated(own: Own, made: number): readonly Put[] {
  const at = (own.revision * 7 + made * 151) % OBJECTS;
  const old = own.objects[at] as Stored;
  const { metadata, spec } = JSON.parse(Buffer.from(old.value).toString());
  const revision = own.revision + made + 1;
  const version = put(VERSIONS, `${Date.now()}.${spec.uid}.${old.revision}`, revision, { object: { metadata, spec } });
  const next = put(FOLDERS, metadata.name, revision + 1, { ...spec, title: `Title ${revision}` });
  own.objects[at] = next;
  return [version, { ...next, previous: old }];
}
