/**
 * Measures the least that MongoDB and its driver take for a commit of 16 annotations, as if 16 clients wrote at once, and what the backend takes.
 *   npx tsx hack/bench/mongodb-commits.ts [seconds] [--uri URI]
 * `objects` is a transaction that inserts the objects and their changes by the bare driver, and `backend` does the same and keeps the log. They take
 * turns. Prints milliseconds of a commit, CPU-ms of this process and of mongod, and how many annotations a second are the most if nothing else is
 * done. Each writes to a new database.
 */

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Document, MongoClient } from 'mongodb';
import { kinds } from '../../apis/kinds.js';
import { canonicalJson } from '../../pkg/json/canonical.js';
import { CompiledKinds } from '../../registry/kinds/compiled.js';
import { objectKey } from '../../registry/kinds/registry.js';
import type { Put } from '../../storage/backend.js';
import { objectDocument } from '../../storage/mongodb/documents.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { encodeText } from '../../storage/state/codec.js';
import { ENVIRONMENT } from '../../test/harness/server.js';
import { startReplicaSet } from '../mongod/replica-set.js';
import { type Data, madeAnnotation } from './annotations/data.js';
import { cpuMs } from './cpu.js';
import { storedObject } from './fill-store.js';
import { rounded } from './latency.js';

const { values, positionals } = parseArgs({ options: { uri: { type: 'string' } }, allowPositionals: true });
const seconds = Number(positionals[0] ?? 10);
const SIZE = 16;
const DATA: Data = { count: 1_000_000, dashboards: 1000, tags: 10_000, seed: 0 };
const UIDS = new Map(Array.from({ length: DATA.dashboards }, (_, i) => [`bench-${i}`, randomUUID()]));
const kind = new CompiledKinds(kinds(ENVIRONMENT)).get('annotation/Annotation');

const set = values.uri === undefined ? await startReplicaSet({ members: 1 }) : undefined;
const client = await new MongoClient(values.uri ?? set?.uri ?? '').connect();
const { pid } = await client.db('admin').command({ serverStatus: 1 });
const own = `commits-${randomUUID()}`;
const bare = client.db(`${own}-bare`);
const backend = await openMongodb({ uri: values.uri ?? set?.uri ?? '', database: `${own}-backend`, domain: 'svc.app' });
for (const name of ['objects', 'changes']) await bare.createCollection(name);

function puts(after: number): readonly Put[] {
  return Array.from({ length: SIZE }, (_, i): Put => {
    const revision = after + i + 1;
    const object = storedObject(kind, revision, madeAnnotation(revision, DATA, UIDS));
    const key = objectKey(kind, 'default', object.metadata.name);
    return {
      key,
      revision,
      object,
      value: encodeText(canonicalJson(object), revision),
    };
  });
}

/** What a commit inserts. */
function documentsOf(changes: readonly Put[]) {
  const objects = changes.map((put) => objectDocument(put, Buffer.from(put.value ?? []).toString()));
  return {
    objects,
    changes: objects.map(({ _id, revision, body }) => ({ _id: revision, key: _id, body })),
  };
}

const session = client.startSession();
async function transact(commands: readonly Document[]): Promise<void> {
  session.startTransaction({ writeConcern: { w: 'majority', journal: true } });
  for (const command of commands) {
    const { writeErrors } = await bare.command(command, { session });
    if (writeErrors !== undefined) throw new Error(JSON.stringify(writeErrors[0]));
  }
  await session.commitTransaction();
}

let [bareEnd, backendEnd] = [0, 0];
const inserted = async (): Promise<() => Promise<void>> => {
  const { objects, changes } = documentsOf(puts(bareEnd));
  bareEnd += SIZE;
  const commands: Document[] = [
    { insert: 'changes', documents: changes },
    { insert: 'objects', documents: objects },
  ];
  return () => transact(commands);
};
const WAYS: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
  objects: inserted,
  backend: async () => {
    const [after, changes] = [backendEnd, puts(backendEnd)];
    backendEnd += SIZE;
    const counters = new Map([[kind.qualified, backendEnd]]);
    return () => backend.append(after, { commit: randomUUID(), changes, counters });
  },
};

interface Used {
  readonly taken: number[];
  here: number;
  there: number;
}
const used = new Map(Object.keys(WAYS).map((way): [string, Used] => [way, { taken: [], here: 0, there: 0 }]));
const until = performance.now() + seconds * 1000 * used.size;
const ROUND = 20;
for (let round = 0; performance.now() < until; round++)
  for (const [way, make] of Object.entries(WAYS)) {
    const commits: (() => Promise<void>)[] = [];
    for (let i = 0; i < ROUND; i++) commits.push(await make());
    const sum = used.get(way);
    const [here, there] = [cpuMs(process.pid), cpuMs(pid)];
    for (const commit of commits) {
      const began = performance.now();
      await commit();
      // The first commits make the collections.
      if (round > 0) sum?.taken.push(performance.now() - began);
    }
    if (sum === undefined || round === 0) continue;
    sum.here += cpuMs(process.pid) - here;
    sum.there += cpuMs(pid) - there;
  }
for (const [way, { taken, here, there }] of used) {
  taken.sort((a, b) => a - b);
  const p50 = taken[taken.length >> 1] ?? 0;
  const [cpu, mongod] = [here, there].map((ms) => rounded(ms / taken.length));
  process.stdout.write(
    `${JSON.stringify({ way, commits: taken.length, p10: rounded(taken[Math.floor(taken.length / 10)] ?? 0), p50: rounded(p50), cpu, mongod, perSecond: Math.round((SIZE * 1000) / p50) })}\n`,
  );
}
await session.endSession();
await backend.close();
for (const name of [`${own}-bare`, `${own}-backend`]) await client.db(name).dropDatabase();
await client.close();
await set?.stop();
