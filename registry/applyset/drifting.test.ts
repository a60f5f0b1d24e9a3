import { expect } from 'chai';
import { inWorld, sentObject, type World } from '../testing/world.js';
import { PART_OF } from './names.js';
import { BY_DRIFT } from './record.js';
import { statusOf } from './status.js';
import { applyAll, labelOf, planOf, remembered, SET, setStatus } from './testing/sets.js';

const conditions = (world: World) =>
  setStatus(world)?.conditions.map(({ type, status, reason, lastTransitionTime }) => [
    type,
    status,
    reason,
    lastTransitionTime.slice(11, 16),
  ]);
const message = (world: World) => setStatus(world)?.conditions[1]?.message;

async function fleet(world: World): Promise<void> {
  const { book, writer } = world.kinds;
  await applyAll(world, [
    [book, 'a', { title: 'A', tone: 'low' }],
    [book, 'b', { title: 'B' }],
    [writer, 'w', { name: 'W' }],
  ]);
}

describe('the status of a set', () => {
  it(
    'tells which members differ, in which fields, since when, in the commit that makes them differ',
    inWorld(async (world) => {
      const { book, records } = world.kinds;
      const differing = () => world.registry.reader.entries(records.qualified, BY_DRIFT, []).length;
      await fleet(world);
      expect(differing(), 'only records of members that differ are found').to.equal(0);
      expect(conditions(world)).to.deep.equal([
        ['Synced', 'True', 'AsApplied', '00:00'],
        ['Drifted', 'False', 'AsApplied', '00:00'],
      ]);
      expect(message(world)).to.equal('all members are as they were applied');
      world.clock.time += 60_000;
      const labels = world.get(book, 'a')?.metadata.labels ?? {};
      await world.change(book, 'a', { title: 'X', tone: 'high', pages: '9' }, { labels });
      expect(world.registry.reader.get(world.kinds.set.qualified, 'default', SET)).to.have.property('status');
      expect(conditions(world)).to.deep.equal([
        ['Synced', 'False', 'MembersDiffer', '00:01'],
        ['Drifted', 'True', 'MembersDiffer', '00:01'],
      ]);
      expect(message(world)).to.equal('books.library.svc.app default/a: spec.title, spec.tone');
      expect([setStatus(world)?.drifted, setStatus(world)?.members, differing()]).to.deep.equal([1, 3, 1]);
      world.clock.time += 60_000;
      await world.change(book, 'a', { title: 'X', tone: 'low' });
      expect([message(world), conditions(world)?.[0]?.[3]]).to.deep.equal([
        'books.library.svc.app default/a: spec.title',
        '00:01',
      ]);
      await world.change(book, 'a', { title: 'A', tone: 'low', pages: '8' });
      expect(conditions(world)?.[0]).to.deep.equal(['Synced', 'True', 'AsApplied', '00:02']);
      expect([setStatus(world)?.drifted, await remembered(world)]).to.deep.equal([0, ['a', 'b', 'w']]);
    }),
  );

  it(
    'counts deleted members, also such as are in no namespace',
    inWorld(async (world) => {
      const { book, writer } = world.kinds;
      await fleet(world);
      await world.admin.transact((transaction) => {
        transaction.delete(book, 'default', 'a');
        transaction.delete(writer, '', 'w');
      });
      expect([setStatus(world)?.drifted, message(world)]).to.deep.equal([
        2,
        'books.library.svc.app default/a: it was deleted; writers.library.svc.app w: it was deleted',
      ]);
      await fleet(world);
      expect([setStatus(world)?.drifted, message(world)]).to.deep.equal([0, 'all members are as they were applied']);
    }),
  );

  it(
    'names the first ten members and fields, and how many more there are',
    inWorld(async (world) => {
      const { book } = world.kinds;
      const names = Array.from({ length: 12 }, (_, i) => `b${String(i).padStart(2, '0')}`);
      const spec = Object.fromEntries(names.map((name) => [name, 'x']));
      await applyAll(world, [[book, 'many', spec]]);
      await world.change(book, 'many', {});
      expect(message(world)).to.match(/many: spec\.b00, .*spec\.b09 and 2 more$/);
      const { b10: _, b11: __, ...ten } = spec;
      await applyAll(world, [[book, 'ten', ten]]);
      await world.change(book, 'ten', {});
      expect(message(world)).to.match(/ten: spec\.b00, [^;]*spec\.b09(;|$)/);
      await applyAll(
        world,
        [[book, 'many', spec], [book, 'ten', ten], ...names.map((name) => [book, name, { x: 'y' }] as const)],
        {
          force: true,
        },
      );
      expect(setStatus(world)?.drifted).to.equal(0);
      for (const name of names) await world.change(book, name, {});
      expect(setStatus(world)?.drifted).to.equal(12);
      const told = message(world) ?? '';
      expect(told.split('; ')).to.have.length(11);
      expect(told).to.match(/; and 2 more$/);
      await world.change(book, 'b00', { x: 'y' });
      await world.change(book, 'b01', { x: 'y' });
      expect(message(world)?.split('; ')).to.have.length(10);
      expect(message(world)).to.not.match(/more$/);
    }),
  );

  it(
    'tells apart members that are remembered together',
    inWorld(async (world) => {
      const { book, records } = world.kinds;
      // The keys of these have the same hash, so they share a record.
      const names = ['n17', 'n32', 'n248', 'n313'];
      await applyAll(
        world,
        names.map((name) => [book, name, { x: '1' }] as const),
      );
      expect(await world.all(records)).to.have.length(1);
      await world.change(book, 'n32', { x: '2' });
      expect([setStatus(world)?.drifted, message(world)]).to.deep.equal([
        1,
        'books.library.svc.app default/n32: spec.x',
      ]);
      await world.admin.delete(book, 'default', 'n17');
      expect([setStatus(world)?.drifted, await remembered(world)]).to.deep.equal([
        2,
        ['n17: it was deleted', 'n248', 'n313', 'n32: spec.x'],
      ]);
      await applyAll(world, [[book, 'n313', { x: '1' }]], { prune: true });
      expect(await remembered(world)).to.deep.equal(['n313']);
    }),
  );

  it(
    'is the same after a write that changes no applied field, and nothing is written for it',
    inWorld(async (world) => {
      const { book, set, records } = world.kinds;
      await fleet(world);
      const before = [world.get(set, SET), await world.all(records)];
      await world.change(book, 'a', { title: 'A', tone: 'low', pages: '9' });
      await world.put(book, 'stranger');
      expect([world.get(set, SET), await world.all(records)]).to.deep.equal(before);
      await world.with({ isDryRun: true }).delete(book, 'default', 'a');
      expect([world.get(set, SET), await world.all(records)]).to.deep.equal(before);
    }),
  );

  it(
    'tells people when members begin to differ, and not again while they do',
    inWorld(
      async (world) => {
        const { book } = world.kinds;
        await fleet(world);
        world.told.length = 0;
        await world.change(book, 'a', { title: 'X' });
        await world.change(book, 'b', { title: 'X' });
        await world.change(book, 'a', { title: 'Y' });
        expect(world.told.map(({ message: text }) => text)).to.deep.equal(['True 1']);
        await fleetForced(world);
        await world.change(book, 'b', { title: 'X' });
        expect(world.told.map(({ message: text }) => text)).to.deep.equal(['True 1', 'True 1']);
      },
      {
        kinds: {
          set: {
            reports: {
              written: ({ verb, object }) => {
                const status = statusOf(object);
                const drifted = status?.conditions[1]?.status;
                return verb === 'update' && drifted === 'True'
                  ? { reason: 'Drifted', type: 'Warning', message: `${drifted} ${status?.drifted}` }
                  : undefined;
              },
            },
          },
        },
      },
    ),
  );

  it(
    'is that of the last request, also if that changes no object',
    inWorld(async (world) => {
      const { book } = world.kinds;
      await applyAll(world, [[book, 'a', { title: 'A', tone: 'low' }]]);
      await world.with({ fieldManager: 'me' }).apply(book, 'default', {
        object: sentObject(book, 'b', {}, { labels: { [PART_OF]: labelOf(world) } }),
        preconditions: {},
        force: false,
      });
      const b = await applyAll(world, [[book, 'b']]);
      expect([planOf(b), setStatus(world)?.members]).to.deep.equal([['unchanged Book b'], 2]);
      const you = world.with({ fieldManager: 'you' });
      await you.update(book, 'default', 'a', (old) => ({ ...old, spec: { title: 'X', tone: 'low' } }));
      expect(setStatus(world)?.drifted).to.equal(1);
      const a = await applyAll(world, [[book, 'a', { tone: 'low' }]]);
      expect([planOf(a), setStatus(world)?.drifted]).to.deep.equal([['unchanged Book a'], 0]);
    }),
  );

  it(
    'goes with the set, and the members stay',
    inWorld(async (world) => {
      const { book, set, records } = world.kinds;
      await fleet(world);
      await world.admin.delete(set, 'default', SET);
      expect([await world.all(records), await world.names(book)]).to.deep.equal([[], ['a', 'b']]);
      await world.change(book, 'a', { title: 'X' });
      expect(await world.all(set)).to.deep.equal([]);
    }),
  );

  it(
    'is that of each set that has applied the object',
    inWorld(async (world) => {
      const { book } = world.kinds;
      await applyAll(world, [[book, 'a', { title: 'A' }]]);
      await applyAll(world, [[book, 'a', { tone: 'low' }]], { name: 'second', force: true });
      expect([setStatus(world)?.drifted, setStatus(world, 'second')?.drifted]).to.deep.equal([1, 0]);
      await world.change(book, 'a', { title: 'A', tone: 'high' });
      expect([setStatus(world)?.drifted, setStatus(world, 'second')?.drifted]).to.deep.equal([1, 1]);
    }),
  );

  it(
    'counts a member that another object of the same request has changed',
    inWorld(
      async (world) => {
        const { book, writer } = world.kinds;
        await applyAll(world, [
          [writer, 'w', { name: 'W' }],
          [book, 'a', { title: 'A' }],
        ]);
        expect(await remembered(world)).to.deep.equal(['a', 'w: spec.name']);
        expect(setStatus(world)?.drifted).to.equal(1);
      },
      {
        kinds: {
          book: {
            strategy: {
              alsoWrite: () => [{ resource: 'writers.library.svc.app', name: 'w', spec: { name: 'changed' } }],
            },
          },
        },
      },
    ),
  );
});

async function fleetForced(world: World): Promise<void> {
  const { book, writer } = world.kinds;
  await applyAll(
    world,
    [
      [book, 'a', { title: 'A', tone: 'low' }],
      [book, 'b', { title: 'B' }],
      [writer, 'w', { name: 'W' }],
    ],
    { force: true },
  );
}
