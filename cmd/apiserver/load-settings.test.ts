import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isInstalled, loadSettings } from './load-settings.js';

describe('the settings of a program', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'settings-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  // Promise: security tools
  it('come with a warning if they are a file with secrets that all users may read', () => {
    const file = join(root, 'settings.ini');
    const warned = (text: string, mode: number): readonly string[] => {
      writeFileSync(file, text);
      chmodSync(file, mode);
      return loadSettings([`--config=${file}`], {}).warnings;
    };
    const secret = '[security]\nadmin_password = hidden-one\n';
    expect(warned(secret, 0o644)).to.deep.equal([
      `All users of this machine may read ${file}, which has secrets: chmod o-r ${file}`,
    ]);
    expect(warned(secret, 0o640)).to.deep.equal([]);
    expect(warned(`[security]\nadmin_password__FILE = ${file}\nmin_password_length = 8\n`, 0o644)).to.deep.equal([]);
    expect(warned('[storage]\nbackend = mongodb\nmongodb_uri = mongodb://me:hidden@db\n', 0o644)).to.have.length(1);
  });

  it('are those of an installed program only if npm has installed it', () => {
    expect(isInstalled('/usr/lib/node_modules/dashboard-apiserver/dist/lib/chunk.js')).to.equal(true);
    expect(isInstalled('/home/ada/dashboard-apiserver/cmd/apiserver/load-settings.ts')).to.equal(false);
  });
});
