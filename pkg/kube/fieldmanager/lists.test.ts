import { expect } from 'chai';
import { Work } from '../../system/yielding/work.js';
import { compare as compareSteps } from './compare.js';
import { FieldsError } from './element.js';
import { itemsByElement } from './items.js';
import { withoutUndeclared } from './remove.js';
import { atOnce } from './testing/at-once.js';
import { type FieldType, type ListType, SCALAR } from './type.js';

const compare = atOnce(compareSteps);

const struct = (fields: Readonly<Record<string, FieldType>>): FieldType => ({
  map: { isAtomic: false, fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type }])) },
});
const ITEM = struct({ name: SCALAR, v: SCALAR });
const KEYED: ListType = { isAtomic: false, keys: ['name'], element: ITEM };
const SET: ListType = { isAtomic: false, keys: [], element: SCALAR };
const TYPE = struct({
  title: SCALAR,
  items: { list: KEYED },
  tags: { list: SET },
  whole: { list: { isAtomic: true, keys: [], element: ITEM } },
  labels: { map: { isAtomic: false, fields: new Map(), element: SCALAR } },
});

describe('fieldmanager: members that no schema declares', () => {
  it('are left out and named, in every object and list', () => {
    const rest = {
      title: 'a',
      labels: { x: 'y' },
      tags: ['a', 'b'],
    };
    const value = {
      ...rest,
      more: 1,
      items: [{ name: 'x', v: 1, more: 1 }, { name: 'y' }],
      whole: [{ v: 1 }, { v: 1, more: { deep: 1 } }],
    };
    expect(withoutUndeclared(value, TYPE)).to.deep.equal({
      value: { ...rest, items: [{ name: 'x', v: 1 }, { name: 'y' }], whole: [{ v: 1 }, { v: 1 }] },
      undeclared: ['.more', '.items[name="x"].more', '.whole[1].more'],
    });
  });

  it('are not looked for in values of another form', () => {
    for (const value of [{ title: null }, { tags: null, labels: null }, { title: { x: 1 } }, { title: [1] }, {}, null])
      expect(withoutUndeclared(value, TYPE)).to.deep.equal({ value, undeclared: [] });
  });

  it('cannot be told of a value that is no object or list, where the schema has one', () => {
    const refused = (value: unknown, why: string): void => {
      expect(() => withoutUndeclared(value, TYPE), why).to.throw(FieldsError, why);
    };
    refused({ items: 'x' }, '.items: expected list, got string');
    refused({ labels: 1 }, '.labels: expected map, got number');
    refused({ labels: ['x'] }, '.labels: expected map, got list');
    refused({ tags: { x: 1 } }, '.tags: expected list, got map');
    refused({ whole: ['x'] }, '.whole[0]: expected map, got string');
    refused('x', 'expected map, got string');
    refused([1], 'expected map, got list');
  });

  it('cannot be told if an item is there twice, or has no identity', () => {
    const wrong: readonly object[] = [
      { items: [{ name: 'x' }, { name: 'x', v: 1 }] },
      { tags: ['a', 'b', 'a'] },
      { items: [{ v: 1 }] },
      { items: ['x'] },
      { items: [null] },
      { tags: [{}] },
      { tags: [null] },
    ];
    for (const value of wrong)
      expect(() => withoutUndeclared(value, TYPE), JSON.stringify(value)).to.throw(FieldsError);
    expect(() => withoutUndeclared(wrong[0], TYPE)).to.throw('duplicate entries for key .items[name="x"]');
  });
});

describe('fieldmanager: a list without items', () => {
  it('differs from null', () => {
    const changed = { added: {}, modified: { 'f:items': {} }, removed: {} };
    expect(compare({ items: null }, { items: [] }, TYPE)).to.deep.equal(changed);
    expect(compare({ items: [] }, { items: null }, TYPE)).to.deep.equal(changed);
    expect(compare({ items: [] }, { items: [] }, TYPE)).to.deep.equal({ added: {}, modified: {}, removed: {} });
  });
});

describe('fieldmanager: items that are twice in a list', () => {
  const x = (v: number) => ({ name: 'x', v });
  const KEY = 'k:{"name":"x"}';
  const LEAVES = { 'f:name': {}, 'f:v': {} };
  const compared = (old: readonly unknown[], next: readonly unknown[]) => compare(old, next, { list: KEYED });

  it('are compared as a whole', () => {
    expect(compared([x(1), x(2)], [x(1), x(2)])).to.deep.equal({ added: {}, modified: {}, removed: {} });
    expect(compared([x(1), x(2)], [x(1), x(3)])).to.deep.equal({ added: {}, modified: { [KEY]: {} }, removed: {} });
    expect(compared([x(1), x(2)], [])).to.deep.equal({ added: {}, modified: {}, removed: { [KEY]: {} } });
    expect(compared([], [x(1), x(2)])).to.deep.equal({ added: { [KEY]: {} }, modified: {}, removed: {} });
  });

  it('become one item, or come from one', () => {
    const single = { [KEY]: { '.': {}, ...LEAVES } };
    expect(compared([x(1), x(2)], [x(1)])).to.deep.equal({ added: single, modified: {}, removed: { [KEY]: {} } });
    expect(compared([x(1)], [x(1), x(2)])).to.deep.equal({ added: { [KEY]: {} }, modified: {}, removed: single });
  });

  it('are kept together, in the order in which they first appear', () => {
    const items = atOnce(itemsByElement)(SET, ['b', 'a', 'b'], new Work());
    expect([...items]).to.deep.equal([
      ['v:"b"', ['b', 'b']],
      ['v:"a"', ['a']],
    ]);
  });
});
