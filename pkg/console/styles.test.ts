import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('client/', import.meta.url));
/** The styles that all pages share. Pages may change them below a class of their own. */
const SHARED = /^style\//;

/** The classes with which the selectors of a file begin. */
function classesIn(file: string): ReadonlySet<string> {
  const text = readFileSync(`${ROOT}${file}`, 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  return new Set([...text.matchAll(/^\s*\.([\w-]+)[^;]*?[,{]$/gm)].map(([, name = '']) => name));
}

describe('the styles of the console', () => {
  it('do not change each other: no class belongs to two pages', () => {
    const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
    const shared = new Set(files.filter((file) => SHARED.test(file)).flatMap((file) => [...classesIn(file)]));
    const owners = new Map<string, string[]>();
    for (const file of files.filter((one) => !SHARED.test(one)))
      for (const name of classesIn(file)) if (!shared.has(name)) owners.set(name, [...(owners.get(name) ?? []), file]);
    expect([...owners].filter(([, all]) => all.length > 1)).to.deep.equal([]);
    expect(owners.size).to.be.greaterThan(100);
  });
});
