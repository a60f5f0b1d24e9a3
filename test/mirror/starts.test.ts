import { expect } from 'chai';
import { Store } from '../../apis/mirror/job/store.js';
import { openProxy, type RecordingProxy } from './proxy.js';
import { oneStore, thereAt } from './world.js';

const FULL = 'at most 20 mirrors';

oneStore('the start of a mirror', (world) => {
  let elsewhere: RecordingProxy;
  before(async () => {
    elsewhere = await openProxy(() => world().there.address());
    world().atEnd.push(() => elsewhere.close());
  });
  beforeEach(() => {
    world().proxy.fault = () => undefined;
  });

  it('does not wait for another one that cannot start, which is tried again', async () => {
    const { save } = Store.prototype;
    Store.prototype.save = function refusing(memory, statusOf) {
      const [ready] = statusOf(undefined).conditions;
      if (ready?.message.includes('neither the key token')) return Promise.reject(new Error('a fault of the test'));
      return save.call(this, memory, statusOf);
    };
    try {
      await world().mirror('a-broken');
      await world().put('secret', 'a-broken', { stringData: { other: 'x' } });
      await world().put('folder', 'f', { title: 'F' });
      await world().mirror('site');
      await world().arrived('site');
      expect((await thereAt(world(), '/api/folders/f')).status).to.equal(200);
    } finally {
      Store.prototype.save = save;
    }
    await world().put('folder', 'f', { title: 'F again' });
    const { conditions } = await world().until('a-broken', ({ conditions: [one] }) => one?.reason === 'Unreachable');
    expect(conditions[0]?.message).to.include('neither the key token');
    await world().remove('mirror', 'a-broken');
  });

  it('follows no redirect, so the credential goes nowhere else', async () => {
    world().proxy.fault = ({ method, path }) =>
      method === 'GET' ? undefined : { status: 307, headers: { location: `${elsewhere.url}${path}` } };
    await world().put('folder', 'g', { title: 'G' });
    const { errors } = await world().until('site', ({ failed }) => failed === 1);
    expect(errors[0]?.reason).to.include('307');
    world().proxy.fault = ({ path }) => ({ status: 302, headers: { location: `${elsewhere.url}${path}` } });
    await world().here.restart();
    const { conditions } = await world().until('site', ({ conditions: [one] }) => one?.reason === 'Unreachable');
    expect(conditions[0]?.message).to.include('302');
    expect(elsewhere.requests).to.deep.equal([]);
  });

  it('reads no answer that is too large', async () => {
    const body = [{ uid: 'f', type: 'dash-folder', title: 'x'.repeat(17 * 2 ** 20) }];
    world().proxy.fault = ({ route }) => (route === 'GET /api/search' ? { status: 200, body } : undefined);
    await world().here.restart();
    const { conditions } = await world().until(
      'site',
      ({ conditions: [one] }) => one?.message.includes('larger') === true,
    );
    expect(conditions[0]?.reason).to.equal('Unreachable');
    world().proxy.fault = () => undefined;
    await world().arrived('site');
  });

  it('waits when 20 others of the namespace are kept, until one of them goes', async () => {
    for (let i = 1; i < 20; i++) await world().mirror(`m${i}`, { folders: { names: ['f'] }, delete: false });
    await world().mirror('z-late', { folders: { names: ['f'] }, delete: false });
    const { conditions } = await world().until('z-late', ({ conditions: [one] }) => one?.reason === 'Unreachable');
    expect(conditions[0]?.message).to.include(FULL);
    await world().remove('mirror', 'm1');
    await world().until('z-late', ({ conditions: [one] }) => one?.status === 'True');
  });
});
