/**
 * Writes the list of kinds in docs/api.md, which is made from their definitions.
 *   npx tsx hack/kinds-table.ts
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kinds } from '../apis/kinds.js';
import { environmentWith } from '../apis/test-environment.js';
import { cell } from './markdown-table.js';

const PAGE = join(import.meta.dirname, '../docs/api.md');
const BEGIN = '<!-- Made by hack/kinds-table.ts from the definitions of the kinds. Change it there. -->';
const END = '<!-- The end of what is made. -->';

/** The page with the kinds as they are defined now. */
export function withKinds(page: string): string {
  const [before, rest = ''] = page.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`docs/api.md must have the lines ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n\n${kindsList()}\n\n${END}${after}`;
}

/** A description begins with the name of its kind. */
function kindsList(): string {
  return kinds(environmentWith())
    .filter(({ served }) => served)
    .map(({ group, description }) => `- ${cell(description)} (${group === '' ? 'core' : `\`${group}\``})`)
    .join('\n');
}

if (import.meta.filename === process.argv[1]) await writeFile(PAGE, withKinds(await readFile(PAGE, 'utf8')));
