import { expect } from 'chai';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { grantsOf } from '../../pkg/identity/authz/grants.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { keyOf } from '../../storage/key.js';
import { type Entry, MemoryEntry } from '../../storage/state/entry.js';
import type { GrantSource } from '../kinds/authorizer.js';
import type { Reader } from '../read/reader.js';
import { caller, inWorld, type World } from '../testing/world.js';
import { RemovedPlaces } from './removed-places.js';
import { scopeHierarchy } from './scope-hierarchy.js';
import { watchFilter } from './watch-filter.js';
import { followed } from './watched-places.js';

/** Grants that are the same as long as the writer `grants` does not change. */
function source(world: World, actions: readonly string[]): GrantSource {
  const versionIn = (reader: Reader) => reader.entry(world.kinds.writer.qualified, '', 'grants')?.revision;
  const grants = grantsOf(actions.map((action) => ({ action, scope: 'shelves:uid:seen' })));
  return {
    resolve: (_user: UserInfo, reader: Reader) => {
      const version = versionIn(reader);
      return { grants: () => grants, isMember: () => true, isCurrent: (at: Reader) => versionIn(at) === version };
    },
  };
}

const codeOf = (work: () => unknown): number | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return undefined;
};

function filterFrom(world: World, after: number, user = caller('ann')) {
  const { kinds, registry } = world;
  const hierarchy = scopeHierarchy(kinds.book, new Map(registry.kinds.map((kind) => [kind.qualified, kind])));
  const attributes = { user, verb: 'watch', kind: kinds.book, namespace: 'default' };
  return watchFilter(attributes, hierarchy, source(world, ['books:read']), registry.cacher, after);
}

async function fill({ put, kinds }: World): Promise<void> {
  await put(kinds.writer, 'grants', { x: '1' });
  await put(kinds.shelf, 'seen');
  await put(kinds.book, 'a', { on: 'seen' });
}

describe('the grants of a watch', () => {
  it(
    'end it when they change, also for a caller who may do everything',
    inWorld(async (world) => {
      const { kinds, admin, registry, put } = world;
      await fill(world);
      const master = { ...caller('ann'), groups: [MASTERS_GROUP] };
      const filters = [caller('ann'), master].map((user) => filterFrom(world, registry.reader.revision, user));
      await put(kinds.book, 'b', { on: 'seen' });
      const entry = registry.reader.entry(kinds.book.qualified, 'default', 'b');
      for (const filter of filters) {
        expect(codeOf(() => filter.check())).to.equal(undefined);
        expect(entry && filter.allows(entry)).to.equal(true);
      }
      await admin.update(kinds.writer, '', 'grants', (old) => ({ ...old, spec: { x: '2' } }));
      for (const filter of filters) expect(codeOf(() => filter.check())).to.equal(410);
    }),
  );

  it(
    'must have been the same when it began',
    inWorld(async (world) => {
      const { kinds, admin, registry, put } = world;
      await fill(world);
      const before = registry.reader.revision;
      await put(kinds.book, 'b', { on: 'seen' });
      expect(codeOf(() => filterFrom(world, before))).to.equal(undefined);
      await admin.update(kinds.writer, '', 'grants', (old) => ({ ...old, spec: { x: '2' } }));
      const changed = registry.reader.revision;
      expect(codeOf(() => filterFrom(world, before))).to.equal(410);
      expect(codeOf(() => filterFrom(world, changed))).to.equal(undefined);
      await put(kinds.book, 'c', { on: 'seen' });
      expect(codeOf(() => filterFrom(world, changed))).to.equal(undefined);
    }),
  );

  it(
    'are asked about each entry that is delivered',
    inWorld(async (world) => {
      const { kinds, admin, registry } = world;
      await fill(world);
      const filter = filterFrom(world, registry.reader.revision);
      const entry = registry.reader.entry(kinds.book.qualified, 'default', 'a');
      await admin.update(kinds.writer, '', 'grants', (old) => ({ ...old, spec: { x: '2' } }));
      expect(codeOf(() => entry && filter.allows(entry))).to.equal(410);
    }),
  );

  it(
    'cannot be told of a revision that is too old',
    inWorld(async (world) => {
      const { kinds, put, registry } = world;
      await fill(world);
      const { revision } = registry.reader;
      await put(kinds.writer, 'w');
      await put(kinds.writer, 'v');
      const ring = registry.cacher.ring(kinds.writer.qualified);
      while (ring.start < ring.end) ring.drop();
      expect(codeOf(() => filterFrom(world, revision))).to.equal(410);
    }),
  );
});

describe('the places that were removed since a watch began', () => {
  it('are remembered without their content, up to a number', () => {
    const places = new RemovedPlaces();
    const attributes = { labels: undefined, fields: undefined, container: 'top' };
    const entry = (i: number) => new MemoryEntry(keyOf('a', 'b', `c${i}`), i, Buffer.from('{}'), attributes);
    for (let i = 0; i < 10_000; i++) places.add(entry(i));
    expect(codeOf(() => places.add(entry(10_000)))).to.equal(410);
    const known = places.get(keyOf('a', 'b', 'c7'));
    expect([known?.attributes.container, known?.revision, known?.size]).to.deep.equal(['top', 7, 0]);
    expect(places.get(keyOf('a', 'b', 'none'))).to.equal(undefined);
  });
});

describe('what a watch follows for a caller who may view everything', () => {
  it(
    'are the containers, the objects that the objects are about, and the containers of these',
    inWorld(async ({ kinds: { book, shelf, writer }, registry }) => {
      const kinds = new Map(registry.kinds.map((kind) => [kind.qualified, kind]));
      const about = { resource: book.qualified, name: () => undefined };
      const note = { ...writer, permissions: { ...writer.permissions, about } } as unknown as typeof book;
      const all = followed(scopeHierarchy(note, kinds), undefined, registry.reader);
      expect(all.map(({ resource }) => resource)).to.deep.equal([book.qualified, shelf.qualified]);
      const at = (container: string) => ({ attributes: { container } }) as unknown as Entry;
      const event = { previous: at('a'), current: at('b') } as unknown as Parameters<(typeof all)[0]['check']>[0];
      for (const { check } of all) expect(codeOf(() => check({ ...event, key: keyOf('r', 'n', 'x') }))).to.equal(410);
    }),
  );
});
