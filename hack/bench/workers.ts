/**
 * Compares the CPU time (user and system) of an operation in one process and with several workers. With workers, it is
 * that of the supervisor and of all workers.
 *   npx tsx hack/bench/workers.ts [--workers 2] [--mongodb] [--rounds 4] [--seconds 2] [--folders 5000] [--only TEXT]
 * Both servers run side by side, each on a store of its own, and each operation is measured on one and then on the
 * other, several times. The ratio is the median of the ratios of these pairs. If the operation costs r times as much
 * with n workers, n cores serve n/r times as many as one core: that is the column `scale`, which does not depend on
 * what else the machine does. `--only` takes names with commas between them. Linux only.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ulid } from 'ulid';
import { type ReplicaSet, startReplicaSet } from '../mongod.js';
import { childrenOf } from './cpu.js';
import { median } from './median.js';
import { type Cost, OPERATIONS, type Operation, prepare, type Target } from './operations.js';
import { APILOAD, preparePeer } from './peer.js';
import { build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    mongodb: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
    folders: { type: 'string', default: '5000' },
    only: { type: 'string', default: '' },
    built: { type: 'boolean', default: false },
    apiload: { type: 'string', default: '' },
  },
});
const root = resolve('.');
const workers = Number(values.workers);
if (values.apiload === '') await preparePeer();
if (!values.built) await build(root);
const mongodb = values.mongodb ? await startReplicaSet({ members: 1 }) : undefined;
const targets: Target[] = [];
/**
 * Rounds before those that are measured, for each process: each compiles its own code. Their numbers are those of no
 * other round, so the names of objects are free.
 */
const WARM_UP = 3;
const FIRST_WARM_UP = 1000;
try {
  for (const count of [1, workers]) targets.push(await start(count, mongodb));
  for (const target of targets) await prepare(target);
  print('CPU-ms of an operation', 'one process', `${workers} workers`, 'ratio', 'scale', 'of each pair');
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    if (!values.only.split(',').some((part) => name.includes(part))) continue;
    const pairs: number[][] = [];
    for (const target of targets) await warmUp(target, operation);
    for (let round = 0; round < Number(values.rounds); round++) {
      const pair: number[] = [];
      for (const target of targets) pair.push(total(await operation(target, round)));
      pairs.push(pair);
    }
    report(name, pairs);
  }
} finally {
  for (const { server } of targets) await server.stop();
  await mongodb?.stop();
}

async function start(count: number, set: ReplicaSet | undefined): Promise<Target> {
  const database = `bench-${ulid().toLowerCase()}`;
  const args = [`--server.workers=${count}`];
  if (set !== undefined) {
    args.push(
      '--storage.backend=mongodb',
      `--storage.mongodb_uri=${set.uri}`,
      `--storage.mongodb_database=${database}`,
    );
  }
  const server = await startBuilt({ root, args });
  return {
    server,
    databasePid: set?.members[0]?.pid,
    workerPids: count === 1 ? [] : childrenOf(server.child.pid ?? 0),
    apiload: values.apiload || APILOAD,
    folders: Number(values.folders),
    seconds: Number(values.seconds),
  };
}

async function warmUp(target: Target, operation: Operation): Promise<void> {
  const rounds = WARM_UP * Math.max(1, target.workerPids?.length ?? 0);
  for (let i = 0; i < rounds; i++) await operation(target, FIRST_WARM_UP + i);
}

function report(name: string, pairs: readonly (readonly number[])[]): void {
  const [one, several] = [0, 1].map((i) => median(pairs.map((pair) => pair[i] ?? Number.NaN)).toFixed(3));
  const ratios = pairs.map(([before = Number.NaN, after = Number.NaN]) => after / before);
  const ratio = median(ratios);
  const each = ratios.map((of) => of.toFixed(2)).join(' ');
  print(name, one ?? '', several ?? '', ratio.toFixed(2), (workers / ratio).toFixed(2), each);
}

function print(...[name = '', ...columns]: readonly string[]): void {
  process.stdout.write(`${name.padEnd(24)}${columns.map((text) => text.padStart(12)).join(' ')}\n`);
}

function total({ server, database }: Cost): number {
  return server + database;
}
