/**
 * Prints what the documents promise, with the tests that hold it. A comment above a test names the sections:
 *   // Promise: contract 5.2, specification 4.3
 *   npx tsx hack/promises.ts [PAGE [SECTION]]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** The pages, as the comments name them. */
export const PROMISING: Readonly<Record<string, string>> = {
  contract: 'docs/wire-contract.md',
  specification: 'docs/specification.md',
  security: 'docs/security.md',
};

/** One test that holds a section. */
export interface Promised {
  readonly page: string;
  readonly section: string;
  readonly file: string;
  readonly line: number;
  /** Empty if there is no test below the comment. */
  readonly title: string;
}

const TAG = /^\s*\/\/ Promise: (.*)$/;
const TEXT = /(['"`])((?:\\.|(?!\1).)+)\1/;
const TITLE = new RegExp(`\\b(?:it|describe|\\w+Store)\\(${TEXT.source}`);
/** A test may begin with a loop, and its title may be on a line of its own. */
const REACH = 3;

export function promisesIn(file: string, source: string): readonly Promised[] {
  const lines = source.split('\n');
  return lines.flatMap((line, i) => {
    const cited = TAG.exec(line)?.[1]?.split(', ') ?? [];
    return cited.map((one) => {
      const [page = '', section = ''] = one.split(' ');
      return { page, section, file, line: i + 2, title: titleFrom(lines.slice(i + 1)) };
    });
  });
}

/** The title of a test, the name of a case in a table, or the table. */
function titleFrom(lines: readonly string[]): string {
  const code = lines.filter((line) => !line.trim().startsWith('//')).slice(0, REACH);
  const table = /^export const (\w+): /.exec(code[0] ?? '')?.[1];
  if (table !== undefined) return `the table ${table}`;
  for (const pattern of [TITLE, TEXT]) {
    const found = code.map((line) => pattern.exec(line)?.[2]).find((title) => title !== undefined);
    if (found !== undefined) return found;
  }
  return '';
}

/** The sections of a page by name: the numbers of its headings and rows, or the first words of headings without one. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of page.split('\n')) {
    const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
    const [, row, words = ''] = /^\| (\d+\.\d+) +\| ([^|]*)\|/.exec(line) ?? [];
    if (row !== undefined) found.set(row, words.trim());
    else if (heading !== undefined) {
      const [, number = heading.split(/[^\w-]/)[0]?.toLowerCase() ?? ''] = /^(\d+(?:\.\d+)*)/.exec(heading) ?? [];
      found.set(number, heading.replace(/^[\d.]+ /, ''));
    }
  }
  return found;
}

/** All promises of the tracked sources. */
export function allPromises(): readonly Promised[] {
  const files = execFileSync('git', ['grep', '-l', '// Promise: ', '--', '*.ts'], { cwd: ROOT, encoding: 'utf8' });
  return files
    .split('\n')
    .filter((file) => file !== '' && !file.startsWith('hack/') && !file.startsWith('test/docs/'))
    .flatMap((file) => promisesIn(file, readFileSync(join(ROOT, file), 'utf8')));
}

function print(only: string | undefined, section: string | undefined): void {
  const promises = allPromises();
  for (const [page, path] of Object.entries(PROMISING)) {
    if (only !== undefined && only !== page) continue;
    for (const [number, title] of sectionsOf(readFileSync(join(ROOT, path), 'utf8'))) {
      if (section !== undefined && section !== number) continue;
      const tests = promises.filter((one) => one.page === page && one.section === number);
      if (tests.length === 0) continue;
      const rows = tests.map((test) => `  ${test.title}\n    ${test.file}:${test.line}`);
      process.stdout.write(`${page} ${number}: ${title}\n${rows.join('\n')}\n\n`);
    }
  }
}

if (import.meta.filename === process.argv[1]) print(process.argv[2], process.argv[3]);
