import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from './make-folder.js';

describe('makeFolder', () => {
  let root = '';
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'apiserver-folder-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('makes all folders that are missing, for their owner only', () => {
    const path = join(root, 'a', 'b', 'c');
    makeFolder(path);
    expect([modeOf(path), modeOf(join(root, 'a'))]).to.deep.equal([0o700, 0o700]);
  });

  it('keeps a folder that is there, also behind a link', () => {
    chmodSync(root, 0o755);
    makeFolder(root);
    expect(modeOf(root)).to.equal(0o755);
    const link = join(root, 'link');
    symlinkSync(root, link);
    makeFolder(link);
    makeFolder(join(link, 'a'));
    expect(statSync(join(root, 'a')).isDirectory()).to.equal(true);
    makeFolder('/');
  });

  it('refuses a path with a file in it', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).to.throw('EEXIST');
    expect(() => makeFolder(join(file, 'a'))).to.throw();
  });

  it('ends where the system lets nobody make folders', function unmade() {
    if (process.platform !== 'linux') this.skip();
    expect(() => makeFolder('/proc/nope/a')).to.throw("mkdir '/proc/nope'");
  });
});
