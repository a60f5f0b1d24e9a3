import { readdirSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect } from 'chai';
import { FAST, REST } from '../../hack/groups.js';
import { ROOT } from '../e2e/process.js';

/** The files that mocha finds (.mocharc.json). */
const FOLDERS = ['cmd', 'pkg', 'apis', 'registry', 'storage', 'test'];

describe('the groups of test files', () => {
  it('have each file once, because a file of two groups would run in none, and a file of none in all', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    ).filter((file) => file.endsWith('.test.ts'));
    expect(files.length).to.be.greaterThan(100);
    const groups = (file: string): readonly string[] => [...FAST, ...REST].filter((group) => matchesGlob(file, group));
    expect(files.filter((file) => groups(file).length !== 1)).to.deep.equal([]);
  });
});
