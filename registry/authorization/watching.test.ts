import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { WatchFilter } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { inWorld, sentObject, type World } from '../testing/world.js';

/** A label is about a book. */
const ABOUT_A_BOOK = {
  kinds: {
    slip: {
      cached: true,
      dependsOn: undefined as never,
      expiry: undefined as never,
      permissions: {
        get: ['slips:read'],
        create: ['slips:create'],
        update: ['slips:write'],
        delete: ['slips:delete'],
        scopes: () => [],
        about: {
          resource: 'books.library.svc.app',
          name: ({ spec }: { readonly spec?: unknown }) => (spec as Record<string, string>)['of'],
        },
      },
    },
  },
};

/** A shelf may be private. */
const WITH_PRIVATE_SHELVES = {
  kinds: {
    shelf: {
      permissions: {
        get: ['shelves:read'],
        create: ['shelves:create'],
        update: ['shelves:write'],
        delete: ['shelves:delete'],
        scopes: ({ metadata }: KubeObject) => [`shelves:uid:${metadata.name}`],
        restriction: {
          restricts: ({ spec }: KubeObject) => (spec as Record<string, string>)['private'] !== undefined,
          actions: ['shelves:write'],
          annotation: 'private',
        },
      },
    },
  },
};

function watch(
  world: World,
  kind: Kind,
  user: UserInfo,
  after = world.registry.reader.revision,
  namespace = 'default',
): WatchFilter {
  const { authorizer, cacher } = world.registry;
  return authorizer.watchFilter({ user, verb: 'watch', kind, namespace }, cacher, after);
}

/** Whether the watch goes on. */
function goesOn(filter: WatchFilter): boolean {
  try {
    filter.check();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 410) return false;
    throw error;
  }
}

const userOf = (world: World, ...permissions: readonly string[]): UserInfo => world.as(...permissions).options.user;

/** Stores an object that waits for one that it names. */
async function putWaiting(world: World, kind: Kind, name: string, spec: object): Promise<void> {
  await world.with({ waits: true }).create(kind, 'default', sentObject(kind, name, spec));
}

/** Shelves `seen` and `hidden`, and `inner` on `seen`. The caller sees `seen`. */
async function shelves(world: World): Promise<UserInfo> {
  const { put, kinds } = world;
  await put(kinds.shelf, 'seen');
  await put(kinds.shelf, 'hidden');
  await put(kinds.shelf, 'inner', { on: 'seen' });
  return userOf(world, 'books:read shelves:uid:seen');
}

describe('the filter of a watch', () => {
  it(
    'allows what the caller may view, also what is made later',
    inWorld(async (world) => {
      const { put, kinds, registry } = world;
      const filter = watch(world, kinds.book, await shelves(world));
      expect(filter.all).to.equal(false);
      const allows = async (name: string, on?: string) => {
        await put(kinds.book, name, on === undefined ? {} : { on });
        const entry = registry.reader.entry(kinds.book.qualified, 'default', name);
        return entry !== undefined && filter.allows(entry);
      };
      expect([
        await allows('a', 'seen'),
        await allows('b', 'inner'),
        await allows('c', 'hidden'),
        await allows('d'),
      ]).to.deep.equal([true, true, false, false]);
      await put(kinds.shelf, 'new', { on: 'inner' });
      expect([await allows('e', 'new'), goesOn(filter)]).to.deep.equal([true, true]);
    }),
  );

  it(
    'ends when a container moves in or out of what the caller views, and not when it moves within',
    inWorld(async (world) => {
      const { change, kinds, put } = world;
      const user = await shelves(world);
      for (const [name, on] of [
        ['a', 'seen'],
        ['b', 'hidden'],
        ['c', 'inner'],
      ] as const)
        await put(kinds.shelf, name, { on });
      const filter = watch(world, kinds.book, user);
      await change(kinds.shelf, 'a', { on: 'inner' });
      await change(kinds.shelf, 'b', {});
      await change(kinds.shelf, 'c', { on: 'inner', x: '1' });
      expect(goesOn(filter)).to.equal(true);
      await change(kinds.shelf, 'b', { on: 'seen' });
      expect(goesOn(filter)).to.equal(false);
      const next = watch(world, kinds.book, user);
      expect(goesOn(next)).to.equal(true);
      await change(kinds.shelf, 'inner', { on: 'hidden' });
      expect(goesOn(next)).to.equal(false);
    }),
  );

  it(
    'goes on when a container is made or deleted, and still knows the place of what was in it',
    inWorld(async (world) => {
      const { kinds, put, registry, admin } = world;
      const user = await shelves(world);
      await put(kinds.book, 'in', { on: 'inner' });
      await put(kinds.book, 'out', { on: 'hidden' });
      const filter = watch(world, kinds.book, user);
      const entryOf = (name: string) => registry.reader.entry(kinds.book.qualified, 'default', name);
      const [inside, outside] = [entryOf('in'), entryOf('out')];
      await put(kinds.shelf, 'more');
      await admin.delete(kinds.shelf, 'default', 'seen');
      await admin.delete(kinds.shelf, 'default', 'hidden');
      expect(goesOn(filter)).to.equal(true);
      if (inside === undefined || outside === undefined) throw new Error('they were there');
      expect([filter.allows(inside), filter.allows(outside)]).to.deep.equal([true, false]);
    }),
  );

  it(
    'ends when a container comes back, because what lay in it would be judged by the new one',
    inWorld(async (world) => {
      const { kinds, put, admin } = world;
      const user = await shelves(world);
      for (const on of ['hidden', 'seen', 'seen']) {
        const filter = watch(world, kinds.book, user);
        await admin.delete(kinds.shelf, 'default', 'inner');
        expect(goesOn(filter)).to.equal(true);
        await put(kinds.shelf, 'inner', { on });
        expect(goesOn(filter)).to.equal(false);
      }
    }),
  );

  it(
    'does not follow containers of other namespaces',
    inWorld(async (world) => {
      const { kinds, put, admin } = world;
      const user = await shelves(world);
      for (const name of ['seen', 'inner']) await put(kinds.shelf, name, {}, { namespace: 'other' });
      const move = (on: string) => admin.update(kinds.shelf, 'other', 'inner', (old) => ({ ...old, spec: { on } }));
      const filter = watch(world, kinds.book, user);
      await move('seen');
      expect(goesOn(filter)).to.equal(true);
      const everywhere = watch(world, kinds.book, user, undefined, '');
      await put(kinds.shelf, 'third', {}, { namespace: 'other' });
      await move('third');
      expect(goesOn(filter)).to.equal(true);
      expect(goesOn(everywhere)).to.equal(false);
    }),
  );

  it(
    'follows what the objects are about, and the containers of that',
    inWorld(async (world) => {
      const { kinds, put, change, registry, admin } = world;
      await shelves(world);
      const user = userOf(world, 'slips:read shelves:uid:seen', 'slips:read books:uid:mine');
      for (const [name, on] of [
        ['a', 'inner'],
        ['b', 'hidden'],
        ['mine', 'hidden'],
      ] as const) {
        await put(kinds.book, name, { on });
        await put(kinds.slip, `of-${name}`, { of: name });
      }
      const filter = watch(world, kinds.slip, user);
      const allowed = () =>
        ['of-a', 'of-b', 'of-mine'].filter((name) => {
          const entry = registry.reader.entry(kinds.slip.qualified, 'default', name);
          return entry !== undefined && filter.allows(entry);
        });
      expect(allowed()).to.deep.equal(['of-a', 'of-mine']);
      await change(kinds.book, 'b', {});
      await change(kinds.book, 'a', { on: 'seen' });
      await change(kinds.book, 'mine', {});
      await put(kinds.book, 'new', { on: 'seen' });
      await admin.delete(kinds.book, 'default', 'new');
      expect([goesOn(filter), allowed()]).to.deep.equal([true, ['of-a', 'of-mine']]);
      await change(kinds.book, 'b', { on: 'inner' });
      expect(goesOn(filter)).to.equal(false);
      const next = watch(world, kinds.slip, user);
      await change(kinds.shelf, 'inner', { on: 'hidden' });
      expect(goesOn(next)).to.equal(false);
    }, ABOUT_A_BOOK),
  );

  it(
    'of a caller who may view everything follows nothing, and knows each object',
    inWorld(async (world) => {
      const { kinds, put, change, registry } = world;
      await shelves(world);
      for (const user of [world.admin.options.user, userOf(world, 'books:read *')]) {
        const filter = watch(world, kinds.book, user);
        expect(filter.all).to.equal(true);
        await change(kinds.shelf, 'inner', { on: 'hidden' });
        await change(kinds.shelf, 'inner', { on: 'seen' });
        expect(goesOn(filter)).to.equal(true);
      }
      await put(kinds.book, 'a');
      const entry = registry.reader.entry(kinds.book.qualified, 'default', 'a');
      expect(entry && watch(world, kinds.book, world.admin.options.user).allows(entry)).to.equal(true);
    }),
  );

  it(
    'of a kind whose objects differ in more than their place ends with each move of a container',
    inWorld(
      async (world) => {
        const { kinds, put, change } = world;
        const user = await shelves(world);
        await put(kinds.shelf, 'a', { on: 'hidden' });
        const filter = watch(world, kinds.book, user);
        await put(kinds.shelf, 'b');
        await change(kinds.shelf, 'a', { on: 'hidden', x: '1' });
        expect(goesOn(filter)).to.equal(true);
        await change(kinds.shelf, 'a', {});
        expect(goesOn(filter)).to.equal(false);
      },
      {
        kinds: {
          book: {
            permissions: {
              get: ['books:read'],
              create: ['books:create'],
              update: ['books:write'],
              delete: ['books:delete'],
              actionsOf: () => undefined,
              scopes: ({ metadata }) => [`books:uid:${metadata.name}`],
            },
          },
        },
      },
    ),
  );

  it(
    'that begins in the past also sees what has changed since',
    inWorld(async (world) => {
      const { kinds, change, registry } = world;
      const user = await shelves(world);
      const { revision } = registry.reader;
      await change(kinds.shelf, 'inner', { on: 'hidden' });
      expect(() => watch(world, kinds.book, user, revision)).to.throw(
        ApiError,
        'the set of objects that you may view has changed',
      );
      expect(goesOn(watch(world, kinds.book, user))).to.equal(true);
    }),
  );

  it(
    'of a caller with a basic role ends if a place was private in the meantime, and not for other changes of it',
    inWorld(async (world) => {
      const { kinds, put, change } = world;
      await put(kinds.shelf, 'a');
      const filter = watch(world, kinds.book, userOf(world, 'books:read books:* basic'));
      expect(filter.all).to.equal(true);
      await change(kinds.shelf, 'a', { x: '1' });
      await put(kinds.shelf, 'b');
      expect(goesOn(filter)).to.equal(true);
      await change(kinds.shelf, 'a', { private: 'yes' });
      await change(kinds.shelf, 'a', {});
      expect(goesOn(filter)).to.equal(false);
    }, WITH_PRIVATE_SHELVES),
  );

  it(
    'of a caller who may not write everywhere ends if a place waited in the meantime',
    inWorld(async (world) => {
      const { kinds, put, admin } = world;
      for (const end of [
        () => put(kinds.shelf, 'later'),
        () => admin.delete(kinds.shelf, 'default', 'early').then(() => undefined),
      ]) {
        const filters = ['books:read *', 'books:* *'].map((one) => watch(world, kinds.book, userOf(world, one)));
        expect(filters.map(({ all }) => all)).to.deep.equal([true, true]);
        await putWaiting(world, kinds.shelf, 'early', { on: 'later' });
        await end();
        expect(filters.map(goesOn)).to.deep.equal([false, true]);
        for (const name of ['early', 'later'])
          if (world.get(kinds.shelf, name) !== undefined) await admin.delete(kinds.shelf, 'default', name);
      }
    }),
  );

  it(
    'ends when a place that the caller has a permission on waits no more, because its contents appear',
    inWorld(async (world) => {
      const { kinds, put, registry } = world;
      await putWaiting(world, kinds.shelf, 'early', { on: 'later' });
      await putWaiting(world, kinds.book, 'a', { on: 'early' });
      const entry = registry.reader.entry(kinds.book.qualified, 'default', 'a');
      const filter = watch(world, kinds.book, userOf(world, 'books:read shelves:uid:early'));
      expect([entry && filter.allows(entry), goesOn(filter)]).to.deep.equal([false, true]);
      await put(kinds.shelf, 'other');
      expect(goesOn(filter)).to.equal(true);
      await put(kinds.shelf, 'later');
      expect(goesOn(filter)).to.equal(false);
    }),
  );

  it(
    'of a kind that lies nowhere follows nothing but the rights',
    inWorld(async (world) => {
      const { kinds, put, registry } = world;
      await put(kinds.writer, 'a');
      await put(kinds.writer, 'b');
      const filter = watch(world, kinds.writer, userOf(world, 'writers:read writers:uid:a'), undefined, '');
      const entries = ['a', 'b'].map((name) => registry.reader.entry(kinds.writer.qualified, '', name));
      expect(entries.map((entry) => entry && filter.allows(entry))).to.deep.equal([true, false]);
      await put(kinds.shelf, 'seen');
      expect(goesOn(filter)).to.equal(true);
    }),
  );
});
