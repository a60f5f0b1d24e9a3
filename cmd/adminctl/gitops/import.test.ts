import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { type Manifest, manifestsOf } from './documents.js';
import { importFrom } from './import.js';
import { parseImport } from './import-options.js';

describe('adminctl import', () => {
  let folder = '';
  let [out, err] = ['', ''];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'import-'));
    [out, err] = ['', ''];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The manifests of files with these values. */
  function imported(values: readonly unknown[], ...flags: string[]): readonly Manifest[] {
    const files = values.map((_, i) => join(folder, `${i}.json`));
    for (const [i, file] of files.entries()) writeFileSync(file, JSON.stringify(values[i]));
    run([...files, ...flags]);
    return manifestsOf(out, 'out').map(({ manifest }) => manifest);
  }
  function run(argv: readonly string[]): void {
    const write = (add: (text: string) => void) =>
      new Writable({
        decodeStrings: false,
        write: (text, _, done) => {
          add(text);
          done();
        },
      });
    importFrom(parseImport(argv), {
      out: write((text) => (out += text)),
      err: write((text) => (err += text)),
      env: {},
    });
  }
  const wrong =
    (...values: readonly unknown[]) =>
    () =>
      imported(values);

  it('makes a manifest of what a user interface saves: the uid is the name, and id and version are left out', () => {
    const saved = { id: 7, uid: 'rYdddlPWk', version: 12, title: 'Nodes', tags: ['ops'], panels: [{ id: 1 }] };
    expect(imported([saved], '--folder=ops')).to.deep.equal([
      {
        apiVersion: 'dashboard.svc.app/v1beta1',
        kind: 'Dashboard',
        metadata: { name: 'rYdddlPWk', annotations: { 'svc.app/folder': 'ops' } },
        spec: { title: 'Nodes', tags: ['ops'], panels: [{ id: 1 }] },
      },
    ]);
  });

  it('makes a name from the title, if there is no uid', () => {
    const titles = ['Node Exporter: Full (v2)', 'x'.repeat(60)];
    const names = imported(titles.map((title) => ({ title, uid: null }))).map(({ metadata: { name } }) => name);
    expect(names).to.deep.equal(['node-exporter-full-v2', 'x'.repeat(40)]);
  });

  it('takes lists and answers of the legacy API, with the folder that they name', () => {
    const answer = (uid: string, folderUid: string) => ({ dashboard: { uid, title: uid }, meta: { folderUid } });
    const found = imported([[answer('a', 'ops'), answer('b', '')], { uid: 'c', title: 'C' }], '--domain=example.com');
    expect(found.map(({ apiVersion, metadata }) => [apiVersion, metadata])).to.deep.equal([
      ['dashboard.example.com/v1beta1', { name: 'a', annotations: { 'example.com/folder': 'ops' } }],
      ['dashboard.example.com/v1beta1', { name: 'b' }],
      ['dashboard.example.com/v1beta1', { name: 'c' }],
    ]);
  });

  it('takes objects of the resource API, one or a list as kubectl prints it', () => {
    const object = (name: string, annotations = {}) => ({
      apiVersion: 'dashboard.example.com/v1beta1',
      kind: 'Dashboard',
      metadata: { name, uid: 'generated', annotations },
      spec: { title: name, panels: [] },
    });
    const items = [object('a', { 'example.com/folder': 'ops' }), object('b')];
    const found = imported([{ kind: 'List', items }, object('c')]);
    expect(found.map(({ metadata, spec }) => [metadata, spec])).to.deep.equal([
      [
        { name: 'a', annotations: { 'svc.app/folder': 'ops' } },
        { title: 'a', panels: [] },
      ],
      [{ name: 'b' }, { title: 'b', panels: [] }],
      [{ name: 'c' }, { title: 'c', panels: [] }],
    ]);
  });

  it('warns of placeholders that it does not replace', () => {
    imported([{ title: 'T', __inputs: [{ name: 'DS_PROMETHEUS' }] }]);
    expect(err).to.match(/0\.json has __inputs\. Replace its placeholders, such as \$\{DS_PROMETHEUS}\.\n$/);
  });

  it('prints nothing if one file is wrong, and names it', () => {
    const good = { uid: 'a', title: 'A' };
    expect(wrong(good, { panels: [] })).to.throw(/1\.json: this is no dashboard: it has no title/);
    expect(wrong(good, [good])).to.throw(/0\.json and .*1\.json, item 1 have the same name a\. Set another uid\./);
    expect(wrong({ title: '日本' })).to.throw(/0\.json: no name can be made/);
    expect(wrong({ title: 'A', uid: 'a/b' })).to.throw(/letters, digits, "-" and "_"\. Set the uid in the file/);
    expect(() =>
      importFrom(
        parseImport([join(folder, 'none.json')]),
        process.stdout && { out: process.stdout, err: process.stderr, env: {} },
      ),
    ).to.throw('none.json: ENOENT');
    expect(out).to.equal('');
  });

  it('needs a file', () => {
    expect(() => parseImport([])).to.throw('Give a folder or files: adminctl import FOLDER, adminctl import FILE…');
    expect(() => parseImport(['--frog'])).to.throw('--frog');
  });
});
