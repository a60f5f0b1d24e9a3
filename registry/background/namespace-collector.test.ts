import { expect } from 'chai';
import { conflict } from '../../pkg/kube/status/errors.js';
import { Client } from '../client/client.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { bodyOf, CHEST, create, createMany, HOUSE, LAMP, LEAF, pathTo, ROOM } from '../testing/house.js';
import { ROOT, type Served, serve } from '../testing/served.js';
import { settled } from '../testing/timers.js';
import { until } from '../testing/until.js';
import { inWorld, type World } from '../testing/world.js';
import { startNamespaceCollector } from './namespace-collector.js';

describe('the collector of namespaces', () => {
  let served: Served;
  let stop: () => Promise<void>;
  let errors: unknown[];
  const start = (isElected?: () => boolean, registry = served.registry): void => {
    const onError = (error: unknown): void => void errors.push(error);
    stop = startNamespaceCollector(registry, { onError, ...(isElected && { isElected }) });
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
    for (const kind of [LAMP, CHEST, LEAF]) expect(reader.count(kind.qualified, 'hall'), kind.kind).to.equal(0);
    expect(await status(LAMP, 'roof', 'attic')).to.equal(200);
    expect(await status(ROOM, 'attic')).to.equal(200);
    expect(errors).to.deep.equal([]);
  });

  it('removes at one go more objects than it deletes at once', async () => {
    const names = Array.from({ length: 205 }, (_, i) => `n${i}`);
    await createMany(served, LAMP, names, { watts: 1 });
    await remove(ROOM, 'hall');
    let asked = 0;
    start(() => ++asked > 0);
    await until(async () => asked > 1);
    expect(served.registry.reader.count(LAMP.qualified, 'hall')).to.equal(0);
    expect(await isGone()).to.equal(true);
  });

  it('waits for objects of other kinds that something holds', async () => {
    await create(served, LEAF, 'held', { tree: 'oak', size: 1 }, { finalizers: ['example.com/hold'] });
    await remove(ROOM, 'hall');
    let asked = 0;
    start(() => ++asked > 0);
    await create(served, ROOM, 'wake');
    await until(async () => asked > 1);
    await settled();
    expect([await status(ROOM, 'hall'), await status(LEAF, 'held')]).to.deep.equal([200, 200]);
    await served.send('PATCH', pathTo(LEAF, 'held'), {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    await create(served, ROOM, 'wake-again');
    await until(isGone);
  });

  it('does not remove a namespace that was made anew meanwhile', async () => {
    const { registry } = served;
    const client = new Client(registry, { user: ROOT });
    await create(served, LEAF, 'x', { tree: 'oak', size: 1 });
    await remove(ROOM, 'hall');
    let isAnew = false;
    const transact: Registry['writer']['transact'] = async (...all) => {
      if (!isAnew) {
        isAnew = true;
        await client.delete(LEAF, 'hall', 'x');
        await client.delete(ROOM, '', 'hall');
        await create(served, ROOM, 'hall');
      }
      return registry.writer.transact(...all);
    };
    start(undefined, { ...registry, writer: { transact } });
    await until(async () => errors.length > 0);
    expect((await served.send('GET', pathTo(ROOM, 'hall'))).body.metadata).to.not.have.property('deletionTimestamp');
    expect(errors.map(String)).to.match(/UID in precondition/);
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
    await create(served, ROOM, 'wake');
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
    expect(errors).to.deep.equal([]);
  });

  it('does nothing without namespaces, and stops when it is told to', async () => {
    start(undefined, { ...served.registry, namespaces: undefined });
    await stop();
    start();
    await stop();
    await fill();
    await remove(ROOM, 'hall');
    await settled();
    expect(await status(LAMP, 'a')).to.equal(200);
  });

  it('says nothing of the deletions that fail because it stops', async () => {
    await fill();
    await remove(ROOM, 'hall');
    start();
    await stop();
    expect(errors).to.deep.equal([]);
    expect(await status(ROOM, 'hall')).to.equal(200);
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

describe('the collector of namespaces, for objects that depend on each other', () => {
  /** Lets the collector try to empty the namespace `hall`, so many times, and returns what went wrong. */
  const collected = async (
    { kinds, registry, put, admin }: World,
    fill: () => Promise<unknown>,
    times = 1,
  ): Promise<unknown[]> => {
    const errors: unknown[] = [];
    let asked = 0;
    await put(kinds.namespace, 'hall');
    await fill();
    await admin.delete(kinds.namespace, '', 'hall');
    const onError = (error: unknown): void => void errors.push(error);
    const stop = startNamespaceCollector(registry, { onError, isElected: () => ++asked > 0 });
    for (let time = 1; time <= times; time++) {
      await put(kinds.namespace, `wake-${time}`);
      await until(async () => asked > time);
    }
    await stop();
    return errors;
  };

  it(
    'does not mind that some are gone with others',
    inWorld(
      async (world) => {
        const { kinds, put, get } = world;
        const errors = await collected(world, async () => {
          await put(kinds.shelf, 'a', {}, { namespace: 'hall' });
          await put(kinds.shelf, 'b', { on: 'a' }, { namespace: 'hall' });
        });
        expect([errors, get(kinds.namespace, 'hall')]).to.deep.equal([[], undefined]);
      },
      { withNamespaces: true },
    ),
  );

  it(
    'removes also those that nobody sees any more, because what they belonged to is gone',
    inWorld(
      async (world) => {
        const { kinds, put, admin, get, names } = world;
        const errors = await collected(world, async () => {
          const { metadata } = await put(kinds.book, 'b', {}, { namespace: 'hall' });
          await put(kinds.slip, 's', { of: 'b', uid: metadata.uid }, { namespace: 'hall' });
          await admin.delete(kinds.book, 'hall', 'b');
        });
        expect([errors, get(kinds.namespace, 'hall'), await names(kinds.slip)]).to.deep.equal([[], undefined, []]);
      },
      { withNamespaces: true },
    ),
  );

  it(
    'deletes what something holds once, however often it looks',
    inWorld(
      async (world) => {
        const { kinds, put, told } = world;
        const held = { namespace: 'hall', finalizers: ['example.com/hold'] };
        await collected(world, () => put(kinds.book, 'held', {}, held), 3);
        expect(told.map(({ message }) => message)).to.deep.equal(['create held', 'delete held']);
      },
      {
        withNamespaces: true,
        kinds: {
          book: {
            reports: {
              written: ({ verb, object }) => ({
                reason: 'Written',
                type: 'Normal',
                message: `${verb} ${object.metadata.name}`,
              }),
            },
          },
        },
      },
    ),
  );

  it(
    'tells the operator which rule refused a deletion, and leaves the namespace',
    inWorld(
      async (world) => {
        const { kinds, put, get } = world;
        const errors = await collected(world, () => put(kinds.book, 'kept', {}, { namespace: 'hall' }));
        expect(errors.map(String)).to.match(/it is lent/);
        expect([get(kinds.namespace, 'hall'), get(kinds.book, 'kept', 'hall')]).to.not.include(undefined);
      },
      {
        withNamespaces: true,
        kinds: {
          book: {
            strategy: {
              validateDelete: ({ metadata }) => {
                throw conflict({ group: '', resource: 'books' }, metadata.name, 'it is lent');
              },
            },
          },
        },
      },
    ),
  );
});
