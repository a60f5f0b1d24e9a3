import { expect } from 'chai';
import { dashboard, folder, inOneCommit } from './manifests.js';
import { memberIn, memberThere, type Reader, readerThere, visible } from './reader.js';
import { inFolder, oneStore, PRIVATE, thereAt, type World } from './world.js';

const statusThere = async (world: World, uid: string): Promise<number> =>
  (await thereAt(world, `/api/dashboards/uid/${uid}`)).status;

oneStore('what a mirror deletes', (world) => {
  let reader: Reader;
  const dashboards = Array.from({ length: 12 }, (_, i) => dashboard(`d${i}`, `D${i}`, inFolder('f')));
  before(async () => {
    reader = readerThere(world(), await memberThere(world(), 'vera', 'Viewer'));
    world().atEnd.push(() => reader.stop());
    await inOneCommit(world(), 'few', [folder('e', 'E'), dashboard('e1', 'E1', inFolder('e'))]);
    await inOneCommit(world(), 'many', [folder('f', 'F'), ...dashboards]);
    await world().mirror('site', { folders: { names: ['e', 'f'] } });
    await world().arrived('site');
  });
  beforeEach(() => {
    world().proxy.requests.length = 0;
    world().proxy.fault = () => undefined;
  });
  afterEach(() => expect(world().proxy.wrong).to.deep.equal([]));
  const deletions = () => world().proxy.requests.filter(({ method }) => method === 'DELETE');

  it('is nothing when another selection would delete more than half, until that many are allowed', async () => {
    await world().mirror('site', { folders: { names: ['e'] } });
    await world().put('dashboard', 'e1', { title: 'E1 changed' }, inFolder('e'));
    const { conditions } = await world().until(
      'site',
      ({ conditions: [ready] }) => ready?.reason === 'TooManyDeletions',
    );
    expect(conditions[0]?.message).to.include('13 of 15 objects').and.include('spec.maxDeletions to 13');
    await world().until('site', ({ pending }) => pending === 13);
    expect(deletions()).to.deep.equal([]);
    const title = async (): Promise<unknown> => {
      const { body } = await thereAt(world(), '/api/dashboards/uid/e1');
      return (body as { readonly dashboard: { readonly title: string } }).dashboard.title;
    };
    for (const end = Date.now() + 30_000; (await title()) !== 'E1 changed'; )
      if (Date.now() > end) throw new Error('what is still selected is not sent');
    await world().here.restart();
    await world().until('site', ({ conditions: [ready] }) => ready?.reason === 'TooManyDeletions');
    expect(deletions()).to.deep.equal([]);
    await world().mirror('site', { folders: { names: ['e'] }, maxDeletions: 13 });
    await world().arrived('site');
    expect(await statusThere(world(), 'd0')).to.equal(404);
    expect(await statusThere(world(), 'e1')).to.equal(200);
  });

  it('is nothing when more than half is lost here at once', async () => {
    await world().mirror('site', { folders: { names: ['e', 'f'] } });
    await world().arrived('site');
    world().proxy.requests.length = 0;
    await inOneCommit(world(), 'many', [folder('f', 'F')], true);
    await world().until('site', ({ conditions: [ready] }) => ready?.reason === 'TooManyDeletions');
    expect(deletions()).to.deep.equal([]);
    await inOneCommit(world(), 'many', [folder('f', 'F'), ...dashboards]);
    await world().arrived('site');
    expect(await statusThere(world(), 'd0')).to.equal(200);
  });

  it('is at most half, when one after the other is lost here', async () => {
    for (let i = 0; i < 12; i++) await world().remove('dashboard', `d${i}`);
    await world().until('site', ({ conditions: [ready] }) => ready?.reason === 'TooManyDeletions');
    expect(deletions().length).to.be.lessThan(8);
    await inOneCommit(world(), 'many', [folder('f', 'F'), ...dashboards]);
    await world().arrived('site');
  });

  it('stays there with delete: false, and is mirrored again when it is selected again', async () => {
    await world().mirror('site', { folders: { names: ['e'] }, delete: false });
    await world().arrived('site');
    expect(await statusThere(world(), 'd0')).to.equal(200);
    await world().here.restart();
    await world().put('dashboard', 'd0', { title: 'D0 changed' }, inFolder('f'));
    await world().mirror('site', { folders: { names: ['e', 'f'] }, delete: false });
    const { kept } = await world().arrived('site');
    expect(kept).to.equal(0);
    const { body } = await thereAt(world(), '/api/dashboards/uid/d0');
    expect(body).to.have.nested.property('dashboard.title', 'D0 changed');
  });

  it('is not what lies in a folder that waits here for another one, but nobody sees it there either', async () => {
    await world().mirror('site', { maxDeletions: 1000 });
    await world().arrived('site');
    expect(await visible(reader)).to.include('E1');
    await world().put('folder', 'e', { title: 'E' }, inFolder('later'));
    const { errors } = await world().until('site', ({ failed }) => failed === 1);
    expect(errors[0]).to.include({ kind: 'Folder', name: 'e' });
    expect(errors[0]?.reason).to.include('waits here');
    expect(await visible(reader)).not.to.match(/\be1?\b/i);
    await world().put('dashboard', 'e2', { title: 'E2' }, inFolder('e'));
    expect(deletions()).to.deep.equal([]);
    await world().put('folder', 'later', { title: 'Later' });
    await world().arrived('site');
    expect((await thereAt(world(), '/api/folders/e')).body).to.include({ parentUid: 'later' });
    expect(deletions()).to.deep.equal([]);
    expect(await visible(reader))
      .to.include('E1')
      .and.to.include('E2');
  });

  it('is not a folder that waits, also if somebody may see the folder above it', async () => {
    await memberIn(world().here, 'vera', 'Viewer');
    await inOneCommit(world(), 'nested', [
      folder('p', 'P', PRIVATE),
      folder('w', 'Moved W', inFolder('p')),
      dashboard('w1', 'Moved W1', inFolder('w')),
    ]);
    const subject = { kind: 'User', name: 'vera' };
    await world().put('binding', 'p.vera', {
      subject,
      roleRef: { kind: 'BuiltIn', name: 'View' },
      scope: { folder: 'p' },
    });
    await world().arrived('site');
    expect(await visible(reader)).to.include('Moved W1');
    await world().put('folder', 'w', { title: 'Moved W' }, inFolder('even-later'));
    await world().until('site', ({ failed }) => failed === 1);
    expect(await visible(reader)).not.to.include('Moved');
    expect(deletions()).to.deep.equal([]);
    await world().put('folder', 'even-later', { title: 'Even later' });
    await world().arrived('site');
    expect(await visible(reader)).to.include('Moved W1');
  });

  it('is what an attempt to see whether folders can be closed has left there', async () => {
    await world().mirror('site', { maxDeletions: 1000 });
    const below = folder('g-below', 'Below', { ...inFolder('g'), ...PRIVATE });
    await inOneCommit(world(), 'probe', [folder('g', 'G', PRIVATE), below]);
    await world().arrived('site');
    let isMade = false;
    world().proxy.fault = ({ method, path, body }) => {
      isMade ||= JSON.stringify(body ?? '').includes('mirror-probe');
      return isMade && method === 'DELETE' && path.includes('probe') ? { status: 500 } : undefined;
    };
    await inOneCommit(world(), 'probe', [folder('g', 'G'), below]);
    const probes = async () =>
      JSON.stringify((await thereAt(world(), '/api/search?type=dash-folder')).body).includes('mirror-probe');
    for (const end = Date.now() + 30_000; !(await probes()); )
      if (Date.now() > end) throw new Error('there is no probe');
    await world().remove('folder', 'g-below');
    world().proxy.fault = () => undefined;
    await world().here.restart();
    await world().put('dashboard', 'g1', { title: 'G1' }, inFolder('g'));
    await world().arrived('site');
    expect(await probes()).to.equal(false);
  });
});
