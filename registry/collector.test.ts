import { expect } from 'chai';
import { startCollector } from './collector.js';
import type { Kind } from './kind.js';
import { bodyOf, CHEST, create, createMany, HOUSE, LAMP, LEAF, pathTo, ROOM } from './testing/house.js';
import { type Served, serve } from './testing/served.js';
import { until } from './testing/until.js';

describe('the collector of namespaces', () => {
  let served: Served;
  let stop: () => Promise<void>;
  let errors: unknown[];
  const start = (isElected?: () => boolean, registry = served.registry): void => {
    stop = startCollector(registry, (error) => errors.push(error), isElected);
  };
  beforeEach(async () => {
    served = await serve(HOUSE);
    errors = [];
    stop = async () => undefined;
    for (const room of ['hall', 'attic']) await create(served, ROOM, room);
  });
  afterEach(async () => {
    await stop();
    await served.close();
  });

  const status = async (kind: Kind, name: string, namespace = 'hall') =>
    (await served.send('GET', pathTo(kind, name, namespace))).status;
  const remove = (kind: Kind, name: string, namespace = 'hall') => served.send('DELETE', pathTo(kind, name, namespace));
  const isGone = async () => (await status(ROOM, 'hall')) === 404;
  const fill = async () => {
    await create(served, CHEST, 'oak');
    await create(served, LAMP, 'a', { watts: 1 }, { annotations: { in: 'oak' } });
    await create(served, LEAF, 'x', { tree: 'oak', size: 1 });
    await create(served, LAMP, 'roof', { watts: 1 }, {}, 'attic');
  };

  it('removes a namespace that is deleted, after everything in it, and nothing else', async () => {
    await fill();
    start();
    const answer = await remove(ROOM, 'hall');
    expect(answer.body.metadata).to.have.property('deletionTimestamp');
    await until(isGone);
    const { reader } = served.registry;
    for (const kind of [LAMP, CHEST]) expect(reader.count(kind.qualified, 'hall'), kind.kind).to.equal(0);
    expect(await served.registry.uncached.get(`${LEAF.qualified}/hall/x` as never)).to.equal(undefined);
    expect(await status(LAMP, 'roof', 'attic')).to.equal(200);
    expect(await status(ROOM, 'attic')).to.equal(200);
    expect(errors).to.deep.equal([]);
  });

  it('removes more objects than it deletes at once', async () => {
    const names = Array.from({ length: 205 }, (_, i) => `n${i}`);
    await createMany(served, LAMP, names, { watts: 1 });
    await remove(ROOM, 'hall');
    start();
    await until(isGone);
    expect(served.registry.reader.count(LAMP.qualified, 'hall')).to.equal(0);
  });

  it('waits for objects that something holds, and leaves them as they are', async () => {
    await fill();
    await create(served, LAMP, 'held', { watts: 1 }, { finalizers: ['example.com/hold'] });
    await remove(ROOM, 'hall');
    start();
    await until(async () => (await status(LAMP, 'a')) === 404);
    await until(async () => {
      const { metadata } = (await served.send('GET', pathTo(LAMP, 'held'))).body;
      return metadata.deletionTimestamp !== undefined;
    });
    expect(await status(ROOM, 'hall')).to.equal(200);
    const late = await served.send('POST', pathTo(LAMP), { body: bodyOf(LAMP, 'late', { watts: 1 }) });
    expect(late.status).to.equal(403);
    const free = await served.send('PATCH', pathTo(LAMP, 'held'), {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(free.status).to.equal(200);
    await until(isGone);
  });

  it('does nothing while another server is elected', async () => {
    await fill();
    await remove(ROOM, 'hall');
    let isElected = false;
    let asked = 0;
    start(() => {
      asked++;
      return isElected;
    });
    await until(async () => asked > 0);
    expect(await status(LAMP, 'a')).to.equal(200);
    isElected = true;
    await create(served, ROOM, 'wake');
    await until(isGone);
  });

  it('does nothing without namespaces, and stops when it is told to', async () => {
    start(undefined, { ...served.registry, namespaces: undefined });
    await stop();
    start();
    await stop();
    await fill();
    await remove(ROOM, 'hall');
    expect(await status(LAMP, 'a')).to.equal(200);
  });

  it('tells the operator what went wrong, and goes on with other namespaces', async () => {
    await fill();
    const broken: Kind = { ...LAMP, qualified: 'none.house.svc.app' };
    const { registry } = served;
    await remove(ROOM, 'attic');
    await remove(ROOM, 'hall');
    const failing = { ...registry, kinds: [broken, ...registry.kinds] };
    start(undefined, failing as Served['registry']);
    await until(async () => errors.length >= 2);
    expect(await status(ROOM, 'hall')).to.equal(200);
  });
});
