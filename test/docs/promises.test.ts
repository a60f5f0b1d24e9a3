import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { allPromises, PROMISING, promisesIn, sectionsOf } from '../../hack/promises.js';

const ROOT = join(import.meta.dirname, '..', '..');
const promises = allPromises();
const sections = (page: string) => sectionsOf(readFileSync(join(ROOT, PROMISING[page] ?? page), 'utf8'));

describe('the promises of the documents', () => {
  it('are each beside a test', () => {
    expect(promises.filter(({ title }) => title === '')).to.deep.equal([]);
  });

  it('are each of a section that a page has', () => {
    const known = new Set(
      Object.keys(PROMISING).flatMap((page) => [...sections(page).keys()].map((section) => `${page} ${section}`)),
    );
    expect(promises.filter(({ page, section }) => !known.has(`${page} ${section}`))).to.deep.equal([]);
  });

  for (const page of Object.keys(PROMISING)) {
    it(`are held by a test in each numbered section of the page "${page}"`, () => {
      const held = promises.filter((one) => one.page === page).map(({ section }) => section);
      const numbers = [...sections(page).keys()].filter((number) => /^\d/.test(number));
      const isHeld = (number: string) => held.some((one) => one === number || one.startsWith(`${number}.`));
      expect(numbers.filter((number) => !isHeld(number))).to.deep.equal([]);
      expect(held.length, 'tests').to.be.greaterThan(150);
    });
  }

  it('are read with the title of the test, also behind a loop, on a line of its own, and in a table', () => {
    const source = [
      '  // Promise: contract 5.2, specification 4.3',
      "  it('refuses another name', () => {",
      '  // Promise: contract 6',
      "  for (const code of ['a', 'b'])",
      '    // biome-ignore lint/x: y',
      '    it(`answers all`, async () => {',
      '  // Promise: security rights',
      '  TestThis:',
      "    'a deletion is watched',",
      '// Promise: specification 5',
      'export const permissions: Examples = {',
      '// Promise: contract 9',
      'const x = 1;',
    ].join('\n');
    expect(
      promisesIn('a.ts', source).map(({ page, section, line, title }) => [page, section, line, title]),
    ).to.deep.equal([
      ['contract', '5.2', 2, 'refuses another name'],
      ['specification', '4.3', 2, 'refuses another name'],
      ['contract', '6', 4, 'answers all'],
      ['security', 'rights', 8, 'a deletion is watched'],
      ['specification', '5', 11, 'the table permissions'],
      ['contract', '9', 13, ''],
    ]);
  });

  it('are of sections that headings and rows of a table name', () => {
    const page =
      '# Page\n\n## 5. Writes\n\n### 5.2 Update (PUT)\n\n| nr  | line |\n| 4.5 | A row |\n\n### Work and memory\n';
    expect([...sectionsOf(page)]).to.deep.equal([
      ['page', 'Page'],
      ['5', 'Writes'],
      ['5.2', 'Update (PUT)'],
      ['4.5', 'A row'],
      ['work', 'Work and memory'],
    ]);
  });
});
