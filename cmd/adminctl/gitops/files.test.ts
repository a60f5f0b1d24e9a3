import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ExportFolder } from './files.js';
import { servedKinds } from './kinds.js';

describe('the files of an export', () => {
  let root = '';
  const at = (...path: readonly string[]): string => join(root, ...path);
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'export-'));
    mkdirSync(at('repository'));
    mkdirSync(at('home'));
    writeFileSync(at('home', 'profile.yaml'), 'of the user');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  // Promise: security tools
  it('are not written through a link that a repository of somebody else has', () => {
    mkdirSync(at('repository', 'folders'));
    symlinkSync(at('home', 'profile.yaml'), at('repository', 'folders', 'ops.yaml'));
    const folder = new ExportFolder(at('repository', 'folders'));
    expect(() => folder.write('ops', 'text')).to.throw('folders/ops.yaml is a link. Remove it');
    expect(readFileSync(at('home', 'profile.yaml'), 'utf8')).to.equal('of the user');
  });

  // Promise: security tools
  it('are not written to, or removed from, a folder that is a link', () => {
    symlinkSync(at('home'), at('repository', 'folders'));
    expect(() => new ExportFolder(at('repository', 'folders'))).to.throw('repository/folders is a link. Remove it');
    expect(readdirSync(at('home'))).to.deep.equal(['profile.yaml']);
  });

  it('are refused below a file, with its name', () => {
    const path = at('home', 'profile.yaml', 'folders');
    expect(() => new ExportFolder(path)).to.throw(`${path} cannot be written: ENOTDIR`);
  });

  // Promise: security tools
  it('are in folders that a server cannot choose', async () => {
    const resource = {
      resource: '../../home',
      responseKind: { kind: 'Folder' },
      scope: 'Namespaced',
      verbs: ['list', 'create'],
    };
    const items = [{ metadata: { name: 'iam.svc.app' }, versions: [{ version: 'v1', resources: [resource] }] }];
    const connection = { ask: async () => ({ items }), close: () => undefined };
    expect(await servedKinds(connection).then(String, String)).to.contain('Invalid string');
  });
});
