import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect } from 'chai';
import { lexer, type Tokens, walkTokens } from 'marked';

const ROOT = join(import.meta.dirname, '..', '..');
/** The most words that a reader has to face. `docs/reference` is made from the code, and to look up. */
const WORDS = { docs: 45_000, 'ARCHITECTURE.md': 2_500 };

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const wordsOf = (path: string): number => read(path).trim().split(/\s+/).length;

/** The addresses of the headings of a page, as GitHub makes them. */
function addressesOf(page: string): ReadonlySet<string> {
  const found = new Set<string>();
  walkTokens(lexer(read(page)), (token) => {
    if (token.type !== 'heading') return;
    const words = (token as Tokens.Heading).text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const address = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let free = address;
    for (let i = 1; found.has(free); i++) free = `${address}-${i}`;
    found.add(free);
  });
  return found;
}

/** The links of a page to sections that do not exist. */
function lostLinks(page: string): readonly string[] {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
  return links
    .map(([, path = '', address = '']) => ({ to: path === '' ? page : normalize(join(page, '..', path)), address }))
    .filter(({ to, address }) => to.endsWith('.md') && !addressesOf(to).has(address))
    .map(({ to, address }) => `${to}#${address}`);
}

describe('the sections of the documents', () => {
  it('are there if a page links to them', () => {
    const lost = pages.flatMap((page) => lostLinks(page).map((link) => `${page}: ${link}`));
    expect(lost).to.deep.equal([]);
  });

  it('have few enough words to be read', () => {
    const docs = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/reference/'));
    expect(docs.reduce((sum, page) => sum + wordsOf(page), 0)).to.be.at.most(WORDS.docs);
    expect(wordsOf('ARCHITECTURE.md')).to.be.at.most(WORDS['ARCHITECTURE.md']);
  });
});
