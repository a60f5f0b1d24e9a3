import { expect } from 'chai';
import { compare as compareSteps } from './compare.js';
import { FieldsError } from './element.js';
import { below, elementsOf } from './fields.js';
import { fieldsOf } from './fields-of.js';
import { merge as mergeSteps } from './merge.js';
import { withNamedMembers as namedSteps, remove as removeSteps, withoutUndeclared } from './remove.js';
import { atOnce } from './testing/at-once.js';
import { DEDUCED, type FieldType, formOf, type ListType, SCALAR } from './type.js';

const compare = atOnce(compareSteps);
const merge = atOnce(mergeSteps);
const remove = atOnce(removeSteps);
const withNamedMembers = atOnce(namedSteps);

const struct = (fields: Readonly<Record<string, FieldType>>): FieldType => ({
  map: { isAtomic: false, fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type }])) },
});
const ITEM = struct({ name: SCALAR, v: struct({ deep: SCALAR }) });
const KEYED: ListType = { isAtomic: false, keys: ['name'], element: ITEM };
const SET: FieldType = { list: { isAtomic: false, keys: [], element: SCALAR } };
const WHOLE: FieldType = { list: { isAtomic: true, keys: [], element: SCALAR } };
/** Either a scalar or a set. */
const EITHER: FieldType = { isScalar: true, ...SET };
const map = (isAtomic: boolean): FieldType => ({ map: { isAtomic, fields: new Map(), element: SCALAR } });
const TYPE = struct({
  title: SCALAR,
  items: { list: KEYED },
  whole: WHOLE,
  free: DEDUCED,
  either: EITHER,
  labels: map(false),
  box: map(true),
});
const X = 'k:{"name":"x"}';

describe('fieldmanager: a set of fields', () => {
  it('has elements below a field, without the field itself', () => {
    const fields = { 'f:a': { '.': {}, 'f:b': {} } };
    expect(below(fields, 'f:a')).to.deep.equal({ 'f:b': {} });
    expect(elementsOf(fields['f:a'])).to.deep.equal(['f:b']);
    expect(below({ 'f:a': { 'f:b': {} } }, 'f:a')).to.deep.equal({ 'f:b': {} });
  });

  it('of a list has an item that is there twice as a whole', () => {
    const twice = [{ name: 'x' }, { name: 'y' }, { name: 'x' }];
    expect(fieldsOf(twice, { list: KEYED })).to.deep.equal({
      [X]: {},
      'k:{"name":"y"}': { '.': {}, 'f:name': {} },
    });
  });

  it('of a value without schema has its lists as a whole', () => {
    expect(fieldsOf({ free: [{ a: 1 }] }, TYPE)).to.deep.equal({ 'f:free': {} });
    expect(fieldsOf({ free: { a: [1], b: 1 } }, TYPE)).to.deep.equal({ 'f:free': { 'f:a': {}, 'f:b': {} } });
  });

  it('has no absent members, but has members that are null', () => {
    expect(fieldsOf({ title: undefined, labels: undefined }, TYPE)).to.deep.equal({});
    const empty = { title: null, items: null, labels: null };
    expect(fieldsOf(empty, TYPE)).to.deep.equal({ 'f:title': {}, 'f:items': {}, 'f:labels': {} });
  });

  it('gets every declared member that has fields below it, but neither items nor other members', () => {
    const deep = { 'f:v': { 'f:deep': {} } };
    const named = { 'f:v': { '.': {}, 'f:deep': {} } };
    expect(withNamedMembers({ 'f:items': { [X]: deep } }, TYPE)).to.deep.equal({
      'f:items': { '.': {}, [X]: named },
    });
    expect(withNamedMembers({ [X]: deep }, { ...TYPE, list: KEYED })).to.deep.equal({ [X]: named });
    for (const fields of [{ 'f:other': { 'f:a': { 'f:b': {} } } }, { [X]: deep }]) {
      for (const type of [TYPE, SCALAR]) expect(withNamedMembers(fields, type)).to.deep.equal(fields);
    }
  });
});

describe('fieldmanager: the form of a value', () => {
  it('is its own if the type allows it, and else the first that the type allows: map, scalar, list', () => {
    const { map } = TYPE;
    const { list } = SET;
    const forms: readonly [FieldType, unknown, ReturnType<typeof formOf>][] = [
      [DEDUCED, [1], 'list'],
      [DEDUCED, { a: 1 }, 'map'],
      [DEDUCED, 'a', 'scalar'],
      [DEDUCED, null, 'map'],
      [SCALAR, [1], 'scalar'],
      [SCALAR, { a: 1 }, 'scalar'],
      [TYPE, [1], 'map'],
      [TYPE, 'a', 'map'],
      [SET, { a: 1 }, 'list'],
      [SET, 'a', 'list'],
      [{ isScalar: true, list }, null, 'scalar'],
      [{ map, list }, 'a', 'map'],
      [{}, 'a', undefined],
    ];
    for (const [type, value, form] of forms) expect(formOf(type, value), JSON.stringify(value)).to.equal(form);
  });

  it('does not matter for what has no schema: nothing in it is undeclared', () => {
    const value = { a: [{ b: [[{ c: 1 }], { d: 1 }] }, 'x'] };
    expect(withoutUndeclared(value, DEDUCED)).to.deep.equal({ value, undeclared: [] });
  });
});

describe('fieldmanager: a value that becomes one of another form', () => {
  it('is changed itself, and what was below it is removed', () => {
    const [list, scalar] = [{ either: ['a'] }, { either: 'x' }];
    const item = { 'f:either': { 'v:"a"': {} } };
    expect(compare(list, scalar, TYPE)).to.deep.equal({ added: {}, modified: { 'f:either': {} }, removed: item });
    expect(compare(scalar, list, TYPE)).to.deep.equal({ added: item, modified: { 'f:either': {} }, removed: {} });
  });

  it('is replaced by what is laid over it', () => {
    expect(merge({ either: ['a'] }, { either: 'x' }, TYPE)).to.deep.equal({ either: 'x' });
    expect(merge({ either: 'x' }, { either: ['a'] }, TYPE)).to.deep.equal({ either: ['a'] });
    const empty = { items: [], labels: {} };
    const nothing = { items: null, labels: null };
    expect(merge(empty, nothing, TYPE)).to.deep.equal(nothing);
    expect(merge(nothing, empty, TYPE)).to.deep.equal(empty);
  });
});

describe('fieldmanager: what is merged', () => {
  const merged = (under: readonly unknown[], over: readonly unknown[]) => merge(under, over, SET);

  it('keeps a value over which nothing is laid', () => {
    expect(merge('a', undefined, SCALAR)).to.equal('a');
    expect(merge('a', undefined, TYPE)).to.equal('a');
  });

  it('has the other items of a list before new ones that follow the same item', () => {
    expect(merged(['a', 'z'], ['a', 'b'])).to.deep.equal(['a', 'z', 'b']);
  });

  it('has the other items of a list after the last of those before them that is applied, too', () => {
    expect(merged(['a', 'z', 'b'], ['x', 'y', 'a', 'b'])).to.deep.equal(['x', 'y', 'a', 'z', 'b']);
  });

  it('has nothing of items that were there twice if one is applied', () => {
    const twice = [
      { name: 'x', v: { deep: 1 } },
      { name: 'x', v: { deep: 2 } },
    ];
    expect(merge(twice, [{ name: 'x' }], { list: KEYED })).to.deep.equal([{ name: 'x' }]);
  });

  it('has no items without identity, whatever they are laid over', () => {
    for (const under of [undefined, null, {}, { items: [] }, { items: [{ name: 'x' }] }]) {
      expect(() => merge(under, { items: [{}] }, TYPE), JSON.stringify(under)).to.throw(FieldsError);
    }
  });

  it('has an item once that is applied, although it was there twice', () => {
    expect(merged(['a', 'a', 'z'], ['a'])).to.deep.equal(['a', 'z']);
    expect(merged(['a', 'a'], ['a'])).to.deep.equal(['a']);
    expect(merged(['a', 'a', 'z'], ['a', 'c'])).to.deep.equal(['a', 'c', 'z']);
  });
});

describe('fieldmanager: what is removed', () => {
  it('is not a scalar if only fields below it are removed', () => {
    const inside = { 'f:a': { 'f:b': {} } };
    expect(remove({ a: 1 }, inside, DEDUCED)).to.deep.equal({ a: 1 });
    expect(remove({ a: 1 }, inside, struct({ a: SCALAR }))).to.deep.equal({ a: 1 });
  });

  it('is a list that is managed as a whole, whatever of it is removed', () => {
    const inside = { 'f:whole': { 'i:0': {} } };
    expect(remove({ title: 'a', whole: ['x', 'y'] }, inside, TYPE)).to.deep.equal({ title: 'a', whole: null });
    expect(remove({ items: null }, { 'f:items': { [X]: {} } }, TYPE)).to.deep.equal({ items: null });
  });

  it('is an object that is managed as a whole, whatever of it is removed', () => {
    const inside = { 'f:box': { 'f:a': {} } };
    expect(remove({ title: 'a', box: { a: 1, b: 1 } }, inside, TYPE)).to.deep.equal({ title: 'a', box: null });
    expect(remove({ labels: null }, { 'f:labels': { 'f:a': {} } }, TYPE)).to.deep.equal({ labels: null });
  });

  it('leaves null of an object or a list that has nothing else', () => {
    const inside = { 'f:labels': { 'f:a': {} }, 'f:items': { [X]: {} } };
    expect(remove({ labels: { a: 1 }, items: [{ name: 'x' }] }, inside, TYPE)).to.deep.equal({
      labels: null,
      items: null,
    });
    expect(remove({ labels: { a: 1, b: 2 } }, inside, TYPE)).to.deep.equal({ labels: { b: 2 } });
    expect(remove({ title: 'a' }, { 'f:title': {} }, TYPE)).to.equal(null);
  });
});
