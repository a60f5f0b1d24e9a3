/**
 * Records what the field management of Kubernetes makes of random sequences of writes, for tests that have no Go:
 *
 *     npx tsx test/fieldmanager/record.ts 48 104 36 && npx biome format --write test/fieldmanager
 *
 * The numbers are seeds. Those that are recorded together reach every line of pkg/fieldmanager that random sequences reach, several times.
 */
import { writeFile } from 'node:fs/promises';
import { goProgram, removeGoProgram } from '../../hack/go-programs.js';
import { ReferenceProgram } from '../harness/reference-program.js';
import { resultsOf } from './reference.js';
import { randomSequence } from './sequences.js';

const seeds = process.argv.slice(2).map(Number);
const sequences = seeds.map(randomSequence);
const program = await goProgram('fieldmanager');
const reference = new ReferenceProgram(program);
const answers = await resultsOf(reference, sequences);
reference.stop();
await removeGoProgram(program);
const recorded = sequences.map(({ schema, writes }, i) => ({ seed: seeds[i], schema, writes, results: answers[i] }));
const lines = recorded.map((one) => JSON.stringify(one)).join(',\n');
await writeFile(new URL('recorded.json', import.meta.url), `[\n${lines}\n]\n`);
