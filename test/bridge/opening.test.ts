import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { bridgeTo } from './harness.js';
import { proxyBefore, saying } from './proxy.js';

const PRIVATE = 'svc.app/basic-roles';
const OPEN = {
  items: [
    { role: 'Viewer', permission: 1 },
    { role: 'Editor', permission: 2 },
  ],
};
const SHUT = { items: [] };

eachStore('an import that opens a folder', (target) => {
  const { give, run, source } = bridgeTo(target);
  const proxy = proxyBefore(() => source().address().port);
  const folder = async (uid: string) =>
    bodyOf(await target().call('GET', `/apis/folder.svc.app/v1beta1/namespaces/default/folders/${uid}`), 200);
  const isShut = async (uid: string): Promise<boolean> =>
    (await folder(uid)).metadata.annotations?.[PRIVATE] === 'none';
  const levels = async (uid: string): Promise<readonly unknown[]> => {
    const items = bodyOf(await target().call('GET', `/api/folders/${uid}/permissions`), 200) as unknown;
    return (items as readonly { role?: string; permission: number }[]).map(({ role, permission }) => [
      role,
      permission,
    ]);
  };
  const dashboard = (uid: string, folderUid: string, title = uid) =>
    give('POST', '/dashboards/db', { dashboard: { uid, title }, folderUid, overwrite: true });

  before(() => proxy.open());
  after(() => proxy.close());
  beforeEach(() => proxy.set(() => undefined));

  it('leaves it shut while it holds what the source has not any more', async () => {
    await give('POST', '/folders', { uid: 'f', title: 'F' });
    await give('POST', '/folders', { uid: 'in-f', title: 'Inside', parentUid: 'f' });
    await give('POST', '/folders/f/permissions', SHUT);
    await dashboard('gone', 'in-f');
    await run();
    await give('DELETE', '/dashboards/uid/gone');
    await give('POST', '/folders/f/permissions', OPEN);
    const { out, code } = await run();
    expect(await isShut('f')).to.equal(true);
    expect(out)
      .to.contain('skipped: permissions of folder f: it stays less open than there')
      .and.contain('dashboards/gone');
    expect(code).to.equal(3);
    await target().call('DELETE', '/api/dashboards/uid/gone');
    expect((await run({ isDryRun: true })).out).to.contain('folders: 1 would be changed');
    expect((await run()).out).to.contain('folders: 1 changed');
    expect(await isShut('f')).to.equal(false);
    expect((await run({ isDryRun: true })).out).to.contain('Nothing differs.');
  });

  it('opens it only when everything in it is as there', async () => {
    await give('POST', '/folders', { uid: 'g', title: 'G' });
    await give('POST', '/folders', { uid: 'vault', title: 'Vault' });
    for (const uid of ['g', 'vault']) await give('POST', `/folders/${uid}/permissions`, SHUT);
    await dashboard('moved', 'g', 'Secret');
    await dashboard('stays', 'g', 'Secret, too');
    await run();
    await dashboard('moved', 'vault', 'Secret');
    await dashboard('stays', 'g', 'For everybody');
    await give('POST', '/folders/g/permissions', OPEN);
    proxy.set((incoming, response) =>
      incoming.url === '/api/dashboards/uid/stays' ? saying(404, '{"message":"no"}')(incoming, response) : undefined,
    );
    const { out } = await run({}, { url: proxy.url() });
    expect(out)
      .to.contain('permissions of folder g: it stays')
      .and.contain('dashboards/stays')
      .and.not.contain('moved,');
    expect(await isShut('g')).to.equal(true);
    proxy.set(() => undefined);
    await run({}, { url: proxy.url() });
    expect(await isShut('g')).to.equal(false);
  });

  it('gives a team nothing before that, but takes away at once', async () => {
    const { teamId } = await give('POST', '/teams', { name: 'Ops' });
    await give('POST', '/folders', { uid: 'h', title: 'H' });
    await give('POST', '/folders/h/permissions', { items: [{ role: 'Editor', permission: 4 }] });
    await dashboard('left', 'h');
    await run();
    await give('DELETE', '/dashboards/uid/left');
    const items = [
      { role: 'Editor', permission: 1 },
      { teamId, permission: 2 },
    ];
    await give('POST', '/folders/h/permissions', { items });
    await run();
    expect(await levels('h')).to.deep.equal([['Editor', 1]]);
    await target().call('DELETE', '/api/dashboards/uid/left');
    await run();
    expect(await levels('h')).to.have.length(2);
  });

  it('leaves it where it is while it holds what the source has not, and is private at first elsewhere', async () => {
    await give('POST', '/folders', { uid: 'closet', title: 'Closet' });
    await give('POST', '/folders/closet/permissions', SHUT);
    await give('POST', '/folders', { uid: 'box', title: 'Box', parentUid: 'closet' });
    for (const uid of ['kept', 'lost']) await dashboard(uid, 'box');
    await run();
    await give('DELETE', '/dashboards/uid/lost');
    await give('POST', '/folders/box/move', { parentUid: '' });
    const parent = async () => (await folder('box')).metadata.annotations?.['svc.app/folder'];
    expect((await run()).out).to.contain('skipped: folders box (Box): it stays where it is');
    expect(await parent()).to.equal('closet');
    await target().call('DELETE', '/api/dashboards/uid/lost');
    proxy.set((incoming, response) =>
      incoming.url === '/api/dashboards/uid/kept' ? saying(404, '{"message":"no"}')(incoming, response) : undefined,
    );
    await run({}, { url: proxy.url() });
    expect([await parent(), await isShut('box')]).to.deep.equal([undefined, true]);
    await run();
    expect(await isShut('box')).to.equal(false);
  });
});
