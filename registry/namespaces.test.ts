import { expect } from 'chai';
import { ApiError } from '../pkg/status/status.js';
import type { Client } from './client.js';
import {
  EmptyNamespaces,
  hasContents,
  hasNamespace,
  isTerminatingNamespace,
  namespaceKind,
  noteIfEmpty,
  requireActiveNamespace,
} from './namespaces.js';
import type { Registry } from './registry.js';
import { inWorld, type World } from './testing/world.js';

const WITH = { withNamespaces: true };

/** Deletes a namespace, and tells whether it is gone at once. */
const isGoneAfter = async ({ kinds, admin }: World, name: string, client: Client = admin): Promise<boolean> =>
  (await client.delete(kinds.namespace, '', name)).isGone === true;

const refusalOf = (work: () => void): ApiError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

describe('a namespace', () => {
  it(
    'is gone at once if it is empty, and otherwise ends, whether or not its objects are in memory',
    inWorld(async (world) => {
      const { kinds, put, get } = world;
      for (const name of ['hall', 'attic', 'cellar']) await put(kinds.namespace, name);
      await put(kinds.book, 'b', {}, { namespace: 'hall' });
      await put(kinds.slip, 's', {}, { namespace: 'attic' });
      const gone = [];
      for (const name of ['hall', 'attic', 'cellar']) gone.push(await isGoneAfter(world, name));
      expect(gone).to.deep.equal([false, false, true]);
      expect(get(kinds.namespace, 'attic')?.metadata).to.have.property('deletionTimestamp');
    }, WITH),
  );

  it(
    'is not taken for empty because it was so before the last write to it',
    inWorld(async ({ kinds, put, registry }) => {
      await put(kinds.namespace, 'hall');
      const { reader, empty } = registry;
      empty.note('hall', reader.revision);
      expect(hasContents(registry, kinds.namespace, 'hall', reader)).to.equal(false);
      await put(kinds.slip, 's', {}, { namespace: 'hall' });
      expect(hasContents(registry, kinds.namespace, 'hall', reader)).to.equal(true);
      // The collector has found nothing that is not in memory.
      expect(hasContents(registry, kinds.namespace, 'hall', reader, false)).to.equal(false);
      expect(hasContents(registry, kinds.namespace, 'attic', reader)).to.equal(true);
      expect(hasContents(registry, kinds.writer, 'hall', reader)).to.equal(false);
    }, WITH),
  );

  it(
    'is not taken for empty by a transaction that has written to it',
    inWorld(async ({ kinds, put, registry, admin }) => {
      for (const name of ['hall', 'attic']) await put(kinds.namespace, name);
      for (const name of ['hall', 'attic']) registry.empty.note(name, registry.reader.revision);
      const slips = admin.uncached(kinds.slip, 'hall');
      const found = await admin.transact(
        (transaction) => {
          const has = (name: string) => hasContents(registry, kinds.namespace, name, transaction.reader);
          const before = ['hall', 'attic'].map(has);
          transaction.objects(kinds.slip, 'hall').create({ metadata: { name: 's' }, spec: {} });
          return [before, ['hall', 'attic'].map(has)];
        },
        [slips.key('s')],
      );
      expect(found).to.deep.equal([
        [false, false],
        [true, false],
      ]);
    }, WITH),
  );

  it(
    'that ends or is not there takes no new objects, and the refusal says so to people and to programs',
    inWorld(async ({ kinds, put, admin, registry }) => {
      const { reader } = registry;
      await put(kinds.namespace, 'hall');
      await put(kinds.book, 'b', {}, { namespace: 'hall' });
      const refused = (namespace: string, given: Pick<Registry, 'namespaces'> = registry) =>
        refusalOf(() => requireActiveNamespace(given, kinds.book, 'new', namespace, reader));
      const isEnding = () => ['hall', 'none'].map((name) => isTerminatingNamespace(registry, name, reader));
      expect(isEnding()).to.deep.equal([false, false]);
      requireActiveNamespace(registry, kinds.book, 'new', 'hall', reader);
      await admin.delete(kinds.namespace, '', 'hall');
      expect(isEnding()).to.deep.equal([true, false]);
      const { code, reason, details } = refused('hall');
      expect([code, reason]).to.deep.equal([403, 'Forbidden']);
      expect(details).to.deep.include({ name: 'new', group: 'library.svc.app', kind: 'books' });
      expect(details?.causes).to.deep.equal([
        {
          reason: 'NamespaceTerminating',
          message: 'namespace hall is being terminated',
          field: 'metadata.namespace',
        },
      ]);
      expect(refused('none').code).to.equal(404);
      expect(refused('n'.repeat(100_000)).message).to.have.length.below(400);
      requireActiveNamespace(registry, kinds.writer, 'new', 'none', reader);
      requireActiveNamespace({ namespaces: undefined }, kinds.book, 'new', 'none', reader);
    }, WITH),
  );

  it(
    'is an object of the kind of namespaces, or without such a kind the one that is called default',
    inWorld(async ({ kinds, put, registry }) => {
      await put(kinds.namespace, 'hall');
      expect(namespaceKind(registry.kinds)).to.equal(kinds.namespace);
      expect(namespaceKind([kinds.book])).to.equal(undefined);
      const names = ['hall', 'default', 'none'];
      expect(names.map((name) => hasNamespace(registry, name))).to.deep.equal([true, false, false]);
      const without = { ...registry, namespaces: undefined };
      expect(names.map((name) => hasNamespace(without, name))).to.deep.equal([false, true, false]);
      expect(isTerminatingNamespace(without, 'hall', registry.reader)).to.equal(false);
    }, WITH),
  );
});

describe('the namespaces that were found empty', () => {
  it(
    'are looked for only by writes to namespaces, and only in the kinds that are not in memory',
    inWorld(async ({ kinds, put, registry }) => {
      await put(kinds.namespace, 'hall');
      const asked: string[] = [];
      const range: Registry['uncached']['range'] = (...all) => {
        asked.push(all[0]);
        return registry.uncached.range(...all);
      };
      const watched = { ...registry, empty: new EmptyNamespaces(), uncached: { range } as Registry['uncached'] };
      await noteIfEmpty(watched, kinds.book, 'hall');
      expect([asked, watched.empty.revisionOf('hall')]).to.deep.equal([[], undefined]);
      await noteIfEmpty(watched, kinds.namespace, 'hall');
      expect(asked).to.have.members([kinds.slip.qualified, kinds.retained.qualified]);
      expect(watched.empty.revisionOf('hall')).to.equal(registry.reader.revision);
    }, WITH),
  );

  it('are remembered with the revision, a hundred of them', () => {
    const empty = new EmptyNamespaces();
    expect(empty.revisionOf('a')).to.equal(undefined);
    for (let i = 0; i < 100; i++) empty.note(`n${i}`, i);
    expect([empty.revisionOf('n0'), empty.revisionOf('n99')]).to.deep.equal([0, 99]);
    const names = Array.from({ length: 301 }, (_, i) => `m${i}`);
    for (const name of names) {
      empty.note(name, 7);
      expect(names.filter((one) => empty.revisionOf(one) !== undefined)).to.have.length.at.most(100);
    }
    expect(empty.revisionOf('m300')).to.equal(7);
  });
});
