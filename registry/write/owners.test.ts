import { expect } from 'chai';
import type { KubeObject, OwnerReference } from '../../pkg/kube/meta/types.js';
import type { Kind } from '../kinds/kind.js';
import type { Entry, Reader } from '../read/reader.js';
import { library } from '../testing/library.js';
import { readerOf } from '../testing/reader.js';
import { objectOfKind } from '../testing/write-context.js';
import { dependentsOf, hasOwner, isBlocking, isDependent, names, ownerKind, removedOf } from './owners.js';

const { shelf, book, writer, slip, lock, namespace } = library();
const OLD_BOOK: Kind = {
  ...book,
  kind: 'OldBook',
  conversion: { storageKind: book.qualified, convert: (one) => one },
};
const REGISTRY = { kinds: [namespace, OLD_BOOK, shelf, book, writer, slip, lock] };

const to = (kind: Kind, name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  name,
  uid: `${name}-uid`,
  ...more,
});
const owned = (kind: Kind, name: string, owner: OwnerReference, at = 'default'): readonly [Kind, KubeObject] => [
  kind,
  objectOfKind(kind, name, {}, { ownerReferences: [owner], ...(kind.scope === 'Namespaced' && { namespace: at }) }),
];

describe('the kind of an owner', () => {
  const kindFor = (apiVersion: string, kind: string) => ownerKind(REGISTRY, { apiVersion, kind });

  it('follows from group and kind, in any version', () => {
    expect(kindFor('library.svc.app/v1', 'Book')).to.equal(book);
    expect(kindFor('library.svc.app/v9', 'Book')).to.equal(book);
    expect(kindFor('v1', 'Namespace')).to.equal(namespace);
    for (const [apiVersion, kind] of [
      ['other.svc.app/v1', 'Book'],
      ['library.svc.app/v1', 'Boot'],
      ['library.svc.app', 'Book'],
      ['v1', 'Book'],
    ] as const)
      expect(kindFor(apiVersion, kind), `${apiVersion} ${kind}`).to.equal(undefined);
  });

  it('is the stored one of a kind that is stored as another, and none of an internal kind', () => {
    expect(kindFor('library.svc.app/v1', 'OldBook')).to.equal(book);
    expect(kindFor('library.svc.app/v1', 'Lock')).to.equal(undefined);
  });
});

describe('a reference to an owner', () => {
  const owner = objectOfKind(book, 'a');

  it('names the object with the uid, the name and the kind', () => {
    expect(names(REGISTRY, to(book, 'a'), owner)).to.equal(true);
    expect(names(REGISTRY, to(OLD_BOOK, 'a'), owner)).to.equal(true);
    expect(names(REGISTRY, to(book, 'a', { uid: 'x' }), owner)).to.equal(false);
    expect(names(REGISTRY, to(book, 'b', { uid: 'a-uid' }), owner)).to.equal(false);
    expect(names(REGISTRY, to(shelf, 'a'), owner)).to.equal(false);
  });

  it('finds it if it exists, with this uid, in the namespace or in none', () => {
    const reader = readerOf([
      [book, owner],
      [writer, objectOfKind(writer, 'w')],
      [slip, objectOfKind(slip, 's')],
    ]);
    const has = (reference: OwnerReference, at = 'default') => hasOwner(REGISTRY, reader, at, reference);
    expect([has(to(book, 'a')), has(to(writer, 'w')), has(to(writer, 'w'), 'other')]).to.deep.equal([true, true, true]);
    expect([has(to(book, 'a'), 'other'), has(to(book, 'a', { uid: 'x' })), has(to(book, 'b'))]).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect([has(to(slip, 's')), has(to(lock, 'a')), has(to(book, 'a', { kind: 'None' }))]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});

describe('what an object owns', () => {
  const reader = readerOf([
    owned(book, 'near', to(book, 'a')),
    owned(shelf, 'near', to(book, 'a')),
    owned(book, 'far', to(book, 'a'), 'other'),
    owned(book, 'namesake', to(book, 'b', { uid: 'a-uid' })),
    owned(slip, 'many', to(book, 'a')),
    owned(writer, 'w', to(writer, 'v')),
    owned(book, 'by-v', to(writer, 'v'), 'other'),
  ]);
  const found = (owner: KubeObject, from: Reader = reader) =>
    [...dependentsOf(REGISTRY, from, owner)].map(({ kind, entry }) => `${kind.kind} ${entry.key.split('/').at(-1)}`);

  it('are the objects that name it, in its namespace, each once', () => {
    expect(found(objectOfKind(book, 'a'))).to.deep.equal(['Shelf near', 'Book near', 'Slip many']);
  });

  it('are those of all namespaces if it is in none', () => {
    expect(found(objectOfKind(writer, 'v'))).to.deep.equal(['Book by-v', 'Writer w']);
  });

  it('are none if it has no uid, or is of an unknown or internal kind', () => {
    const { uid: _, ...metadata } = objectOfKind(book, 'a').metadata;
    expect(found({ ...objectOfKind(book, 'a'), metadata })).to.deep.equal([]);
    expect(found({ ...objectOfKind(book, 'a'), kind: 'None' })).to.deep.equal([]);
    const locked = readerOf([owned(book, 'x', to(lock, 'a'))]);
    expect(found(objectOfKind(lock, 'a'), locked)).to.deep.equal([]);
  });

  it('is told of one object, also by its namespace', () => {
    const entryOf = (name: string, at: string) => reader.entry(book.qualified, at, name) as Entry;
    const owner = objectOfKind(book, 'a');
    expect(isDependent(REGISTRY, entryOf('near', 'default'), owner)).to.equal(true);
    expect(isDependent(REGISTRY, entryOf('far', 'other'), owner)).to.equal(false);
    expect(isDependent(REGISTRY, entryOf('by-v', 'other'), objectOfKind(writer, 'v'))).to.equal(true);
    expect(isDependent(REGISTRY, entryOf('near', 'default'), objectOfKind(book, 'b'))).to.equal(false);
    const shared = objectOfKind(book, 'x', {}, { ownerReferences: [to(book, 'b'), to(book, 'a')] });
    const entry = readerOf([[book, shared]]).entry(book.qualified, 'default', 'x') as Entry;
    expect(isDependent(REGISTRY, entry, owner)).to.equal(true);
  });

  it('blocks a deletion in the foreground only by a reference that says so', () => {
    const owner = objectOfKind(book, 'a');
    const blocks = (...references: readonly OwnerReference[]) => {
      const holder = objectOfKind(book, 'x', {}, { ownerReferences: references });
      const entry = readerOf([[book, holder]]).entry(book.qualified, 'default', 'x') as Entry;
      return isBlocking(REGISTRY, { kind: book, entry }, owner);
    };
    expect(blocks(to(book, 'a', { blockOwnerDeletion: true }))).to.equal(true);
    expect(blocks(to(book, 'b'), to(book, 'a', { blockOwnerDeletion: true }))).to.equal(true);
    expect(blocks(to(book, 'a', { blockOwnerDeletion: false }))).to.equal(false);
    expect(blocks(to(book, 'a'))).to.equal(false);
    expect(blocks(to(book, 'b', { blockOwnerDeletion: true }), to(book, 'a'))).to.equal(false);
    expect(blocks()).to.equal(false);
  });

  it('is retained as it was stored', () => {
    const entry = reader.entry(book.qualified, 'default', 'near') as Entry;
    const { kind, object, value } = removedOf({ kind: book, entry });
    expect([kind, object.metadata.name, value]).to.deep.equal([book, 'near', entry.value]);
  });
});
