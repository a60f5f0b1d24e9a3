import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { define } from '../custom/definition.js';
import { bodyOf, FOLDERS, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { setting } from '../signon/settings.js';
import { gitOps } from './harness.js';

oneStore('adminctl export', (server) => {
  const git = gitOps(server);
  const folders = resourceOf(server, FOLDERS);
  const made = async (name: string, more: object = {}) =>
    bodyOf(await folders.create({ ...FOLDER, metadata: { name, ...more }, spec: { title: name } }), 201);

  it('writes a file for each object, with what people decided and nothing secret', async () => {
    await made('ops', { labels: { team: 'a' } });
    await made('ops-in', { annotations: { 'svc.app/folder': 'ops' } });
    const account = {
      apiVersion: IAM,
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
      spec: { title: 'Robot', role: 'Viewer' },
    };
    const path = `/apis/${IAM}/namespaces/default/serviceaccounts`;
    bodyOf(await server().call('POST', path, { body: account }), 201);
    const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status } = bodyOf(await server().call('POST', `${path}/robot/token`, { body: token }), 201);
    const { out } = await git.export();
    const files = await git.files();
    expect(Object.keys(files)).to.include.members([
      'folders/ops.yaml',
      'folders/ops-in.yaml',
      'serviceaccounts/robot.yaml',
    ]);
    expect(files['folders/ops-in.yaml']).to.equal(
      'apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata:\n  name: ops-in\n  annotations:\n    svc.app/folder: ops\nspec:\n  title: ops-in\n',
    );
    expect(out).to.contain('folders: 2').and.contain('serviceaccounts: 1');
    const all = JSON.stringify(files);
    for (const never of [
      (status as unknown as { token: string }).token,
      'resourceVersion',
      'managedFields',
      'createdBy',
      'uid:',
    ]) {
      expect(all).to.not.contain(never);
    }
  });

  it('writes the same bytes again, and leaves files alone that are up to date', async () => {
    await git.export();
    const before = await git.files();
    const path = join(git.folder, 'folders', 'ops.yaml');
    await utimes(path, 1, 1);
    await git.export();
    expect(await git.files()).to.deep.equal(before);
    expect((await stat(path)).mtimeMs).to.equal(1000);
  });

  it('reads lists in pages', async () => {
    const list = Array.from({ length: 260 }, (_, i) => i);
    await Promise.all(list.map((i) => made(`page-${i}`)));
    const { out } = await git.export({ kinds: ['folders'] });
    expect(out).to.equal('folders: 262\n');
    expect(git.requests.filter((path) => path.includes('continue='))).to.have.length(1);
    expect(Object.keys(await git.files())).to.have.length(262);
    expect((await folders.removeAll({ query: { labelSelector: '!team' } })).status).to.equal(200);
  });

  it('tells which files are of objects that are gone, and removes them with --prune', async () => {
    await git.export();
    await writeFile(join(git.folder, 'folders', 'gone.yaml'), '');
    const told = await git.export();
    expect(told.err).to.contain('folders/gone.yaml').and.contain('--prune removes them');
    expect(await git.files()).to.have.property('folders/gone.yaml');
    expect((await git.export({ prune: true })).out).to.contain('folders: removed 1 files');
    expect(await git.files()).to.not.have.property('folders/gone.yaml');
  });

  it('refuses a namespace that does not exist, and keeps all files', async () => {
    await git.export();
    const before = await git.files();
    const failure = await git.export({ namespace: 'nope', prune: true }).then(String, String);
    expect(failure).to.contain('There is no namespace nope.').and.contain('--namespace');
    expect(await git.files()).to.deep.equal(before);
  });

  it('takes the kinds that are named, and names those that there are', async () => {
    await git.export({ kinds: ['teams', 'folders.folder.svc.app'] });
    expect(Object.keys(await git.files())).to.deep.equal(['folders/ops.yaml']);
    const failure = await git.export({ kinds: ['pods'] }).then(String, String);
    expect(failure).to.contain('There is no kind "pods"').and.contain('folders');
  });

  // Promise: security rights
  it('takes the kind of the server if a definition has the same plural, and keeps their files apart', async () => {
    const group = 'folder.example.com';
    const { objects, object } = await define(server, { plural: 'folders', kind: 'AFolder', group, words: {} });
    bodyOf(await objects.create(object('ops')), 201);
    await git.export({ kinds: ['folders'] });
    expect(Object.keys(await git.files())).to.deep.equal(['folders/ops.yaml']);
    const { out } = await git.export({ kinds: ['folders', `folders.${group}`], prune: true });
    const files = await git.files();
    expect(Object.keys(files)).to.deep.equal([`folders.${group}/ops.yaml`, 'folders/ops.yaml']);
    expect(files['folders/ops.yaml']).to.contain('kind: Folder\n');
    expect(out).to.equal(`folders: 1\nfolders.${group}: 1\n`);
  });

  it('writes kinds of cluster scope if they are named, and never their secrets', async () => {
    const body = setting('gitlab-export', { clientId: 'client', clientSecret: 'hidden-one' });
    bodyOf(await server().call('POST', '/apis/iam.svc.app/v1beta1/ssosettings', { body }), 201);
    await git.export({ kinds: ['ssosettings'] });
    const { 'ssosettings/gitlab-export.yaml': text } = await git.files();
    expect(text).to.contain('clientId: client').and.not.contain('hidden');
  });

  it('keeps names apart that differ by case only, and escapes what a path cannot have', async () => {
    const path = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
    for (const [i, name] of ['Same', 'same'].entries()) {
      const body = {
        apiVersion: 'dashboard.svc.app/v1beta1',
        kind: 'Dashboard',
        metadata: { name },
        spec: { title: `${name} ${i}` },
      };
      bodyOf(await server().call('POST', path, { body }), 201);
    }
    await git.export({ kinds: ['dashboards'] });
    const names = Object.keys(await git.files());
    expect(new Set(names.map((name) => name.toLowerCase()))).to.have.property('size', 2);
  });
});

const IAM = 'iam.svc.app/v1beta1';
const FOLDER = { apiVersion: FOLDERS.apiVersion, kind: 'Folder' };
