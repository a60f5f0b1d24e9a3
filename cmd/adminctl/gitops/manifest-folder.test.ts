import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Writable } from './exported.js';
import { plural, writeManifests } from './manifest-folder.js';

describe('a folder of manifests', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'manifests-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const object = (name: string, title = name, namespace?: string): Writable => ({
    apiVersion: 'folder.svc.app/v1beta1',
    kind: 'Folder',
    metadata: { name, namespace },
    spec: { title },
  });
  const files = (): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .toSorted();
  const ops = (): string => join(folder, 'folders', 'ops.yaml');

  it('has a file for each object, below its kind and its namespace, and stays the same at the second run', () => {
    const objects = [object('ops'), object('OPS'), object('ops', 'Other', 'second'), object('x', 'X', '..')];
    expect(writeManifests(folder, objects)).to.deep.equal({ created: 4, changed: 0, unchanged: 0, stale: [] });
    expect(files().filter((name) => !name.includes('-'))).to.deep.equal([
      '%2e./folders/x.yaml',
      'folders/OPS.yaml',
      'second/folders/ops.yaml',
    ]);
    expect(readFileSync(join(folder, 'second', 'folders', 'ops.yaml'), 'utf8')).to.equal(
      'apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata:\n  name: ops\n  namespace: second\nspec:\n  title: Other\n',
    );
    const [before, record] = [files(), readFileSync(join(folder, '.adminctl-import'), 'utf8')];
    expect(writeManifests(folder, objects.toReversed()).unchanged).to.equal(4);
    expect([files(), readFileSync(join(folder, '.adminctl-import'), 'utf8')]).to.deep.equal([before, record]);
  });

  it('changes the files that it made, and says which of them have no object any more', () => {
    writeManifests(folder, [object('ops'), object('old')]);
    const changed = { created: 0, changed: 1, unchanged: 0, stale: ['folders/old.yaml'] };
    expect(writeManifests(folder, [object('ops', 'Operations')], { dryRun: true })).to.deep.equal(changed);
    expect(readFileSync(ops(), 'utf8')).to.contain('title: ops');
    expect(writeManifests(folder, [object('ops', 'Operations')])).to.deep.equal(changed);
    expect(readFileSync(ops(), 'utf8')).to.contain('title: Operations');
  });

  it('writes nothing over what somebody else made or changed, unless asked to', () => {
    mkdirSync(join(folder, 'folders'));
    writeFileSync(ops(), 'mine');
    const write = () => writeManifests(folder, [object('ops'), object('new')]);
    expect(write).to.throw(/ops\.yaml: no import made these files, or somebody has changed them since\. Nothing was/);
    expect(files()).to.deep.equal(['folders/ops.yaml']);
    writeManifests(folder, [object('ops')], { overwrite: true });
    writeFileSync(ops(), `${readFileSync(ops(), 'utf8')}# mine\n`);
    expect(() => writeManifests(folder, [object('ops', 'Operations')])).to.throw('ops.yaml: no import made');
    rmSync(join(folder, '.adminctl-import'));
    expect(() => writeManifests(folder, [object('ops')])).to.throw('ops.yaml: no import made');
  });

  it('takes files with the same text as its own, such as those of an export', () => {
    writeManifests(folder, [object('ops')]);
    rmSync(join(folder, '.adminctl-import'));
    expect(writeManifests(folder, [object('ops')]).unchanged).to.equal(1);
  });

  it('follows no links, and no names in the record that lead out of the folder', () => {
    symlinkSync(tmpdir(), join(folder, 'folders'));
    expect(() => writeManifests(folder, [object('ops')])).to.throw('is a link');
    rmSync(join(folder, 'folders'));
    writeFileSync(join(folder, '.adminctl-import'), `${'0'.repeat(64)}  ../../etc/passwd\n`);
    expect(writeManifests(folder, [object('ops')]).stale).to.deep.equal([]);
  });

  it('has the plurals of the kinds', () => {
    const kinds = ['Folder', 'TeamBinding', 'Stars', 'Preferences', 'QueryHistory'];
    expect(kinds.map(plural)).to.deep.equal(['folders', 'teambindings', 'stars', 'preferences', 'queryhistories']);
  });
});
