/**
 * Measures what MongoDB and its driver take at least for one write, when writes come one after another.
 *   npx tsx hack/bench/mongodb-floor.ts [seconds]
 * Prints CPU-ms (user and system) of this process and of mongod: for one insert of 1 KB that a majority acknowledges with its journal, and for a commit
 * of this server, which is a transaction of two commands. Both take turns, so that they see the same machine. Linux only.
 */
import { MongoClient } from 'mongodb';
import { ulid } from 'ulid';
import { keyOf } from '../../storage/key.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { startReplicaSet } from '../mongod/replica-set.js';
import { cpuMs } from './cpu.js';

const RESOURCE = 'folders.folder.svc.app';
const TEXT = 'x'.repeat(900);
const ROUND = 50;

const seconds = Number(process.argv[2] ?? 10);
const set = await startReplicaSet({ members: 1 });
const mongod = set.members[0]?.pid ?? 0;
const client = new MongoClient(set.uri);
const inserts = client.db('floor').collection<{ _id: number; text: string }>('inserts');
const backend = await openMongodb({ uri: set.uri, database: 'commits', domain: 'svc.app' });
let revision = 0;

const WRITES: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
  'one insert': (n) => inserts.insertOne({ _id: n, text: TEXT }, { writeConcern: { w: 'majority', journal: true } }),
  'a commit of one object': () => {
    const key = keyOf(RESOURCE, 'default', `f${++revision}`);
    const value = new TextEncoder().encode(
      JSON.stringify({ metadata: { name: `f${revision}` }, spec: { text: TEXT } }),
    );
    const batch = { commit: ulid(), changes: [{ key, revision, value }], counters: new Map([[RESOURCE, revision]]) };
    return backend.append(revision - 1, batch);
  },
};

const used = new Map(Object.keys(WRITES).map((name) => [name, { count: 0, driver: 0, database: 0 }]));
const until = performance.now() + seconds * 1000;
for (let n = 0; performance.now() < until; n += ROUND)
  for (const [name, write] of Object.entries(WRITES)) {
    const [driver, database] = [cpuMs(process.pid), cpuMs(mongod)];
    for (let i = 0; i < ROUND; i++) await write(n + i);
    const sum = used.get(name);
    // The first writes make the collections.
    if (sum === undefined || n === 0) continue;
    sum.count += ROUND;
    sum.driver += cpuMs(process.pid) - driver;
    sum.database += cpuMs(mongod) - database;
  }
for (const [name, { count, driver, database }] of used) {
  const each = (ms: number): string => (ms / count).toFixed(2);
  process.stdout.write(
    `${name}: ${each(driver)} here, ${each(database)} in mongod, ${each(driver + database)} together\n`,
  );
}
await backend.close();
await client.close();
await set.stop();
