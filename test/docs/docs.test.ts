import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ACCESS, kinds } from '../../apis/kinds.js';
import { withKinds } from '../../hack/kinds-table.js';
import { ENVIRONMENT } from '../harness/server.js';

const ROOT = join(import.meta.dirname, '..', '..');
const CONTRACT = 'docs/wire-contract.md';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
const pages = tracked.filter((path) => path.endsWith('.md'));
const sources = tracked.filter(
  (path) => /\.(ts|sh|cjs)$/.test(path) && !path.startsWith('test/docs/') && existsSync(join(ROOT, path)),
);

/** The path of a cited file. The pages cite tests without `test/`. */
function pathOf(cited: string): string {
  return existsSync(join(ROOT, cited)) ? cited : `test/${cited}`;
}

/** The cited decisions that do not exist. They are cited by number: `docs/adr/0011`. */
function missingDecisions(text: string): readonly string[] {
  const cited = [...text.matchAll(/docs\/adr\/\d{4}/g)].map(([number]) => number);
  return cited.filter((number) => !pages.some((page) => page.startsWith(`${number}-`)));
}

/** The file paths in code spans. They contain a slash and have an extension of files of this repository. */
function citedFiles(text: string): readonly string[] {
  return [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|md|sh|json|yaml))`/g)].map(([, path = '']) => path);
}

interface CitedTest {
  readonly file: string;
  readonly name: string;
}

/** The tests that a page cites by file and title. */
function citedTests(text: string): readonly CitedTest[] {
  return [...text.matchAll(/`([^`]+\.ts)` "([^"]+)"/g)].map(([, file = '', name = '']) => ({ file, name }));
}

/** The source of a cited test, with unescaped quotes in names. */
function sourceOf(file: string): string {
  return read(pathOf(file)).replaceAll("\\'", "'");
}

/** Whether a source contains a cited name. `…` stands for any text. */
function hasName(source: string, name: string): boolean {
  let at = 0;
  return name.split('…').every((part) => {
    const found = source.indexOf(part.trim(), at);
    at = found + part.trim().length;
    return found >= 0;
  });
}

describe('documents', () => {
  for (const page of pages) {
    it(`${page} refers only to files and decisions that exist`, () => {
      const text = read(page);
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => join(dirname(page), path));
      const missing = [...links, ...citedFiles(text)].filter((path) => !existsSync(join(ROOT, pathOf(path))));
      expect([...missing, ...missingDecisions(text)]).to.deep.equal([]);
    });
  }

  for (const page of pages.filter((path) => /^docs\/[^/]+(?:\/[^/]+)?\.md$/.test(path) && !/\/\d{4}-/.test(path))) {
    it(`${page} says at its beginning what one can do with it, and in how many minutes`, () => {
      const [, opening = ''] = read(page)
        .replaceAll(/<!--.*-->/g, '')
        .split(/\n(?:\s*\n)+/);
      expect(opening).to.match(/^(?:After|With) this page you .*\bminutes?\b/s);
    });
  }

  it('docs/api.md has the kinds as they are defined', () => {
    const text = read('docs/api.md');
    expect(text, 'run `npx tsx hack/kinds-table.ts`').to.equal(withKinds(text));
  });

  it('docs/permissions.md has every action that an administrator of an organization has, with its scope', () => {
    const rows = read('docs/permissions.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const missing = (ACCESS.roles['Admin'] ?? []).filter(({ action, scope }) => {
      const end = action.lastIndexOf(':');
      const parts = [action.slice(0, end), action.slice(end + 1), ...(scope ? [scope] : [])];
      return !rows.some((row) => parts.every((part) => row.includes(`\`${part}\``)));
    });
    expect(missing).to.deep.equal([]);
  });

  it('docs/api.md names every kind that is served', () => {
    const text = read('docs/api.md');
    const missing = kinds(ENVIRONMENT).filter(({ kind, served }) => served && !new RegExp(`\\b${kind}\\b`).test(text));
    expect(missing.map(({ kind }) => kind)).to.deep.equal([]);
  });

  it('cite only tests that exist', () => {
    const cited = pages.flatMap((page) => citedTests(read(page)));
    expect(cited.filter(({ file, name }) => !hasName(sourceOf(file), name))).to.deep.equal([]);
    expect(cited).to.not.deep.equal([]);
  });

  it('are cited in comments by sections and numbers that exist', () => {
    const headings = read(CONTRACT).match(/^#+ [\d.]+|^\| \d+\.\d+|, \d+\.\d+ /gm) ?? [];
    const sections = new Set(headings.map((heading) => heading.replaceAll(/[^\d.]/g, '').replace(/\.$/, '')));
    const wrong = sources.flatMap((path) => {
      const text = read(path);
      const cites = [...text.matchAll(/docs\/wire-contract\.md, sections? ((?:\d+(?:\.\d+)?(?:, )?)+)/g)];
      const missing = cites.flatMap(([, numbers = '']) => numbers.split(', ')).filter((one) => !sections.has(one));
      const outside = [...text.matchAll(/\((?:the )?wire contract\b[^)]*\)|\bDESIGN\b/g)].map(([cite]) => cite);
      return [...missing, ...missingDecisions(text), ...outside].map((what) => `${path}: ${what}`);
    });
    expect(wrong).to.deep.equal([]);
  });
});
