import { expect } from 'chai';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Client } from '../client/client.js';
import { inWorld, type World } from '../testing/world.js';
import {
  hasContents,
  hasNamespace,
  isTerminatingNamespace,
  namespaceKind,
  requireActiveNamespace,
} from './namespaces.js';
import type { Registry } from './registry.js';

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
    'is gone at once if it is empty, and otherwise ends',
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
    'has contents as long as any kind has objects in it, also in a transaction',
    inWorld(async ({ kinds, put, registry, admin }) => {
      const has = (name: string, reader = registry.reader) => hasContents(registry, kinds.namespace, name, reader);
      for (const name of ['hall', 'attic']) await put(kinds.namespace, name);
      await put(kinds.slip, 's', {}, { namespace: 'hall' });
      expect([has('hall'), has('attic')]).to.deep.equal([true, false]);
      expect(hasContents(registry, kinds.writer, 'hall', registry.reader)).to.equal(false);
      const found = await admin.transact((transaction) => {
        transaction.objects(kinds.slip, 'attic').create({ metadata: { name: 's' }, spec: {} });
        transaction.objects(kinds.slip, 'hall').delete('s');
        return [has('hall', transaction.reader), has('attic', transaction.reader)];
      });
      expect(found).to.deep.equal([false, true]);
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
