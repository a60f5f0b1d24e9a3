import { parseArgs } from 'node:util';
import type { Verdict } from './check.js';
import { runDefinitions } from './definitions/run-once.js';
import { runOnce } from './in-process.js';
import { type StoreName, storesOf } from './stores.js';

/**
 * Runs the simulation, and prints what it found:
 *
 *     SEED=1 npx tsx test/simulation/run.ts --store lmdb --servers 1 --seconds 10 --runs 1
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'memory' },
    servers: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '2' },
    runs: { type: 'string', default: '1' },
    clients: { type: 'string', default: '6' },
    delay: { type: 'string', default: '3' },
    failures: { type: 'string', default: '0.02' },
    /** The most seconds for all runs. */
    most: { type: 'string', default: '100000' },
    /** Whether to stop after the first run with violations. */
    first: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    /** Whether the store, which must be in memory, is set back again and again. */
    'set-back': { type: 'boolean', default: false },
    /** Whether to run clients of a definition that changes. */
    definitions: { type: 'boolean', default: false },
  },
});
const first = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const stores = await storesOf(values.store as StoreName);
const began = Date.now();
let [runs, operations, events, violations] = [0, 0, 0, 0];
for (let i = 0; i < Number(values.runs) && Date.now() - began < Number(values.most) * 1000; i++) {
  const seed = first + i;
  const [delay, failures] = [Number(values.delay), Number(values.failures)];
  const [seconds, servers, clients] = [values.seconds, values.servers, values.clients].map(Number) as [
    number,
    number,
    number,
  ];
  const world = { seed, seconds, servers, clients };
  const verdict = values.definitions
    ? await runDefinitions(stores, { ...world, delay })
    : await runOnce(stores, { ...world, chaos: { delay, failures }, setsBack: values['set-back'] });
  runs++;
  operations += verdict.operations;
  events += verdict.events;
  violations += verdict.violations.length;
  if (values.json) process.stdout.write(`${JSON.stringify({ seed, ...verdict, statuses: undefined })}\n`);
  else if (!values.quiet || verdict.violations.length > 0) report(seed, verdict);
  if (values.first && violations > 0) break;
}
if (!values.json) {
  process.stdout.write(
    `${values.store}, ${values.servers} servers: ${runs} runs, seeds ${first} to ${first + runs - 1}, ${operations} operations, ${events} events, ${violations} violations\n`,
  );
}
await stores.close();
process.exit(violations === 0 ? 0 : 1);

function report(seed: number, { operations, events, streams, violations, statuses }: Verdict): void {
  process.stdout.write(
    `SEED=${seed}: ${operations} operations, ${events} events, ${streams} watches, ${violations.length} violations\n`,
  );
  if (!values.quiet) process.stdout.write(`  ${[...statuses].map(([key, count]) => `${key}: ${count}`).join(', ')}\n`);
  for (const { check, message } of violations.slice(0, 20)) process.stdout.write(`  ${check}: ${message}\n`);
}
