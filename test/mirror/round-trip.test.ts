import { expect } from 'chai';
import { bridgeTo, running } from '../bridge/harness.js';
import { eachStore } from './world.js';

const MODEL = { type: 'text', title: 'Text', options: { content: 'x' } };

eachStore('what is imported from one server and mirrored to another', (world) => {
  const { give, run } = bridgeTo(() => world().here);
  /** A call of the legacy API of the server that the mirror sends to. */
  const atMirror = async (method: string, path: string, body: unknown) => {
    const answer = await world().there.call(method, `/api${path}`, { body });
    expect(answer.status, answer.text).to.equal(200);
    return answer.json() as unknown as { readonly id: number; readonly teamId: number };
  };

  before(async () => {
    // Permissions go along to whoever has the same login, so both have the same people.
    const ids = new Map<string, number>();
    for (const [login, role] of [
      ['bob', 'Editor'],
      ['vera', 'Viewer'],
    ] as const) {
      const user = { login, email: `${login}@x.example`, name: login, password: 'secret-pass' };
      for (const call of [atMirror, give]) ids.set(login, (await call('POST', '/admin/users', user)).id);
      for (const call of [atMirror, give]) await call('PATCH', `/orgs/1/users/${ids.get(login)}`, { role });
    }
    ids.set('Ops', (await give('POST', '/teams', { name: 'Ops' })).teamId);
    await give('POST', `/teams/${ids.get('Ops')}/members`, { userId: ids.get('bob') });
    await give('PUT', '/org/preferences', { theme: 'dark', timezone: 'utc' });
    await give('PUT', `/teams/${ids.get('Ops')}/preferences`, { theme: 'light' });
    const list = (uid: string, items: readonly object[]) => give('POST', `/${uid}/permissions`, { items });
    const [bob, ops] = [{ userId: ids.get('bob') }, { teamId: ids.get('Ops') }];
    const usual = [
      { role: 'Viewer', permission: 1 },
      { role: 'Editor', permission: 2 },
    ];
    for (const [uid, parentUid] of [
      ['open'],
      ['open-below', 'open'],
      ['shut'],
      ['shut-below', 'shut'],
      ['deep', 'shut-below'],
    ])
      await give('POST', '/folders', { uid, title: `Folder ${uid}`, ...(parentUid !== undefined && { parentUid }) });
    await list('folders/open', [...usual, { ...ops, permission: 4 }]);
    await list('folders/open-below', [{ ...bob, permission: 4 }]);
    await list('folders/shut', [{ ...bob, permission: 2 }]);
    await list('folders/deep', [{ role: 'Viewer', permission: 1 }]);
    for (const [uid, folderUid] of [
      ['element', 'open'],
      ['element-shut', 'shut-below'],
      ['element-root', ''],
    ])
      await give('POST', '/library-elements', { uid, name: `Element ${uid}`, kind: 1, folderUid, model: MODEL });
    for (const [uid, folderUid, element] of [
      ['root', '', 'element-root'],
      ['root-shut', '', 'element'],
      ['in-open', 'open', 'element'],
      ['in-below', 'open-below', 'element'],
      ['in-shut', 'shut', 'element-shut'],
      ['in-deep', 'deep', 'element-shut'],
    ])
      await give('POST', '/dashboards/db', {
        dashboard: { uid, title: `Board ${uid}`, tags: ['t'], panels: [{ id: 1, libraryPanel: { uid: element } }] },
        folderUid,
      });
    await list('dashboards/uid/root-shut', [{ ...bob, permission: 1 }]);
    await list('dashboards/uid/in-open', [{ ...bob, permission: 4 }]);
  });

  it('comes back without a difference', async () => {
    const { out } = await run({ trustsPeople: true });
    expect(out).to.contain('folders: 5 created').and.contain('dashboards: 6 created').and.not.contain('skipped');
    await world().mirror('site', { teams: true, preferences: true });
    const { objects, failed, kept } = await world().arrived('site');
    expect([failed, kept]).to.deep.equal([0, 0]);
    expect(objects).to.deep.equal([
      { kind: 'Team', count: 1 },
      { kind: 'Folder', count: 5 },
      { kind: 'LibraryElement', count: 3 },
      { kind: 'Dashboard', count: 6 },
      { kind: 'Preferences', count: 2 },
    ]);
    expect(world().proxy.wrong).to.deep.equal([]);
    const back = await running(world().there, world().here, { isDryRun: true, trustsPeople: true });
    expect(back.out).to.contain('Nothing differs.').and.contain('folders: 5 same').and.contain('dashboards: 6 same');
    expect(back.out).to.contain('teams: 1 same').and.contain('preferences: 2 same');
    expect(back.out).to.contain('libraryelements: 3 same').and.not.contain('would be');
    expect(back.code).to.equal(0);
  });

  it('is found different when it was changed on the way', async () => {
    await atMirror('POST', '/folders/shut/permissions', { items: [{ role: 'Viewer', permission: 1 }] });
    const back = await running(world().there, world().here, { isDryRun: true, trustsPeople: true });
    expect(back.out).to.contain('would be').and.not.contain('Nothing');
  });
});
