import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { lifetime } from '../../pkg/system/time/lifetime.js';
import type { History } from './history.js';
import { type DisturbedServer, runOnce } from './in-process.js';
import { type Fault, ON_MONGODB, PROCESS_FAULTS } from './process-faults.js';
import { Random } from './random.js';
import { type StoreName, storesOf } from './stores.js';

/**
 * Runs the random clients under a fault, and prints what was injected, how many operations were checked, and the
 * violations:
 *
 *     SEED=1 BUILT=true npx tsx test/simulation/faults.ts --fault kill --times 100 --seconds 600 --store lmdb
 *
 * With `BUILT=true`, servers run from `dist`, which starts faster.
 */
const { values } = parseArgs({
  options: {
    fault: { type: 'string', default: 'kill' },
    store: { type: 'string', default: 'lmdb' },
    times: { type: 'string', default: '10' },
    /** The most seconds of the fault, even if it was injected fewer times. */
    seconds: { type: 'string', default: '60' },
    /** The workers of each server process. */
    workers: { type: 'string', default: '1' },
  },
});

const HOUR = 3_600_000;

/** A fault of servers in this process. Resolves with a description of what it injected. */
type Injected = (
  servers: readonly DisturbedServer[],
  signal: AbortSignal,
  history: History,
  random: Random,
) => Promise<string>;

function inProcess(inject: Injected): Fault {
  return async ({ seed, seconds, store }) => {
    const stores = await storesOf(store as StoreName);
    let injected = '';
    const servers = store === 'lmdb' ? 1 : 2;
    const chaos = { delay: 3, failures: 0.02 };
    const disturb = (all: readonly DisturbedServer[]) => async (signal: AbortSignal, history: History) => {
      const until = lifetime(signal, seconds * 1000);
      injected = await inject(all, until.signal, history, new Random(seed));
      until.end();
    };
    const verdict = await runOnce(stores, { seed, seconds: 1, servers, chaos, allowsGone: true, disturb });
    await stores.close();
    return { ...verdict, injected };
  };
}

/** Moves the wall clock of a server by an hour, forward or back. */
const clock = inProcess(async (servers, signal, _history, random) => {
  let count = 0;
  for (; !signal.aborted; count++) {
    await sleep(300);
    random.pick(servers).clock.advance(random.pick([HOUR, -HOUR]));
  }
  return `the clock of a server jumped by an hour ${count} times`;
});

/** Compacts the log to the last changes, while clients read pages and watch. */
const compaction = inProcess(async (servers, signal, history, random) => {
  let count = 0;
  for (; !signal.aborted; count++) {
    await sleep(200);
    const backend = servers[0]?.backend;
    await backend?.compact(Math.max(0, history.newest - random.below(30)));
  }
  return `the log was compacted ${count} times`;
});

const FAULTS: Readonly<Record<string, Fault>> = { ...PROCESS_FAULTS, clock, compaction };
const fault = FAULTS[values.fault];
if (fault === undefined) throw new Error(`there is no fault ${values.fault}: ${Object.keys(FAULTS).join(', ')}`);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const options = {
  seed,
  times: Number(values.times),
  seconds: Number(values.seconds),
  store: values.store,
  workers: Number(values.workers),
};
const store = ON_MONGODB.includes(values.fault) ? 'mongodb' : values.store;
const { injected, operations, events, streams, violations, statuses } = await fault(options);
process.stdout.write(
  `| ${values.fault} (${store}, ${values.workers} workers) | ${injected} | ${operations} | ${events} | ${streams} | ${violations.length} | ${seed} |\n`,
);
process.stdout.write(`${[...statuses].map(([key, count]) => `${key}: ${count}`).join(', ')}\n`);
for (const { check, message } of violations.slice(0, 20)) process.stdout.write(`  ${check}: ${message}\n`);
process.exit(violations.length === 0 ? 0 : 1);
