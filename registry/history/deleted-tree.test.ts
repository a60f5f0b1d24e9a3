import { expect } from 'chai';
import type { KubeObject, OwnerReference } from '../../pkg/kube/meta/types.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { library } from '../testing/library.js';
import { readerOf } from '../testing/reader.js';
import { objectOfKind } from '../testing/write-context.js';
import type { Deletion } from '../write/retained.js';
import { type DeletedObject, dependenciesOf, dependsOn, idOfDeleted, treeOf } from './deleted-tree.js';
import { type DeletionRecord, deletionRecordOf, formerAttributes } from './deletion-record.js';

const { shelf, book, writer, retained } = library();
const KINDS: readonly Kind[] = [shelf, book, writer];
const REGISTRY = { kinds: KINDS } as unknown as Registry;

const deleted = (kind: Kind, name: string, spec = {}, metadata = {}): DeletedObject => ({
  kind,
  object: objectOfKind(kind, name, spec, metadata),
});
const ref = (kind: Kind, name: string): OwnerReference => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  name,
  uid: 'u',
});
const at = (name: string) => `books.library.svc.app/default/${name}`;

describe('what a deleted object depends on', () => {
  const ids = (one: DeletedObject) => dependsOn(dependenciesOf(REGISTRY, one));

  it('is its container, what it references, and its owners of known kinds', () => {
    const spec = { on: 's', after: 'b', by: 'w', like: 'c' };
    const owners = { ownerReferences: [ref(book, 'o'), ref(writer, 'w2'), { ...ref(book, 'x'), kind: 'Unknown' }] };
    expect(ids(deleted(book, 'a', spec, owners))).to.deep.equal([
      'shelves.library.svc.app/default/s',
      at('b'),
      'writers.library.svc.app//w',
      at('c'),
      at('o'),
      'writers.library.svc.app//w2',
    ]);
    expect(ids(deleted(book, 'a'))).to.deep.equal([]);
    expect(ids(deleted(writer, 'w'))).to.deep.equal([]);
    expect(idOfDeleted(deleted(writer, 'w'))).to.equal('writers.library.svc.app//w');
  });
});

describe('the tree of a deleted object', () => {
  const names = async (root: string, ...all: readonly DeletedObject[]) =>
    (await treeOf(REGISTRY, all, root)).map(({ object }) => object.metadata.name);

  it('is the object and all that depends on it, in the same order, and nothing else', async () => {
    const all = [
      deleted(shelf, 'top'),
      deleted(shelf, 'low', { on: 'top' }),
      deleted(shelf, 'side', { on: 'top' }),
      deleted(book, 'a', { on: 'low' }),
      deleted(book, 'b', { after: 'a' }),
      deleted(book, 'c', {}, { ownerReferences: [ref(book, 'b')] }),
      deleted(book, 'd', { on: 'side' }),
    ];
    const shelfAt = (name: string) => `shelves.library.svc.app/default/${name}`;
    expect(await names(shelfAt('top'), ...all)).to.deep.equal(['top', 'low', 'side', 'a', 'b', 'c', 'd']);
    expect(await names(shelfAt('low'), ...all)).to.deep.equal(['low', 'a', 'b', 'c']);
    expect(await names(shelfAt('side'), ...all)).to.deep.equal(['side', 'd']);
    expect(await names(shelfAt('none'), ...all)).to.deep.equal([]);
  });
});

describe('what decides who may see a deleted object', () => {
  const former = (deletion: Partial<Deletion>): DeletionRecord => ({
    spec: {
      resource: book.qualified,
      name: 'a',
      origin: 'a-uid',
      generation: 1,
      at: 5,
      deletion: { id: 'd', order: 0, by: 'x', expires: 9, scopes: ['books:uid:a'], containers: [], ...deletion },
    },
    object: objectOfKind(book, 'a'),
    entry: undefined as never,
  });
  const containers = [
    { name: 'low', origin: 'low-uid' },
    { name: 'top', origin: 'top-uid' },
  ];
  const decides = (one: DeletionRecord, ...living: readonly (readonly [Kind, KubeObject])[]) => {
    const { scopes, container } = formerAttributes(REGISTRY, book, one, readerOf(living));
    return { scopes, container };
  };

  it('are its own scopes, unless another object has its name now', () => {
    const scopes = ['books:uid:a'];
    expect(decides(former({}))).to.deep.equal({ scopes, container: undefined });
    expect(decides(former({}), [book, objectOfKind(book, 'a', {}, { uid: 'another' })]).scopes).to.deep.equal([]);
    const restored = objectOfKind(book, 'a', {}, { annotations: { 'svc.app/originUID': 'a-uid' }, uid: 'new' });
    expect(decides(former({}), [book, restored]).scopes).to.deep.equal(scopes);
  });

  it('are its containers: the scopes of those that are gone, up to the nearest one that is still there', () => {
    const low = [shelf, objectOfKind(shelf, 'low')] as const;
    const top = [shelf, objectOfKind(shelf, 'top')] as const;
    expect(decides(former({ containers }), low, top)).to.deep.equal({ scopes: ['books:uid:a'], container: 'low' });
    expect(decides(former({ containers }), top)).to.deep.equal({
      scopes: ['books:uid:a', 'shelves:uid:low'],
      container: 'top',
    });
    expect(decides(former({ containers }))).to.deep.equal({
      scopes: ['books:uid:a', 'shelves:uid:low', 'shelves:uid:top'],
      container: '',
    });
  });

  it('are no containers that only have the name of a former one', () => {
    const another = [shelf, objectOfKind(shelf, 'low', {}, { uid: 'another' })] as const;
    expect(decides(former({ containers }), another)).to.deep.equal({
      scopes: ['books:uid:a', 'shelves:uid:top'],
      container: '',
    });
  });

  it('are no containers of a kind that the server does not have any more', () => {
    const one = former({ containers });
    expect(formerAttributes({ kinds: [book] }, book, one, readerOf([]))).to.deep.include({
      scopes: ['books:uid:a'],
      container: '',
    });
  });

  it('is the object, or a stub with its name if the object was not kept', () => {
    const entryWith = (spec: object) => {
      const one = { ...objectOfKind(retained, 'x'), spec };
      const entry = readerOf([[retained, one]]).entry(retained.qualified, 'default', 'x');
      if (entry === undefined) throw new Error('it is there');
      return entry;
    };
    const { deletion, ...spec } = former({}).spec;
    const entry = entryWith({ ...spec, deletion });
    expect(deletionRecordOf(book, entry)).to.deep.include({
      object: { apiVersion: book.apiVersion, kind: 'Book', metadata: { name: 'a', namespace: 'default' } },
      entry,
    });
    const whole = objectOfKind(book, 'a', { title: 'A' });
    expect(deletionRecordOf(book, entryWith({ ...spec, deletion, object: whole })).object).to.deep.equal(whole);
    expect(() => deletionRecordOf(book, entryWith(spec))).to.throw('was not deleted');
  });
});
