import { expect } from 'chai';
import type { Fields } from './fields.js';
import { ownedMembers as ownedSteps } from './owned.js';
import { atOnce } from './testing/at-once.js';
import { type FieldType, SCALAR } from './type.js';

const ownedMembers = atOnce(ownedSteps);

const struct = (fields: Readonly<Record<string, FieldType>>): FieldType => ({
  map: { isAtomic: false, fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type }])) },
});
const TYPE = struct({
  spec: struct({ title: SCALAR, address: struct({ city: SCALAR, street: SCALAR }) }),
  more: struct({ text: SCALAR }),
});
const object = { spec: { title: 'a', address: { city: 'b', street: 'c' } }, more: { text: 'd' } };
const by = { manager: 'me', operation: 'Apply', apiVersion: 'v1' } as const;

function owned(fieldsV1: Fields, names: readonly string[] = ['spec'], from: unknown = object) {
  const entries = [{ ...by, fieldsType: 'FieldsV1', fieldsV1 } as const];
  return ownedMembers({ object: from, entries }, names, { by, type: TYPE, now: '' });
}

describe('what a manager owns of members of an object', () => {
  it('is the fields of its entry, without empty objects around others', () => {
    expect(owned({ 'f:spec': { 'f:title': {} } })).to.deep.equal({ spec: { title: 'a' } });
    expect(owned({ 'f:spec': { 'f:address': { 'f:city': {} } } })).to.deep.equal({ spec: { address: { city: 'b' } } });
    const all = { 'f:spec': { 'f:title': {}, 'f:address': { 'f:city': {}, 'f:street': {} } } };
    expect(owned(all)).to.deep.equal({ spec: object.spec });
  });

  it('is only in the members that are asked for', () => {
    const both = { 'f:spec': { 'f:title': {} }, 'f:more': { 'f:text': {} } };
    expect(owned(both)).to.deep.equal({ spec: { title: 'a' } });
    expect(owned(both, ['spec', 'more'])).to.deep.equal({ spec: { title: 'a' }, more: { text: 'd' } });
  });

  it('is nothing for others, and of what the object does not have', () => {
    expect(owned({})).to.deep.equal({});
    expect(owned({ 'f:spec': { 'f:title': {} } }, ['spec'], {})).to.deep.equal({});
    expect(owned({ 'f:spec': { 'f:title': {} } }, ['spec'], null)).to.deep.equal({});
    expect(ownedMembers({ object, entries: undefined }, ['spec'], { by, type: TYPE, now: '' })).to.deep.equal({});
  });
});
