import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BACKUP, EXPORTS, GDG, GRIZZLY, type Tree, writeTree } from '../../cmd/adminctl/tree/testing/trees.js';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { gitOps } from './harness.js';

eachStore('a folder of saved objects', (server) => {
  const git = gitOps(server);
  let source = '';
  beforeEach(async () => (source = await mkdtemp(join(tmpdir(), 'saved-'))));
  afterEach(() => rm(source, { recursive: true }));

  const read = async (path: string): Promise<unknown> => bodyOf(await server().call('GET', path), 200);
  const newUser = async (login: string): Promise<void> => {
    const body = { login, email: `${login}@example.com`, password: 'correct horse', OrgId: 1 };
    bodyOf(await server().call('POST', '/api/admin/users', { body }), 200);
  };
  const newNamespace = async (name: string): Promise<void> => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    bodyOf(await server().call('POST', '/api/v1/namespaces', { body }), 201);
  };
  const count = 'created 11, configured 0, unchanged 0, pruned 0, conflicts 0';

  it('is stored with all that it says, as the legacy API then shows it, and a second run changes nothing', async () => {
    await newUser('admin');
    writeTree(source, BACKUP);
    const trial = await changingNothing(server(), () => git.import(source, { dryRun: true }));
    expect([trial.code, trial.out.includes(count)], trial.out).to.deep.equal([0, true]);
    const stored = await git.import(source);
    expect(stored.out, stored.err).to.contain(`${count}\nleft out: dashboards/202403011000/dashboards_`);
    expect(stored.out).to.match(/left out: users\/202403011000\/1\.user: people are not made[^\n]*\nleft out 3\n$/);

    expect(await read('/api/dashboards/uid/latency1')).to.have.nested.property('meta.folderUid', 'ops1');
    expect(await read('/api/dashboards/uid/latency1')).to.have.nested.property('dashboard.tags[0]', 'web');
    expect(await read('/api/folders/inc1')).to.include({ title: 'Incidents', parentUid: 'ops1' });
    expect(await read('/api/library-elements/lib1/connections')).to.have.nested.property('result.length', 1);
    expect(await read('/api/v1/provisioning/alert-rules/rule1')).to.include({ folderUID: 'ops1', title: 'Too slow' });
    const of = async (uid: string): Promise<readonly string[]> => {
      const list = (await read(`/api/folders/${uid}/permissions`)) as readonly Permission[];
      return list.map((one) => `${one.userLogin || one.team || one.role} ${one.permissionName}`).toSorted();
    };
    expect(await of('ops1')).to.deep.equal(['On call Edit', 'admin Admin']);
    expect(await of('inc1')).to.deep.equal(['On call Edit', 'admin Admin']);
    expect(await of('open1')).to.deep.equal(['Editor Edit', 'Viewer View']);
    const teams = (await read('/api/teams/search')) as { teams: readonly { id: number; memberCount: number }[] };
    expect(teams.teams.map(({ memberCount }) => memberCount)).to.deep.equal([1]);

    const again = await changingNothing(server(), () => git.import(source));
    expect(again.out).to.contain('created 0, configured 0, unchanged 11, pruned 0, conflicts 0');
  });

  it('leaves what somebody has changed since, unless it is forced', async () => {
    await newNamespace('changed');
    writeTree(source, { 'a.json': { uid: 'a', title: 'A', panels: [] } });
    const options = { namespace: 'changed' };
    await git.import(source, options);
    const path = '/apis/dashboard.svc.app/v1beta1/namespaces/changed/dashboards/a';
    const headers = { 'content-type': 'application/merge-patch+json' };
    bodyOf(await server().call('PATCH', path, { body: { spec: { title: 'Mine' } }, headers }), 200);
    const trial = await git.import(source, { ...options, dryRun: true });
    expect(trial.code, trial.out).to.equal(1);
    expect(trial.out).to.contain('! Dashboard changed/a conflict');
    const refused = await git.import(source, options).catch((error: unknown) => String(error));
    expect(refused).to.contain('--force takes over');
    expect((await git.import(source, { ...options, force: true })).out).to.contain('configured 1');
  });

  it('becomes manifests for Git, which sync finds in the server as they are', async () => {
    const trees: Readonly<Record<string, Tree>> = { gdg: GDG, grizzly: GRIZZLY, exports: EXPORTS };
    for (const [namespace, tree] of Object.entries(trees)) {
      await newNamespace(namespace);
      await rm(git.folder, { recursive: true });
      const path = join(source, namespace);
      writeTree(path, tree);
      const [written, first] = [await git.write(path), await git.files()];
      expect(written.out, namespace).to.match(/^(?:left out.*\n)+created \d+, changed 0, unchanged 0 files in /m);
      const options = { namespace, applySet: 'import' };
      expect((await git.sync(options)).code).to.equal(0);
      const stored = await changingNothing(server(), () => git.import(path, { namespace, dryRun: true }));
      expect(stored.out, namespace).to.contain('created 0, configured 0');
      expect((await git.write(path)).out, namespace).to.match(/created 0, changed 0, unchanged \d+ files/);
      await git.export({ namespace, kinds: Object.keys(first).map((name) => name.split('/')[0] ?? '') });
      const exported = await git.files();
      for (const [name, text] of Object.entries(first)) expect(exported[name], name).to.equal(text);
      expect((await git.sync({ ...options, check: true })).code, namespace).to.equal(0);
    }
  });

  it('is not stored in part if a file cannot be read or the server refuses an object', async () => {
    await newNamespace('whole');
    writeTree(source, { 'a.json': { uid: 'a', title: 'A' }, 'f.json': { uid: 'f', title: 'General', canSave: true } });
    const refused = await changingNothing(server(), () =>
      git.import(source, { namespace: 'whole' }).catch((error: unknown) => String(error)),
    );
    expect(refused).to.contain('f.json').and.contain('General');
    await writeFile(join(source, 'b.json'), '{');
    expect(await git.import(source).catch((error: unknown) => String(error))).to.contain('b.json');
  });
});

interface Permission {
  readonly userLogin?: string;
  readonly team?: string;
  readonly role?: string;
  readonly permissionName: string;
}
