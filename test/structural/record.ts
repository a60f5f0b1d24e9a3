/**
 * Records the answers of Kubernetes for random values and schemas, for machines without Go:
 *
 *     npx tsx test/structural/record.ts 300
 *
 * The argument is the number of cases. Their seeds begin with 1. Large cases are left out.
 */
import { writeFile } from 'node:fs/promises';
import { goProgram, removeGoProgram } from '../../hack/go-programs.js';
import { ReferenceProgram } from '../harness/reference-program.js';
import type { Answer } from './answers.js';
import { randomCase } from './cases.js';

/** The most characters of a case with its answer. */
const MOST = 1900;

const count = Number(process.argv[2] ?? 300);
const seeds = Array.from({ length: count * 4 }, (_, i) => i + 1);
const cases = seeds.map(randomCase);
const program = await goProgram('structural');
const reference = new ReferenceProgram(program);
const answers = await reference.ask<Answer>(cases);
reference.stop();
await removeGoProgram(program);
const lines = cases.map((one, i) => JSON.stringify({ seed: seeds[i], ...one, answer: answers[i] }));
const small = lines.filter((line) => line.length <= MOST).slice(0, count);
await writeFile(new URL('recorded.jsonl', import.meta.url), `${small.join('\n')}\n`);
