/**
 * Prints the accepted mutants whose text is not in their file any more, because the code was changed. Each needs the
 * text of now, or goes with the code.
 *
 *     npx tsx hack/mutate/stale.ts
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Accepted, inOneLine } from './report.js';

const ROOT = join(import.meta.dirname, '../..');
const accepted: readonly Accepted[] = JSON.parse(readFileSync(join(ROOT, 'test/mutation/accepted.json'), 'utf8'));

/** The text of a file as entries have it. Empty if there is no such file. */
function textOf(file: string): string {
  const path = join(ROOT, file);
  return existsSync(path) ? inOneLine(readFileSync(path, 'utf8').split('\n')) : '';
}

for (const { file, from, to, why } of accepted)
  if (!textOf(file).includes(from)) process.stdout.write(`${file}: ${from} => ${to}\n    ${why}\n`);
