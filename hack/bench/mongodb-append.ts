/**
 * Measures how many writes one server appends to MongoDB in a second, by batch size, with one reader of the log, and their CPU time.
 *   [SIZES=1,16] npx tsx hack/bench/mongodb-append.ts [seconds per size]
 * Prints JSON. With $MONGODB_URI it uses that database, and cannot measure its CPU time.
 */
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { MongoClient } from 'mongodb';
import { ulid } from 'ulid';
import type { Backend, Put, Stored } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { startReplicaSet } from '../mongod/replica-set.js';

const SIZES = (process.env['SIZES'] ?? '1,4,16,64,256').split(',').map(Number);
const NAMES = 5000;
const RESOURCE = 'dashboards.dashboard.svc.app';

const seconds = Number(process.argv[2] ?? 5);
const given = process.env['MONGODB_URI'];
const set = given ? undefined : await startReplicaSet({ members: 1 });
const uri = given ?? set?.uri ?? '';
const database = `bench-${ulid().toLowerCase()}`;
const backend = await openMongodb({ uri, database, domain: 'svc.app' });
const current = new Map<string, Stored>();
const end = new AbortController();
const following = follow(backend, end.signal);
for (const size of SIZES) process.stdout.write(`${JSON.stringify(await measure(size))}\n`);
end.abort();
await following;
await backend.close();
const client = new MongoClient(uri);
await client.db(database).dropDatabase();
await client.close();
await set?.stop();

async function measure(size: number): Promise<Record<string, number>> {
  const latencies: number[] = [];
  let revision = await backend.end();
  const [own, mongod, started] = [process.cpuUsage(), await mongodCpu(), performance.now()];
  let commits = 0;
  while (performance.now() - started < seconds * 1000) {
    const begun = performance.now();
    await backend.append(revision, { commit: ulid(), changes: changes(revision, size), counters: new Map() });
    latencies.push(performance.now() - begun);
    revision += size;
    commits++;
  }
  const elapsed = (performance.now() - started) / 1000;
  const used = process.cpuUsage(own);
  const writes = commits * size;
  latencies.sort((a, b) => a - b);
  return {
    batch: size,
    'appends/s': Math.round(commits / elapsed),
    'writes/s': Math.round(writes / elapsed),
    'p50 ms': round(latencies[Math.floor(latencies.length / 2)] ?? 0),
    'p99 ms': round(latencies[Math.floor(latencies.length * 0.99)] ?? 0),
    'server CPU-ms/write': round((used.user + used.system) / 1000 / writes),
    'mongod CPU-ms/write': round(((await mongodCpu()) - mongod) / writes),
    cores: cpus().length,
  };
}

/** Three updates to one creation, of about 800 bytes. */
function changes(after: number, size: number): readonly Put[] {
  return Array.from({ length: size }, (_, i) => {
    const revision = after + i + 1;
    const name = revision % 4 === 0 ? `new-${revision}` : `n${revision % NAMES}`;
    const key = keyOf(RESOURCE, 'default', name);
    const text = JSON.stringify({
      metadata: { name, uid: `uid-${name}`, labels: { team: 'a' } },
      spec: { title: `Title ${revision}`, panels: 'x'.repeat(700) },
    });
    const value = new TextEncoder().encode(text);
    const previous = current.get(key);
    current.set(key, { key, revision, value });
    return { key, revision, value, ...(previous && { previous }) };
  });
}

async function follow(store: Backend, signal: AbortSignal): Promise<void> {
  for await (const _ of store.tail(await store.end(), signal));
}

async function mongodCpu(): Promise<number> {
  const pid = set?.members[0]?.pid;
  if (pid === undefined) return 0;
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  // User and system time in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
