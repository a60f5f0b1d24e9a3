import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { replaceFile } from './replace-file.js';

describe('replaceFile', () => {
  let root = '';
  const at = (name: string): string => join(root, name);
  const write = (): Promise<void> => replaceFile(at('file'), (file) => file.writeFile('new'));

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'apiserver-replace-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  // Promise: security tools
  it('does not write through a link, and takes its place', async () => {
    writeFileSync(at('target'), 'old');
    symlinkSync(at('target'), at('file'));
    await write();
    expect(readFileSync(at('target'), 'utf8')).to.equal('old');
    expect([lstatSync(at('file')).isFile(), readFileSync(at('file'), 'utf8')]).to.deep.equal([true, 'new']);
  });

  // Promise: security tools
  it('gives no rights to those who could read the file before', async () => {
    writeFileSync(at('file'), 'old');
    chmodSync(at('file'), 0o666);
    await write();
    expect(statSync(at('file')).mode & 0o777).to.equal(0o600);
  });

  it('leaves what was there, and nothing else, if it fails', async () => {
    writeFileSync(at('file'), 'old');
    const failure = await replaceFile(at('file'), async () => {
      throw new Error('no more');
    }).catch(String);
    expect(failure).to.equal('Error: no more');
    expect([readdirSync(root), readFileSync(at('file'), 'utf8')]).to.deep.equal([['file'], 'old']);
  });
});
