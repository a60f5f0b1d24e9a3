import { expect } from 'chai';
import { memberIn } from './reader.js';
import { inFolder, oneStore } from './world.js';

oneStore('a mirror of permissions of somebody who is not there', (world) => {
  const grant = (name: string, scope: object) =>
    world().put('binding', name, {
      subject: { kind: 'User', name: 'nils' },
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope,
    });
  const missing = async (count: number) =>
    (await world().until('site', ({ partial, conditions }) => partial === count && conditions[0]?.status === 'True'))
      .warnings;

  before(async () => {
    await memberIn(world().here, 'nils', 'Viewer');
    await world().put('folder', 'f', { title: 'F' });
    await world().put('dashboard', 'd', { title: 'D' }, inFolder('f'));
    await world().mirror('site', { check: { interval: '10s', drift: 'Report' } });
    await world().arrived('site');
  });

  it('names them until they have nothing any more', async () => {
    await grant('f.nils', { folder: 'f' });
    await grant('d.nils', { dashboard: 'd' });
    const warnings = await missing(2);
    expect(warnings).to.deep.include({ kind: 'Folder', name: 'f', reason: 'not there: user nils' });
    await world().remove('binding', 'f.nils');
    await world().remove('binding', 'd.nils');
    expect(await missing(0)).to.deep.equal([]);
  });

  it('reports what somebody has changed of the same object', async () => {
    await grant('f.nils', { folder: 'f' });
    await missing(1);
    await world().there.call('PUT', '/api/folders/f', { body: { title: 'By hand', overwrite: true } });
    await world().until('site', (status) => status.conditions.some(({ reason }) => reason === 'Reported'));
    // What the check has found to be sent again is sent before this.
    await world().put('dashboard', 'e', { title: 'E' }, inFolder('f'));
    const { conditions } = await world().arrived('site');
    expect(conditions.find(({ type }) => type === 'Drifted')?.message).to.include('folder f: its title');
    expect(conditions.find(({ type }) => type === 'Ready')?.message).to.include(
      'except what somebody has changed there',
    );
  });
});
