/**
 * Compares the CPU time (user and system) of the server and of MongoDB for one operation in two checkouts.
 *   npx tsx hack/bench/side-by-side.ts BEFORE AFTER --apiload PROGRAM [--mongodb] [--rounds 4] [--seconds 1] [--folders 5000] [--only TEXT]
 * Both are built and run side by side, each on a store of its own. Each operation is measured on one and then on the
 * other, several times: before, after, before, after. The ratio is the median of the ratios of these pairs. Pairs of
 * the same checkout differ by a tenth on an idle machine, and by more than a quarter on a busy one, which then needs
 * more rounds. A round takes about 40 seconds. PROGRAM (or $APILOAD) loads the resource API. It takes `-base`,
 * `-token`, `-op` and so on, and prints a line of JSON. Linux only.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ulid } from 'ulid';
import { type ReplicaSet, startReplicaSet } from '../mongod.js';
import { median } from './median.js';
import { type Cost, OPERATIONS, type Operation, prepare, type Target } from './operations.js';
import { build, startBuilt } from './server.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    apiload: { type: 'string', default: process.env['APILOAD'] ?? '' },
    mongodb: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '1' },
    folders: { type: 'string', default: '5000' },
    only: { type: 'string', default: '' },
  },
});
const roots = positionals.map((path) => resolve(path));
if (roots.length !== 2 || values.apiload === '')
  throw new Error('Usage: side-by-side.ts BEFORE AFTER --apiload PROGRAM');

/** The results of one operation in one round: before and after. */
type Pair = readonly [before: Cost, after: Cost];

for (const root of roots) await build(root);
const mongodb = values.mongodb ? await startReplicaSet({ members: 1 }) : undefined;
const targets: Target[] = [];
try {
  for (const root of roots) targets.push(await start(root, mongodb));
  for (const target of targets) await prepare(target);
  print('operation', 'CPU-ms of', 'before', 'after', 'after/before', 'of each pair');
  for (const [name, operation] of Object.entries(OPERATIONS))
    if (name.includes(values.only)) printPairs(name, await pairsOf(operation));
} finally {
  for (const { server } of targets) await server.stop();
  await mongodb?.stop();
}

async function start(root: string, set: ReplicaSet | undefined): Promise<Target> {
  const database = `bench-${ulid().toLowerCase()}`;
  const args = set && [
    '--storage.backend=mongodb',
    `--storage.mongodb_uri=${set.uri}`,
    `--storage.mongodb_database=${database}`,
  ];
  return {
    server: await startBuilt({ root, ...(args && { args }) }),
    databasePid: set?.members[0]?.pid,
    apiload: values.apiload,
    folders: Number(values.folders),
    seconds: Number(values.seconds),
  };
}

async function pairsOf(operation: Operation): Promise<readonly Pair[]> {
  const [before, after] = targets;
  if (before === undefined || after === undefined) throw new Error('both servers run');
  const pairs: Pair[] = [];
  for (let round = 0; round < Number(values.rounds); round++)
    pairs.push([await operation(before, round), await operation(after, round)]);
  return pairs;
}

function printPairs(name: string, pairs: readonly Pair[]): void {
  const parts: readonly (keyof Cost)[] = values.mongodb ? ['server', 'database'] : ['server'];
  for (const part of parts) {
    const ratios = pairs.map(([before, after]) => after[part] / before[part]);
    const before = median(pairs.map(([cost]) => cost[part])).toFixed(3);
    const after = median(pairs.map(([, cost]) => cost[part])).toFixed(3);
    print(name, part, before, after, median(ratios).toFixed(2), ratios.map((one) => one.toFixed(2)).join(' '));
  }
}

function print(...[name = '', ...columns]: readonly string[]): void {
  process.stdout.write(`${name.padEnd(24)}${columns.map((text) => text.padStart(14)).join(' ')}\n`);
}
