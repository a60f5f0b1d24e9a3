/**
 * Measures what MongoDB and its driver take at least for the reads of annotations and of the query history, beside what the backend takes for them.
 *   npx tsx hack/bench/mongodb-reads.ts --uri URI [--rounds N] [--only TEXT]
 * The database has the data of annotations.ts and query-history.ts. `rows` reads only the keys of the index rows. `bare` also reads the bytes of the objects, by the bare
 * driver, which decodes nothing. `backend` is what the server calls. Each prints milliseconds, and CPU-ms of this process and of mongod.
 */
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { EVERY, type Facet, indexOf, ofDashboard, ofTag } from '../../apis/annotation/annotation/facets.js';
import { tagOf } from '../../apis/annotation/annotation/tags.js';
import { BY_OWNER } from '../../apis/queryhistory/queryhistory/schema.js';
import type { IndexRange } from '../../storage/backend.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { encodeTuple, prefixEnd, type Tuple } from '../../storage/tuple.js';
import { dashboardName } from './annotations/data.js';
import { cpuMs } from './cpu.js';
import { rounded } from './latency.js';

const { values } = parseArgs({
  options: {
    uri: { type: 'string', default: '' },
    rounds: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const DATABASE = 'apiserver';
const ANNOTATIONS = 'annotations.annotation.svc.app';
const HISTORY = 'queryhistories.queryhistory.svc.app';

interface Case {
  readonly resource: string;
  readonly range: (i: number) => IndexRange & { readonly index: string };
}

function newest(index: string, prefix: Tuple, limit: number) {
  const from = encodeTuple(prefix);
  return { index, from, to: prefixEnd(from), limit, reverse: true };
}
const ofFacet = (facet: Facet, limit: number) => newest(indexOf(facet), ['default', ...facet, 0], limit);
const owner = (i: number): Tuple => ['default', `user:nobody-${1 + (i % 499)}`];

const CASES: Readonly<Record<string, Case>> = {
  'newest 100 annotations': { resource: ANNOTATIONS, range: () => ofFacet(EVERY, 100) },
  '100 annotations of a dashboard': {
    resource: ANNOTATIONS,
    range: (i) => ofFacet(ofDashboard(dashboardName((i * 17) % 1000)), 100),
  },
  '100 annotations with a tag': {
    resource: ANNOTATIONS,
    range: (i) => ofFacet(ofTag(tagOf(`tag-${(i * 31) % 10_000}`)), 100),
  },
  '100 items of an owner': { resource: HISTORY, range: (i) => newest(BY_OWNER, owner(i), 100) },
  'all 2,000 items of an owner': { resource: HISTORY, range: (i) => newest(BY_OWNER, owner(i), 2000) },
};

const client = await new MongoClient(values.uri, { readConcern: { level: 'majority' } }).connect();
const db = client.db(DATABASE);
const { pid } = await db.admin().serverStatus();
const backend = await openMongodb({ uri: values.uri, database: DATABASE, domain: 'svc.app' });

/** The `_id`s of the rows, as bytes of documents that have nothing else. */
async function rowsOf({ resource, range }: Case, i: number): Promise<readonly Buffer[]> {
  const { index, from, to, limit } = range(i);
  const inRange = { _id: { $gte: `${index} ${from}`, $lt: `${index} ${to}` } };
  const options = { projection: { _id: 1 }, sort: { _id: -1 }, limit, batchSize: limit + 1, raw: true } as const;
  const cursor = db.collection<{ _id: string }>(`${resource}:rows`).find(inRange, options);
  return (await cursor.toArray()) as unknown as readonly Buffer[];
}

async function objectsOf({ resource }: Case, rows: readonly Buffer[]): Promise<number> {
  // The text of the only field begins after the length, its type and name, and its own length, and the key is the third word in it.
  const keys = rows.map((row) => row.toString('utf8', 13, row.length - 2).split(' ')[2] ?? '');
  const options = { projection: { body: 1, revision: 1 }, batchSize: keys.length + 1, raw: true } as const;
  const cursor = db.collection<{ _id: string }>(resource).find({ _id: { $in: keys } }, options);
  return (await cursor.toArray()).length;
}

function ways(one: Case): Readonly<Record<string, (i: number) => Promise<number>>> {
  return {
    rows: async (i) => (await rowsOf(one, i)).length,
    bare: async (i) => objectsOf(one, await rowsOf(one, i)),
    backend: async (i) => (await backend.range(one.resource, one.range(i))).length,
  };
}

for (const [name, one] of Object.entries(CASES)) {
  if (!name.includes(values.only)) continue;
  for (const [way, read] of Object.entries(ways(one))) {
    const taken: number[] = [];
    const [here, there] = [cpuMs(process.pid), cpuMs(pid)];
    let count = 0;
    for (let i = 0; i < rounds; i++) {
      const began = performance.now();
      count += await read(i);
      taken.push(performance.now() - began);
    }
    taken.sort((a, b) => a - b);
    const at = (share: number): number => rounded(taken[Math.floor(share * (rounds - 1))] ?? 0);
    const cpu = [cpuMs(process.pid) - here, cpuMs(pid) - there].map((ms) => rounded(ms / rounds));
    process.stdout.write(
      `${JSON.stringify({ what: name, way, objects: count / rounds, p10: at(0.1), p50: at(0.5), p90: at(0.9), here: cpu[0], mongod: cpu[1] })}\n`,
    );
  }
}
await backend.close();
await client.close();
