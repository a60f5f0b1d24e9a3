/**
 * Mutation testing of an area, or of some of its files: changes the code in many small ways, and prints which changes
 * no test notices.
 *
 *     npx tsx hack/mutate/main.ts selectors
 *     npx tsx hack/mutate/main.ts state storage/state/tuple.ts
 *     npx tsx hack/mutate/main.ts state storage/state/tuple.ts:20-40 --concurrency 1
 *     npx tsx hack/mutate/main.ts strategies --sample 4 --seed 7        # four files at random
 *     npx tsx hack/mutate/main.ts registry --share 10 --seed 7 --keep r.json  # a tenth of the mutants at random
 *     npx tsx hack/mutate/main.ts registry --survivors r.json --tests 'test/access/*.test.ts'  # other tests, on what survived before
 */
import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type ReplicaSet, startReplicaSet } from '../mongod/replica-set.js';
import { AREAS } from './areas.js';
import { type Accepted, render, survivingKeys, survivorsOf } from './report.js';
import { sample } from './sample.js';
import { mutate, type Results } from './stryker.js';
import { makeWorkspace } from './workspace.js';

const root = new URL('../../', import.meta.url).pathname;
const option = { type: 'string' } as const;
const options = {
  sample: option,
  share: option,
  seed: option,
  concurrency: option,
  tests: option,
  keep: option,
  survivors: option,
};
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [name = '', ...files] = positionals;
const area = AREAS[name];
if (area === undefined) throw new Error(`Name an area: ${Object.keys(AREAS).join(', ')}.`);

const tracked = execFileSync('git', ['ls-files', '--', ...area.mutate.map((glob) => `:(glob)${glob}`)], {
  cwd: root,
  encoding: 'utf8',
});
const all = (files.length > 0 ? files : tracked.split('\n')).filter(
  (file) => /(?<!\.test)\.ts(:\d+-\d+)?$/.test(file) && !file.includes('/testing/'),
);
const seed = Number(values.seed ?? Date.now() % 100_000);
const chosen = values.sample === undefined ? all : sample(all, Number(values.sample), seed);
const share = Number(values.share ?? 100);
process.stdout.write(`${chosen.length} of ${all.length} files, ${share} % of their mutants, seed ${seed}\n`);

const before = values.survivors === undefined ? undefined : await readJson<Results>(values.survivors);
const only = before === undefined ? undefined : survivingKeys(before);
const tests = values.tests?.split(',') ?? area.tests;
const workspace = await makeWorkspace(root);
const mongodb = await ownMongodb(area.store);
try {
  const run = { choice: { share, seed, only }, concurrency: Number(values.concurrency ?? 2) };
  const results = await mutate(workspace, { ...area, tests, mutate: chosen }, run);
  if (values.keep !== undefined) await writeFile(values.keep, JSON.stringify(results));
  const accepted = await readJson<readonly Accepted[]>(`${root}test/mutation/accepted.json`);
  process.stdout.write(`\n${render(results, survivorsOf(results, accepted))}\n`);
} finally {
  await mongodb?.stop();
  await rm(dirname(workspace.folder), { recursive: true });
}

/**
 * Mocha runs once for each mutant in a process, and the MongoDB that the tests start ends with the first of these runs.
 * The tests of all other mutants would fail, which would count as noticed. So one runs for all of them.
 */
async function ownMongodb(store: string | undefined): Promise<ReplicaSet | undefined> {
  if (store !== 'mongodb' || process.env['MONGODB_URI']) return undefined;
  const set = await startReplicaSet({ members: 1 });
  process.env['MONGODB_URI'] = set.uri;
  return set;
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}
