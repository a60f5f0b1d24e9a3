import { chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { giveFileToOwnerOf, giveToOwnerOf } from './owner.js';

/** Some user who is not root. */
const OTHER = 65_534;

describe('what root makes beside files of another user', () => {
  let root = '';
  let folder = '';

  beforeEach(function asRoot() {
    if (process.geteuid?.() !== 0) this.skip();
    root = mkdtempSync(join(tmpdir(), 'apiserver-owner-'));
    folder = join(root, 'of-other');
    mkdirSync(folder);
    chownSync(folder, OTHER, OTHER);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('becomes theirs', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    giveToOwnerOf(folder, path);
    expect(statSync(path).uid).to.equal(OTHER);
    const file = await open(join(folder, 'open'), 'wx', 0o600);
    await giveFileToOwnerOf(folder, join(folder, 'open'), file);
    expect((await file.stat()).uid).to.equal(OTHER);
    await file.close();
  });

  // Promise: security tools
  it('stays with root if they put a link in its place', () => {
    const target = join(root, 'of-root');
    writeFileSync(target, 'secret');
    symlinkSync(target, join(folder, 'file'));
    giveToOwnerOf(folder, join(folder, 'file'));
    expect([statSync(target).uid, lstatSync(join(folder, 'file')).uid]).to.deep.equal([0, OTHER]);
  });
});
