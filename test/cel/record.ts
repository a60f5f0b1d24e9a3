/**
 * Records the answers of Kubernetes to the rules of `cases.ts`, for machines without Go:
 *
 *     npx tsx test/cel/record.ts && npx biome format --write test/cel
 */
import { writeFile } from 'node:fs/promises';
import { goProgram, removeGoProgram } from '../../hack/go-programs.js';
import { ReferenceProgram } from '../harness/reference-program.js';
import { CASES } from './cases.js';
import { comparable, nameOf, type RuleAnswer } from './reference.js';

const given = process.argv[2]; // a program that is already built
const program = given ?? (await goProgram('cel'));
const reference = new ReferenceProgram(program);
const answers = await reference.ask<RuleAnswer>(CASES);
reference.stop();
if (given === undefined) await removeGoProgram(program);
const lines = CASES.map((one, i) =>
  JSON.stringify({ name: nameOf(one), ...comparable(answers[i] ?? { definition: null }) }),
);
await writeFile(new URL('recorded.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
