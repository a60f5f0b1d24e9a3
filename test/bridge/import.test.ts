import { expect } from 'chai';
import type { ImportRun } from '../../cmd/adminctl/bridge/run.js';
import { bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { bridgeTo } from './harness.js';

const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

eachStore('adminctl import --from', (target) => {
  const { give, run: started, source } = bridgeTo(target);
  const run = (options: Partial<ImportRun> = {}) => started({ trustsPeople: true, ...options });
  const there = async (path: string) => bodyOf(await target().call('GET', path), 200);
  const legacy = async (server: typeof target, path: string) =>
    JSON.parse((await server().call('GET', `/api${path}`)).text);

  before(async () => {
    for (const login of ['ann', 'bob', 'cy'])
      await give('POST', '/admin/users', { login, email: `${login}@x.example`, name: login, password: 'secret-pass' });
    const people = await give('GET', '/users');
    const idOf = (login: string) => people.find((user: { login: string }) => user.login === login).id;
    await give('PUT', `/admin/users/${idOf('cy')}/permissions`, { isGrafanaAdmin: true });
    const { teamId } = await give('POST', '/teams', { name: 'Ops', email: 'ops@x.example' });
    await give('POST', `/teams/${teamId}/members`, { userId: idOf('ann') });
    await give('PUT', `/teams/${teamId}/members/${idOf('ann')}`, { permission: 4 });
    await give('POST', `/teams/${teamId}/members`, { userId: idOf('bob') });
    await give('POST', `/teams/${teamId}/groups`, { groupId: 'cn=ops' });
    await give('POST', '/serviceaccounts', { name: 'Robot', role: 'Editor' });
    await give('POST', '/folders', { uid: 'open', title: 'Open' });
    await give('POST', '/folders', { uid: 'shut', title: 'Shut' });
    await give('POST', '/folders', { uid: 'inner', title: 'Inner', parentUid: 'shut' });
    await give('POST', '/folders/shut/permissions', {
      items: [
        { userId: idOf('bob'), permission: 2 },
        { role: 'Viewer', permission: 1 },
      ],
    });
    await give('POST', '/folders/open/permissions', {
      items: [
        { role: 'Viewer', permission: 1 },
        { role: 'Editor', permission: 2 },
        { teamId, permission: 4 },
      ],
    });
    const model = { type: 'text', title: 'Text', options: { content: 'x' } };
    await give('POST', '/library-elements', { uid: 'lib', name: 'Text', kind: 1, folderUid: 'open', model });
    const panels = [{ id: 1, libraryPanel: { uid: 'lib', name: 'Text' } }];
    for (const [uid, folderUid] of [
      ['root', ''],
      ['a', 'open'],
      ['b', 'inner'],
      ['c', 'shut'],
    ])
      await give('POST', '/dashboards/db', { dashboard: { uid, title: uid, tags: ['t'], panels }, folderUid });
    await give('POST', '/dashboards/db', {
      dashboard: { uid: 'a', title: 'A', panels },
      folderUid: 'open',
      overwrite: true,
    });
    await give('POST', '/dashboards/uid/root/permissions', { items: [{ userId: idOf('cy'), permission: 1 }] });
  });

  it('says in a dry run what it would do, and changes nothing', async () => {
    const end = await target().end();
    const { code, out } = await run({ isDryRun: true });
    expect(out).to.contain('dashboards: 4 would be created').and.contain('folders: 3 would be created');
    expect([code, await target().end()]).to.deep.equal([0, end]);
  });

  it('takes everything with uids, numbers, times, authors and permissions', async () => {
    const { code, out } = await run();
    expect(out).to.contain('dashboards: 4 created').and.contain('Passwords cannot be read').and.not.contain('skipped');
    expect(out).to.contain('note: user cy: administers the whole server here').and.not.contain('user bob');
    expect(code).to.equal(0);
    for (const path of [
      '/folders/shut/permissions',
      '/folders/inner/permissions',
      '/folders/open/permissions',
      '/dashboards/uid/root/permissions',
      '/dashboards/uid/b/permissions',
    ]) {
      const said = (items: readonly Record<string, unknown>[]) =>
        items.map(({ userLogin, team, role, permission, inherited }) => ({
          userLogin,
          team,
          role,
          permission,
          inherited,
        }));
      expect(said(await legacy(target, path)), path).to.have.deep.members(said(await legacy(source, path)));
    }
    for (const path of ['/folders/inner', '/dashboards/uid/a', '/teams/search', '/search', '/library-elements/lib'])
      expect(await legacy(target, path), path).to.deep.equal(await legacy(source, path));
    expect((await there(`${FOLDERS}/shut`)).metadata.annotations).to.include({ 'svc.app/basic-roles': 'none' });
    expect((await there(`${FOLDERS}/inner`)).metadata.annotations).to.not.have.property('svc.app/basic-roles');
  });

  it('changes nothing in a second run', async () => {
    const end = await target().end();
    const dry = await run({ isDryRun: true });
    expect(dry.out).to.contain('Nothing differs.').and.not.contain('would be');
    expect((await run()).out).to.contain('Nothing differs.');
    expect(await target().end()).to.equal(end);
  });

  it('brings what has changed: content, place, title, who may use it', async () => {
    await give('POST', '/dashboards/db', { dashboard: { uid: 'c', title: 'C2' }, folderUid: 'open', overwrite: true });
    await give('POST', '/folders/open/permissions', { items: [{ role: 'Viewer', permission: 1 }] });
    const dry = await run({ isDryRun: true });
    expect(dry.out).to.contain('dashboards: 1 would be changed, 3 same');
    const { out } = await run();
    expect(out).to.contain('rolebindings: ').and.contain('1 removed');
    const c = await there(`${DASHBOARDS}/c`);
    expect([c.spec['title'], c.metadata.annotations?.['svc.app/folder'], c.metadata.generation]).to.deep.equal([
      'C2',
      'open',
      2,
    ]);
    expect((await run({ isDryRun: true })).out).to.contain('Nothing differs.');
  });
});
