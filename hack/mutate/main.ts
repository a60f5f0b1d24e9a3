/**
 * Mutation testing of an area, or of some of its files: changes the code in many small ways, and prints which changes no test notices.
 *
 *     npx tsx hack/mutate/main.ts selectors
 *     npx tsx hack/mutate/main.ts storage storage/tuple.ts
 *     npx tsx hack/mutate/main.ts storage storage/tuple.ts:20-40 --concurrency 1
 *     npx tsx hack/mutate/main.ts strategies --sample 4 --seed 7
 */
import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { AREAS } from './areas.js';
import { type Accepted, render, survivorsOf } from './report.js';
import { sample } from './sample.js';
import { mutate } from './stryker.js';
import { makeWorkspace } from './workspace.js';

const root = new URL('../../', import.meta.url).pathname;
const options = { sample: { type: 'string' }, seed: { type: 'string' }, concurrency: { type: 'string' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [name = '', ...files] = positionals;
const area = AREAS[name];
if (area === undefined) throw new Error(`Name an area: ${Object.keys(AREAS).join(', ')}.`);

const tracked = execFileSync('git', ['ls-files', '--', ...area.mutate.map((glob) => `:(glob)${glob}`)], {
  cwd: root,
  encoding: 'utf8',
});
const all = (files.length > 0 ? files : tracked.split('\n')).filter((file) => /(?<!\.test)\.ts(:\d+-\d+)?$/.test(file));
const seed = Number(values.seed ?? Date.now() % 100_000);
const chosen = values.sample === undefined ? all : sample(all, Number(values.sample), seed);
process.stdout.write(`${chosen.length} of ${all.length} files${values.sample === undefined ? '' : `, seed ${seed}`}\n`);

const workspace = await makeWorkspace(root);
try {
  const results = await mutate(workspace, { ...area, mutate: chosen }, Number(values.concurrency ?? 2));
  const accepted = JSON.parse(await readFile(`${root}test/mutation/accepted.json`, 'utf8')) as readonly Accepted[];
  process.stdout.write(`\n${render(results, survivorsOf(results, accepted))}\n`);
} finally {
  await rm(dirname(workspace.folder), { recursive: true });
}
