import { expect } from 'chai';
import { copyOf, memoryStore, openMemory, setBack } from '../../storage/memory/backend.js';
import { inFolder, openWorld, thereAt, type World } from './world.js';

describe('a mirror of a server whose database is set back', () => {
  const store = memoryStore();
  let world: World;
  before(async () => {
    world = await openWorld(openMemory(store, Date.now, true));
  });
  after(() => world.close());

  it('looks at everything again, and makes the other server what is here now', async () => {
    await world.put('folder', 'f', { title: 'F' });
    for (const name of ['a', 'b', 'c', 'd'])
      await world.put('dashboard', name, { title: `${name} old` }, inFolder('f'));
    await world.mirror('site');
    await world.arrived('site');
    const copy = copyOf(store);
    await world.put('dashboard', 'd', { title: 'd new' }, inFolder('f'));
    await world.put('dashboard', 'lost', { title: 'Lost' }, inFolder('f'));
    await world.arrived('site');
    setBack(store, copy);
    store.appended.notify();
    const title = async (uid: string): Promise<unknown> => {
      const { body } = await thereAt(world, `/api/dashboards/uid/${uid}`);
      return (body as { readonly dashboard?: { readonly title: string } }).dashboard?.title;
    };
    for (const end = Date.now() + 30_000; (await title('d')) !== 'd old' || (await title('lost')) !== undefined; ) {
      if (Date.now() > end) expect([await title('d'), await title('lost')]).to.deep.equal(['d old', undefined]);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(world.proxy.wrong).to.deep.equal([]);
  });
});
