import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { writeFrom } from '../../cmd/adminctl/bridge/to-manifests.js';
import { gitOps } from '../gitops/harness.js';
import { bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { bridgeTo, clientOf } from './harness.js';

const QUERY = { refId: 'A', datasourceUid: 'p', relativeTimeRange: { from: 600, to: 0 }, model: { expr: 'up' } };

eachStore('adminctl import --from --to', (target) => {
  const { give, run, source } = bridgeTo(target);
  const git = gitOps(target);
  const gitThere = gitOps(source);
  let folder = '';
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'manifests-'))));
  afterEach(() => rm(folder, { recursive: true }));

  before(async () => {
    await give('POST', '/admin/users', { login: 'ann', email: 'ann@x.example', name: 'Ann', password: 'secret-pass' });
    const [{ id }] = (await give('GET', '/users')).filter((user: { login: string }) => user.login === 'ann');
    await give('PUT', `/admin/users/${id}/permissions`, { isGrafanaAdmin: true });
    const { teamId } = await give('POST', '/teams', { name: 'Ops' });
    await give('POST', `/teams/${teamId}/members`, { userId: id });
    await give('POST', '/folders', { uid: 'shut', title: 'Shut' });
    await give('POST', '/folders', { uid: 'inner', title: 'Inner', parentUid: 'shut' });
    const items = [
      { teamId, permission: 2 },
      { userId: id, permission: 4 },
    ];
    await give('POST', '/folders/shut/permissions', { items });
    for (const [uid, folderUid] of [
      ['root', ''],
      ['deep', 'inner'],
    ])
      await give('POST', '/dashboards/db', { dashboard: { uid, title: uid, panels: [] }, folderUid });
  });

  const write = async (): Promise<{ readonly code: number; readonly out: string }> => {
    let out = '';
    const writer = new Writable({
      write: (chunk, _, done) => {
        out += String(chunk);
        done();
      },
    });
    const client = clientOf(source());
    const options = { to: folder, domain: 'svc.app', overwrite: false, isDryRun: false, hasHistory: false };
    try {
      const code = await writeFrom(client, options, { out: writer, err: writer, env: {} });
      return { code, out };
    } finally {
      client.close();
    }
  };
  const filesOf = async (): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.yaml')).toSorted();

  it('writes manifests without people and without what servers set, and the same at the second run', async () => {
    const { out } = await write();
    expect(out, 'nobody becomes an administrator of a folder').to.not.contain('user ann');
    const files = await filesOf();
    expect(files).to.include.members([
      'dashboards/deep.yaml',
      'dashboards/root.yaml',
      'folders/inner.yaml',
      'folders/shut.yaml',
    ]);
    expect(files.filter((name) => /^(?:users|organization|teambindings|stars)/.test(name))).to.deep.equal([]);
    expect(await readFile(join(folder, 'folders', 'shut.yaml'), 'utf8')).to.equal(
      'apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata:\n  name: shut\n  annotations:\n    svc.app/basic-roles: none\nspec:\n  title: Shut\n',
    );
    const bindings = files.filter((name) => name.startsWith('rolebindings/'));
    expect(bindings.filter((name) => name.includes('.user.'))).to.deep.equal([]);
    expect(bindings.filter((name) => name.startsWith('rolebindings/shut.team.'))).to.have.length(1);
    expect(out).to.match(/left out: \d+ User: manifests for Git name no people\n/);
    expect(out).to.contain(`created ${files.length}, changed 0, unchanged 0 files in ${folder}`);
    expect((await write()).out).to.contain(`created 0, changed 0, unchanged ${files.length} files`);
  });

  it('writes the same as an export from the source', async () => {
    const model = { type: 'text', title: 'Text', description: 'Shown' };
    await give('POST', '/library-elements', { uid: 'lib', name: 'Text', kind: 1, folderUid: 'shut', model });
    await give('POST', '/library-elements', { uid: 'plain', name: 'Plain', kind: 1, model: { type: 'text' } });
    const rule = { condition: 'A', data: [QUERY], noDataState: 'OK', execErrState: 'Error', for: '5m' };
    const rules = ['r1', 'r2'].map((uid) => ({ ...rule, uid, title: uid }));
    await give('PUT', '/v1/provisioning/folder/shut/rule-groups/g', { interval: 120, rules });
    const lone = { ...rule, uid: 'r3', title: 'r3', folderUID: 'shut', ruleGroup: 'h', annotations: { a: '' } };
    await give('POST', '/v1/provisioning/alert-rules', lone);
    await write();
    await gitThere.export();
    const exported = await gitThere.files();
    for (const name of (await filesOf()).filter((file) => !/^(?:rolebindings|teams|organizations)/.test(file)))
      expect(await readFile(join(folder, name), 'utf8'), name).to.equal(exported[name]);
    expect(await filesOf()).to.include('libraryelements/lib.yaml');
  });

  it('writes what a sync stores, and what an import then finds as it is', async () => {
    await write();
    const stored = await git.sync({ path: folder });
    expect(stored.code, stored.err).to.equal(0);
    expect(stored.out).to.contain('+ Dashboard default/deep created');
    const list = bodyOf(await target().call('GET', '/apis/folder.svc.app/v1beta1/namespaces/default/folders'), 200);
    expect(JSON.stringify(list)).to.contain('"svc.app/basic-roles":"none"');
    const after = (await run({ isDryRun: true })).out;
    expect(after).to.contain('dashboards: 2 same').and.contain('folders: 2 same');
    expect((await git.sync({ path: folder, check: true })).code).to.equal(0);
  });
});
