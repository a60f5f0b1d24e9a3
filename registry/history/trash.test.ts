import { expect } from 'chai';
import { parseLabelSelector } from '../../pkg/kube/selectors/labels.js';
import type { Entry } from '../read/reader.js';
import { inWorld, type World } from '../testing/world.js';
import { type TrashQuery, trashPage } from './trash.js';

const MINUTE = 60_000;
const nameOf = ({ key }: Entry) => key.split('/').at(-1);
const parsed = ({ value }: Entry) => JSON.parse(Buffer.from(value).toString());

function query(world: World, more: Partial<TrashQuery> = {}): TrashQuery {
  return {
    kind: world.kinds.shelf,
    namespace: 'default',
    user: world.admin.options.user,
    limit: 0,
    after: '',
    matches: () => true,
    ...more,
  };
}

const inTrash = async (world: World, more: Partial<TrashQuery> = {}) =>
  (await trashPage(world.registry, query(world, more))).entries.map(nameOf);

async function deleted(world: World, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    world.clock.time += 1000;
    await world.put(world.kinds.shelf, name, {}, { labels: { of: name } });
    await world.admin.delete(world.kinds.shelf, 'default', name);
  }
}

describe('the trash', () => {
  it(
    'has what was deleted and can come back, the last deleted first, with time and author of the deletion',
    inWorld(async (world) => {
      const { kinds, registry } = world;
      await deleted(world, 'a', 'b');
      await world.put(kinds.shelf, 'living');
      const { entries, last } = await trashPage(registry, query(world));
      expect([entries.map(nameOf), last]).to.deep.equal([['b', 'a'], undefined]);
      const [first] = entries;
      if (first === undefined) return;
      expect(first.attributes.labels).to.deep.equal({ of: 'b', 'svc.app/get-trash': 'true' });
      const { metadata, spec } = parsed(first);
      expect([spec, metadata.labels, metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds]).to.deep.equal([
        {},
        { of: 'b' },
        '2026-01-01T00:00:02Z',
        0,
      ]);
      expect(metadata.annotations).to.include({
        'svc.app/updatedBy': 'user:admins',
        'svc.app/updatedTimestamp': '2026-01-01T00:00:02Z',
        'svc.app/keptUntil': '2026-01-31T00:00:02Z',
      });
      expect(Number(metadata.resourceVersion)).to.equal(first.revision);
    }),
  );

  it(
    'is that of a namespace and a kind',
    inWorld(
      async (world) => {
        const { kinds, put, admin } = world;
        await deleted(world, 'a');
        await put(kinds.shelf, 'far', {}, { namespace: 'other' });
        await admin.delete(kinds.shelf, 'other', 'far');
        await put(kinds.book, 'book');
        await admin.delete(kinds.book, 'default', 'book');
        expect(await inTrash(world)).to.deep.equal(['a']);
        expect(await inTrash(world, { namespace: 'other' })).to.deep.equal(['far']);
        expect(await inTrash(world, { kind: kinds.book })).to.deep.equal(['book']);
      },
      { kinds: { book: { trash: true } } },
    ),
  );

  it(
    'is left by what has come back, by what has expired, and not by what has only a namesake',
    inWorld(
      async (world) => {
        await deleted(world, 'a');
        await world.put(world.kinds.shelf, 'a');
        expect(await inTrash(world)).to.deep.equal(['a']);
        world.clock.time += MINUTE - 1;
        expect(await inTrash(world)).to.deep.equal(['a']);
        world.clock.time += 1;
        expect(await inTrash(world)).to.deep.equal([]);
      },
      { retention: { trash: MINUTE } },
    ),
  );

  it(
    'shows what the caller may view, by the place that it had',
    inWorld(async (world) => {
      const { kinds, put, admin } = world;
      await put(kinds.shelf, 'top');
      await put(kinds.shelf, 'low', { on: 'top' });
      await put(kinds.shelf, 'in', { on: 'low' });
      await put(kinds.shelf, 'out');
      await admin.delete(kinds.shelf, 'default', 'out');
      for (const name of ['in', 'low']) {
        world.clock.time += 1000;
        await admin.delete(kinds.shelf, 'default', name);
      }
      const sees = (...permissions: readonly string[]) =>
        inTrash(world, { user: world.as(...permissions).options.user });
      expect(await sees('shelves:read shelves:uid:top')).to.deep.equal(['low', 'in']);
      expect(await sees('shelves:read shelves:uid:low')).to.deep.equal(['low', 'in']);
      expect(await sees('shelves:read shelves:uid:in')).to.deep.equal(['in']);
      expect(await sees('shelves:read shelves:uid:out')).to.deep.equal(['out']);
      expect(await sees('shelves:read *')).to.deep.equal(['low', 'in', 'out']);
      expect(await sees()).to.deep.equal([]);
      await put(kinds.shelf, 'low');
      expect(await sees('shelves:read shelves:uid:low')).to.deep.equal([]);
      expect(await sees('shelves:read shelves:uid:top')).to.deep.equal(['low', 'in']);
      await admin.delete(kinds.shelf, 'default', 'top');
      expect(await sees('shelves:read shelves:uid:top')).to.include.members(['top', 'in']);
      expect(await sees('shelves:read shelves:uid:floor')).to.not.include('in');
      await put(kinds.shelf, 'top');
      expect(await sees('shelves:read shelves:uid:top')).to.not.include('in');
      expect(await sees('shelves:read *')).to.include('in');
    }),
  );

  it(
    'shows what the selectors select',
    inWorld(async (world) => {
      await deleted(world, 'a', 'b');
      const parsedSelector = parseLabelSelector('of=a,svc.app/get-trash=true');
      const matches = ({ attributes }: Entry) => parsedSelector.matches(attributes.labels ?? {});
      expect(await inTrash(world, { matches })).to.deep.equal(['a']);
    }),
  );

  it(
    'has pages that continue where the last one ended',
    inWorld(async (world) => {
      await deleted(world, 'a', 'b', 'c');
      const first = await trashPage(world.registry, query(world, { limit: 2 }));
      expect([first.entries.map(nameOf), typeof first.last]).to.deep.equal([['c', 'b'], 'string']);
      const second = await trashPage(world.registry, query(world, { limit: 2, after: first.last ?? '' }));
      expect([second.entries.map(nameOf), second.last]).to.deep.equal([['a'], undefined]);
      const exact = await trashPage(world.registry, query(world, { limit: 3 }));
      const end = await trashPage(world.registry, query(world, { limit: 3, after: exact.last ?? '' }));
      expect([exact.entries.length, end.entries, end.last]).to.deep.equal([3, [], undefined]);
    }),
  );

  it(
    'has pages of at most 200 objects, 1000 rows or four MiB',
    inWorld(async (world) => {
      const { kinds, put, admin, registry } = world;
      await put(kinds.shelf, 'top');
      for (let i = 0; i < 205; i++) await put(kinds.shelf, `s${i}`, { on: 'top' });
      await admin.delete(kinds.shelf, 'default', 'top');
      const whole = await trashPage(registry, query(world));
      expect([whole.entries.length, typeof whole.last]).to.deep.equal([200, 'string']);
      const rest = await trashPage(registry, query(world, { after: whole.last ?? '' }));
      expect([rest.entries.length, rest.last]).to.deep.equal([6, undefined]);
      expect((await trashPage(registry, query(world, { limit: 1000 }))).entries).to.have.length(200);
      const one = await trashPage(registry, query(world, { matches: (entry) => nameOf(entry) === 's3' }));
      expect([one.entries.map(nameOf), one.last]).to.deep.equal([['s3'], undefined]);
      const text = 'x'.repeat(900_000);
      world.clock.time += 1000;
      for (let i = 0; i < 6; i++) await put(kinds.shelf, `large${i}`, { text });
      for (let i = 0; i < 6; i++) await admin.delete(kinds.shelf, 'default', `large${i}`);
      const large = await trashPage(registry, query(world));
      expect([large.entries.length, typeof large.last]).to.deep.equal([5, 'string']);
    }),
  );
});
