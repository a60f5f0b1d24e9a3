/**
 * Records the results of Kubernetes' field management for random sequences of writes, for machines without Go:
 *
 *     npx tsx test/fieldmanager/record.ts 48 104 36 && npx biome format --write test/fieldmanager
 *     npx tsx test/fieldmanager/record.ts structural SEED SEED && npx biome format --write test/fieldmanager
 *
 * The numbers are seeds. Together, the recorded ones reach several times every line of pkg/kube/fieldmanager that
 * random sequences reach. With `structural`, the objects are custom ones, and the seeds reach every line of
 * pkg/kube/structural/field-type.ts.
 */
import { writeFile } from 'node:fs/promises';
import { goProgram, removeGoProgram } from '../../hack/go-programs.js';
import { ReferenceProgram } from '../harness/reference-program.js';
import { resultsOf, structuralResultsOf } from './reference.js';
import { type Result, randomSequence } from './sequences.js';
import { randomStructuralSequence } from './structural-sequences.js';

type Answers = readonly (readonly Result[])[];

const [mode = '', ...others] = process.argv.slice(2);
const isStructural = mode === 'structural';
const seeds = (isStructural ? others : [mode, ...others]).map(Number);
const program = await goProgram('fieldmanager');
const reference = new ReferenceProgram(program);
if (isStructural) await recordStructural();
else await recordTypes();
reference.stop();
await removeGoProgram(program);

async function recordTypes(): Promise<void> {
  const sequences = seeds.map(randomSequence);
  const answers: Answers = await resultsOf(reference, sequences);
  const recorded = sequences.map(({ schema, writes }, i) => ({ seed: seeds[i], schema, writes, results: answers[i] }));
  await write('recorded.json', recorded);
}

async function recordStructural(): Promise<void> {
  const sequences = seeds.map(randomStructuralSequence);
  const answers: Answers = await structuralResultsOf(reference, sequences);
  const recorded = sequences.map(({ structural, writes }, i) => ({
    seed: seeds[i],
    structural,
    writes,
    results: answers[i],
  }));
  await write('recorded-structural.json', recorded);
}

async function write(file: string, recorded: readonly object[]): Promise<void> {
  const lines = recorded.map((one) => JSON.stringify(one)).join(',\n');
  await writeFile(new URL(file, import.meta.url), `[\n${lines}\n]\n`);
}
