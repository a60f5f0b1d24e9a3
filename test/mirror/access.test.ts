import { expect } from 'chai';
import { dashboard, folder, inOneCommit } from './manifests.js';
import { memberThere, type Reader, readerThere, visible } from './reader.js';
import { inFolder, oneStore, PRIVATE, thereAt } from './world.js';

oneStore('access there', (world) => {
  let reader: Reader;
  before(async () => {
    reader = readerThere(world(), await memberThere(world(), 'vera', 'Viewer'));
    world().atEnd.push(() => reader.stop());
    await world().put('folder', 'open', { title: 'Open' });
    await world().mirror('site');
    await world().arrived('site');
  });
  afterEach(() => expect(world().proxy.wrong).to.deep.equal([]));

  it('never shows the content of a folder that is private here, and shows what is open', async () => {
    reader.seen();
    await inOneCommit(world(), 'a', [
      folder('hidden', 'HIDDEN', PRIVATE),
      folder('below', 'HIDDEN below', inFolder('hidden')),
      dashboard('d1', 'HIDDEN 1', inFolder('hidden')),
      dashboard('d2', 'HIDDEN 2', inFolder('below')),
      dashboard('d3', 'HIDDEN 3', PRIVATE),
      dashboard('shown', 'Shown', inFolder('open')),
    ]);
    await world().arrived('site');
    const seen = [...reader.seen()].join('\n');
    expect(seen).not.to.include('HIDDEN');
    expect(await visible(reader)).to.include('Shown');
  });

  it('closes a folder that becomes private and moves in one commit, before its new content comes', async () => {
    await inOneCommit(world(), 'b', [
      folder('plans', 'Plans'),
      dashboard('plan', 'Plan one', inFolder('plans')),
      dashboard('note', 'Note', inFolder('open')),
    ]);
    await world().arrived('site');
    expect(await visible(reader))
      .to.include('Plan one')
      .and.to.include('Note');
    await inOneCommit(world(), 'b', [
      folder('plans', 'HIDDEN plans', { ...inFolder('open'), ...PRIVATE }),
      dashboard('plan', 'HIDDEN plan', inFolder('plans')),
      dashboard('note', 'HIDDEN note', inFolder('plans')),
      dashboard('more', 'HIDDEN more', inFolder('plans')),
    ]);
    await world().arrived('site');
    expect([...reader.seen()].join('\n')).not.to.include('HIDDEN');
    expect((await thereAt(world(), '/api/folders/plans')).body).to.include({
      title: 'HIDDEN plans',
      parentUid: 'open',
    });
    expect(await visible(reader)).not.to.match(/plan|note/i);
  });

  it('opens a folder only when what was secret in it has changed', async () => {
    reader.seen();
    await inOneCommit(world(), 'b', [
      folder('plans', 'Plans for all'),
      dashboard('plan', 'Plan for all', inFolder('plans')),
      dashboard('note', 'HIDDEN note', inFolder('hidden')),
      dashboard('more', 'HIDDEN more', inFolder('hidden')),
    ]);
    await world().arrived('site');
    expect(await visible(reader))
      .to.include('Plans for all')
      .and.to.include('Plan for all');
    expect([...reader.seen()].join('\n')).not.to.include('HIDDEN');
  });

  it('opens no folder while what was secret in it could not be changed', async () => {
    await inOneCommit(world(), 'd', [folder('vault', 'Vault', PRIVATE), dashboard('v', 'HIDDEN v', inFolder('vault'))]);
    await world().arrived('site');
    world().proxy.fault = ({ route }) => (route === 'POST /api/dashboards/db' ? { status: 400 } : undefined);
    await inOneCommit(world(), 'd', [folder('vault', 'Vault for all'), dashboard('v', 'Open v', inFolder('vault'))]);
    await world().until('site', ({ failed }) => failed === 1);
    expect(await visible(reader)).not.to.match(/vault|HIDDEN/i);
    world().proxy.fault = () => undefined;
    await world().arrived('site');
    expect(await visible(reader)).to.include('Open v');
    expect([...reader.seen()].join('\n')).not.to.include('HIDDEN');
  });

  it('keeps a private folder closed that comes out of a private one', async () => {
    reader.seen();
    await world().put('folder', 'below', { title: 'HIDDEN below' }, PRIVATE);
    await world().arrived('site');
    expect((await thereAt(world(), '/api/folders/below')).body).not.to.have.property('parentUid');
    expect([...reader.seen()].join('\n')).not.to.include('HIDDEN');
  });

  it('removes there what cannot be closed there, and says why', async () => {
    await world().put('dashboard', 'shown', { title: 'HIDDEN now' }, { ...inFolder('open'), ...PRIVATE });
    const { errors } = await world().until('site', ({ failed }) => failed === 1);
    expect(errors[0]).to.include({ kind: 'Dashboard', name: 'shown' });
    expect(errors[0]?.reason).to.include('is private here, but not its folder');
    expect((await thereAt(world(), '/api/dashboards/uid/shown')).status).to.equal(404);
    expect(await visible(reader)).not.to.include('HIDDEN');
    await world().put('dashboard', 'shown', { title: 'Shown again' }, inFolder('open'));
    await world().arrived('site');
    expect(await visible(reader)).to.include('Shown again');
  });
});
