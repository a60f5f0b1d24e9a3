import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { library } from '../testing/library.js';
import {
  BY_EXPIRY,
  BY_NAME,
  BY_ORIGIN,
  BY_TIME,
  type Deletion,
  deletedKeys,
  deletedName,
  FIELDS,
  originOf,
  RETAINED_FIELDS,
  RETAINED_INDEXERS,
  type RetainedSpec,
  versionName,
} from './retained.js';

const { book: BOOK, retained: RETAINED } = library();
const OBJECT: KubeObject = { apiVersion: 'v1', kind: 'Book', metadata: { name: 'a', uid: 'u', generation: 4 } };
const DELETION: Deletion = { id: 'd', order: 0, by: 'user:x', expires: 99, scopes: [], containers: [] };
const retained = (more: Partial<RetainedSpec> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'RetainedVersion',
  metadata: { name: 'x', namespace: 'default' },
  spec: { resource: 'books', name: 'a', origin: 'o', generation: 4, at: 50, ...more },
});
const rows = (index: string, object: KubeObject) => RETAINED_INDEXERS[index]?.(object);

describe('what is retained', () => {
  it('is found by the origin and generation of its object', () => {
    expect(rows(BY_ORIGIN, retained())).to.deep.equal([['default', 'o', 4]]);
    expect(rows(BY_ORIGIN, retained({ deletion: DELETION }))).to.deep.equal([['default', 'o', 4]]);
  });

  it('is found by name and by time only if it is a deletion, and by time only if the whole object was kept', () => {
    const deleted = retained({ deletion: DELETION });
    const whole = retained({ deletion: DELETION, object: OBJECT });
    for (const index of [BY_NAME, BY_TIME]) expect(rows(index, retained({ object: OBJECT })), index).to.deep.equal([]);
    expect(rows(BY_NAME, deleted)).to.deep.equal([['default', 'books', 'a', 50, 4]]);
    expect([rows(BY_TIME, deleted), rows(BY_TIME, whole)]).to.deep.equal([[], [['default', 'books', 50]]]);
  });

  it('ends by one row for each deletion in the trash, and by one for each name', () => {
    const later = { ...DELETION, order: 1 };
    expect(rows(BY_EXPIRY, retained({ object: OBJECT }))).to.deep.equal([]);
    expect(rows(BY_EXPIRY, retained({ object: OBJECT, deletion: DELETION }))).to.deep.equal([[99]]);
    expect(rows(BY_EXPIRY, retained({ object: OBJECT, deletion: later }))).to.deep.equal([]);
    expect(rows(BY_EXPIRY, retained({ deletion: later }))).to.deep.equal([[99]]);
  });

  it('tells what it is without being parsed', () => {
    const fields = (object: KubeObject) => Object.values(FIELDS).map((field) => RETAINED_FIELDS[field]?.(object));
    expect(fields(retained())).to.deep.equal(['books', 'o', '4', 'false']);
    expect(fields(retained({ deletion: DELETION }))).to.deep.equal(['books', 'o', '4', 'true']);
  });

  it('has a name of its own: by time and uid, or by deletion in the order in which it can come back', () => {
    expect(versionName(OBJECT, 50)).to.equal('50.u.4');
    const { generation: _, ...metadata } = OBJECT.metadata;
    expect(versionName({ ...OBJECT, metadata }, 50)).to.equal('50.u.1');
    const names = [0, 9, 10, 999_999].map((order) => deletedName({ id: 'd', order }));
    expect(names).to.deep.equal(['d.0000000', 'd.0000009', 'd.0000010', 'd.0999999']);
    expect(names.toSorted()).to.deep.equal(names);
    const { low, high } = deletedKeys(RETAINED, 'default', 'd', 9);
    const key = (name: string) => `${RETAINED.qualified}/default/${name}`;
    expect([low, names.map((name) => key(name) >= low && key(name) < high)]).to.deep.equal([
      key('d.0000009'),
      [false, true, true, true],
    ]);
    expect(deletedKeys(RETAINED, 'default', 'd').low).to.equal(key('d.0000000'));
    expect(key('dd.0000000') < high).to.equal(false);
  });

  it('belongs to the first uid of its object', () => {
    expect(originOf(BOOK, OBJECT)).to.equal('u');
    const restored = { ...OBJECT, metadata: { ...OBJECT.metadata, annotations: { 'svc.app/originUID': 'first' } } };
    expect(originOf(BOOK, restored)).to.equal('first');
    const others = { ...OBJECT, metadata: { ...OBJECT.metadata, annotations: { a: 'b' } } };
    expect(originOf(BOOK, others)).to.equal('u');
    expect(originOf(BOOK, { ...OBJECT, metadata: { name: 'a' } })).to.equal('');
  });
});
