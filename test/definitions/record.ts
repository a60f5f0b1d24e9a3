/**
 * Records the answers of Kubernetes about definitions, for machines without Go:
 *
 *     (cd test && go build -o /tmp/definitions ./definitions/go)
 *     npx tsx test/definitions/record.ts /tmp/definitions && npx biome format --write test/definitions
 */
import { writeFile } from 'node:fs/promises';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import { ReferenceProgram } from '../harness/reference-program.js';
import { cases } from './cases.js';

interface Answer {
  readonly undecoded?: string;
  readonly panicked?: boolean;
  readonly causes?: readonly StatusCause[];
}

const [program = ''] = process.argv.slice(2);
const reference = new ReferenceProgram(program);
const questions = cases();
const answers = await reference.ask<Answer>(questions);
reference.stop();
const lines = questions.flatMap((question, i) => {
  const { undecoded, panicked, causes = [] } = answers[i] ?? {};
  // A case in which the code of Kubernetes panics has no answer to record.
  if (panicked === true) return [];
  return [JSON.stringify({ ...question, ...(undecoded === undefined ? { causes } : { undecoded: true }) })];
});
await writeFile(new URL('recorded.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
