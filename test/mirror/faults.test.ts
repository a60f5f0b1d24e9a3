import { expect } from 'chai';
import type { Fault } from './proxy.js';
import { inFolder, oneStore, PRIVATE, TOKEN, thereAt, type World } from './world.js';

const titleThere = async (world: World, uid: string): Promise<string | undefined> => {
  const { status, body } = await thereAt(world, `/api/dashboards/uid/${uid}`);
  return status === 404 ? undefined : (body as { readonly dashboard: { readonly title: string } }).dashboard.title;
};

/** Saves a dashboard there, as somebody does who does not know of the mirror. */
async function changeThere({ there }: World, uid: string, title: string, folderUid = 'f'): Promise<void> {
  const body = { dashboard: { uid, title }, folderUid, overwrite: true };
  expect((await there.call('POST', '/api/dashboards/db', { body })).status).to.equal(200);
}

const savesOf = ({ proxy }: World): readonly unknown[] =>
  proxy.requests.flatMap(({ route, body }) =>
    route === 'POST /api/dashboards/db'
      ? [(body as { readonly dashboard: { readonly uid: string } }).dashboard.uid]
      : [],
  );

oneStore('a mirror to a server with faults', (world) => {
  before(async () => {
    await world().put('folder', 'f', { title: 'F' });
    for (let i = 0; i < 20; i++) await world().put('dashboard', `d${i}`, { title: `D${i}` }, inFolder('f'));
    await world().mirror('site', {
      check: { interval: '10s' },
      provenance: { message: 'from the test', tag: 'mirrored' },
    });
    await world().arrived('site');
  });
  beforeEach(() => {
    world().proxy.requests.length = 0;
    world().proxy.fault = () => undefined;
  });
  afterEach(() => expect(world().proxy.wrong).to.deep.equal([]));

  const FAULTS: readonly (readonly [what: string, fault: Fault])[] = [
    ['is killed', { isKilled: true }],
    ['answers 500', { status: 500 }],
    ['answers 429', { status: 429, headers: { 'retry-after': '0' } }],
    ['answers 412', { status: 412 }],
    ['answers half', { isHalf: true }],
    ['answers late', { delay: 300 }],
  ];
  for (const [what, fault] of FAULTS) {
    it(`sends each change when the server ${what} now and then`, async () => {
      let count = 0;
      world().proxy.fault = ({ method }) => (method !== 'GET' && count++ % 3 === 0 ? fault : undefined);
      for (let i = 0; i < 5; i++) await world().put('dashboard', `d${i}`, { title: `${what} ${i}` }, inFolder('f'));
      await world().arrived('site');
      for (let i = 0; i < 5; i++) expect(await titleThere(world(), `d${i}`)).to.equal(`${what} ${i}`);
    });
  }

  it('says why nothing arrives, and sends only the newest state of what has changed afterwards', async () => {
    world().proxy.fault = () => ({ isKilled: true });
    for (let i = 0; i < 5; i++) await world().put('dashboard', 'd1', { title: `Away ${i}` }, inFolder('f'));
    const { conditions } = await world().until('site', (status) => status.conditions[0]?.reason === 'Unreachable');
    expect(conditions[0]?.message).to.include('cannot be reached').and.not.to.include(TOKEN);
    world().proxy.requests.length = 0;
    world().proxy.fault = () => undefined;
    await world().arrived('site');
    expect(savesOf(world())).to.deep.equal(['d1']);
    expect(await titleThere(world(), 'd1')).to.equal('Away 4');
  });

  it('says what is there also while there is no Secret', async () => {
    const { objects } = await world().status('site');
    await world().remove('secret', 'site');
    const away = await world().until(
      'site',
      ({ conditions: [ready] }) => ready?.message.includes('no Secret') === true,
    );
    expect(away.objects).to.deep.equal(objects).and.not.deep.equal([]);
    await world().put('secret', 'site', { stringData: { token: TOKEN } });
    await world().arrived('site');
  });

  it('is told what the server refuses, and sends everything else', async () => {
    world().proxy.fault = ({ body }) => (JSON.stringify(body ?? '').includes('"d2"') ? { status: 400 } : undefined);
    await world().put('dashboard', 'd2', { title: 'Refused' }, inFolder('f'));
    await world().put('dashboard', 'd3', { title: 'Taken' }, inFolder('f'));
    const { errors } = await world().until('site', ({ failed, pending }) => failed === 1 && pending === 1);
    expect(errors[0]).to.include({ kind: 'Dashboard', name: 'd2' });
    expect(errors[0]?.reason).to.include('a fault of the test');
    await world().put('dashboard', 'd3', { title: 'Taken twice' }, inFolder('f'));
    for (let title: string | undefined; title !== 'Taken twice'; ) title = await titleThere(world(), 'd3');
    world().proxy.fault = () => undefined;
    await world().arrived('site');
    expect(await titleThere(world(), 'd2')).to.equal('Refused');
  });

  it('sends nothing again after a restart here', async () => {
    await world().arrived('site');
    await world().here.restart();
    world().proxy.requests.length = 0;
    await world().put('dashboard', 'd4', { title: 'After the restart' }, inFolder('f'));
    await world().arrived('site');
    expect(savesOf(world())).to.deep.equal(['d4']);
  });

  it('puts back what was changed or deleted there, and says so', async () => {
    await changeThere(world(), 'd5', 'Changed by hand');
    await world().there.call('DELETE', '/api/dashboards/uid/d6');
    const items = [{ role: 'Viewer', permission: 4 }];
    await world().there.call('POST', '/api/folders/f/permissions', { body: { items } });
    await world().until('site', ({ conditions }) => conditions.some(({ reason }) => reason === 'PuttingBack'));
    await world().until('site', ({ conditions }) => conditions.some(({ reason }) => reason === 'AsSent'));
    expect(await titleThere(world(), 'd5')).to.equal('D5');
    expect(await titleThere(world(), 'd6')).to.equal('D6');
  });

  it('leaves alone what others put there, also when a folder goes', async () => {
    await world().put('folder', 'g', { title: 'G' });
    await world().put('dashboard', 'in-g', { title: 'In G' }, inFolder('g'));
    await world().arrived('site');
    await changeThere(world(), 'theirs', 'Theirs', 'g');
    await world().remove('folder', 'g');
    const { errors } = await world().until('site', ({ failed }) => failed === 1);
    expect(errors[0]?.reason).to.include('others have put something into it there: 1 dashboard');
    expect([await titleThere(world(), 'in-g'), await titleThere(world(), 'theirs')]).to.deep.equal([
      undefined,
      'Theirs',
    ]);
    await world().there.call('DELETE', '/api/dashboards/uid/theirs');
    await world().arrived('site');
    expect((await thereAt(world(), '/api/folders/g')).status).to.equal(404);
  });

  it('keeps or adopts what is there already', async () => {
    await changeThere(world(), 'old', 'Old', '');
    await world().put('dashboard', 'old', { title: 'New' });
    const [ready] = (await world().until('site', ({ kept }) => kept === 1)).conditions;
    expect(ready?.status).to.equal('True');
    expect(ready?.message).to.include('except 1 object that the other server had before');
    expect(await titleThere(world(), 'old')).to.equal('Old');
    await world().mirror('site', { check: { interval: '10s' }, existing: 'Adopt' });
    await world().until('site', ({ kept, conditions }) => kept === 0 && conditions[0]?.status === 'True');
    await world().arrived('site');
    expect(await titleThere(world(), 'old')).to.equal('New');
  });

  it('and another mirror to the same server do not disturb each other', async () => {
    await world().put('folder', 'other', { title: 'Other' }, PRIVATE);
    await world().mirror('second', { folders: { names: ['other'] }, existing: 'Adopt' });
    await world().put('dashboard', 'o1', { title: 'O1' }, inFolder('other'));
    await world().arrived('site');
    // The status of the first mirror is a newer commit, of which the second one need not tell.
    await world().until('second', ({ objects }) => objects.some(({ kind }) => kind === 'Dashboard'));
    await world().remove('mirror', 'second');
    await world().put('dashboard', 'o1', { title: 'O2' }, inFolder('other'));
    await world().arrived('site');
    expect(await titleThere(world(), 'o1')).to.equal('O2');
  });
});
