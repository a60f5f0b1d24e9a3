import { expect } from 'chai';
import { ConflictError } from './conflict.js';
import { compareElements, goJson, keyElement, pathText, soleKeyElement } from './element.js';
import { keyOf, type ManagerId } from './managers.js';

const UPDATE = { manager: 'm', operation: 'Update', apiVersion: 'v1' } as const;
const APPLY = { manager: 'b', operation: 'Apply', apiVersion: 'v1' } as const;
const conflictsOf = (...by: readonly ManagerId[]) =>
  new ConflictError(by.map((one) => ({ by: one, fields: { 'f:b': {}, 'f:a': {} } })));

describe('fieldmanager: path elements', () => {
  it('are the same for one key, whichever way they are made', () => {
    for (const value of ['a', '<"\u2028&>\\', '', 1, 1.5, true, null, { b: 1, a: ['<'] }, []]) {
      for (const name of ['name', '10', 'a"<']) {
        expect(soleKeyElement(name, value)).to.equal(keyElement({ [name]: value }));
      }
    }
  });

  it('are read by people as Kubernetes writes them', () => {
    const texts = [
      ['f:spec', 'f:items', 'k:{"name":"x","port":80}', 'f:v'],
      ['v:"a"'],
      ['v:true', 'v:null'],
      ['i:3'],
      ['k:{"l":[1,"a"],"o":{"p":1}}'],
    ].map(pathText);
    const expected = ['.spec.items[name="x",port=80].v', '[="a"]', '[=true][=null]', '[3]', '[l=[1,"a"],o=p=1]'];
    expect(texts).to.deep.equal(expected);
  });

  it('have an order: members, items of maps, items of sets, indexes', () => {
    const ordered = [
      'f:a',
      'f:b',
      'f:ü',
      'k:{"a":1}',
      'k:{"a":2}',
      'k:{"a":10}',
      'k:{"a":10,"b":1}',
      'k:{"a":"a"}',
      'k:{"b":1}',
      'v:2',
      'v:10',
      'v:"10"',
      'v:"2"',
      'v:false',
      'v:true',
      'v:{"a":1}',
      'v:{"a":2}',
      'i:1',
    ];
    for (const shuffled of [ordered, ordered.toReversed()]) {
      expect(shuffled.toSorted(compareElements)).to.deep.equal(ordered);
    }
    expect(['i:10', 'i:9'].toSorted(compareElements)).to.deep.equal(['i:9', 'i:10']);
  });

  it('have values as Go writes them', () => {
    expect(goJson({ b: '<a&b>\u2028\u2029', a: 1 })).to.equal('{"a":1,"b":"\\u003ca\\u0026b\\u003e\\u2028\\u2029"}');
  });
});

describe('fieldmanager: a conflict', () => {
  it('names the manager and the field', () => {
    const error = new ConflictError([{ by: APPLY, fields: { 'f:spec': { 'f:title': {} } } }]);
    expect(error.message).to.equal('Apply failed with 1 conflict: conflict with "b": .spec.title');
    expect(error.causes).to.deep.equal([
      { reason: 'FieldManagerConflict', message: 'conflict with "b"', field: '.spec.title' },
    ]);
  });

  it('lists several managers with their fields, in one order', () => {
    const status = { ...UPDATE, manager: 'a', subresource: 'status' };
    const error = conflictsOf(UPDATE, APPLY, status);
    expect(error.message.split('\n')).to.deep.equal([
      'Apply failed with 6 conflicts: conflicts with "a" with subresource "status" using v1:',
      '- .a',
      '- .b',
      'conflicts with "b":',
      '- .a',
      '- .b',
      'conflicts with "m" using v1:',
      '- .a',
      '- .b',
    ]);
    expect(error.causes.map(({ field }) => field)).to.deep.equal(['.a', '.b', '.a', '.b', '.a', '.b']);
    expect(error.conflicts.map(({ by }) => keyOf(by))).to.deep.equal([status, APPLY, UPDATE].map(keyOf));
  });

  it('counts the version in the order of updates, and not in that of applies', () => {
    const later = { ...UPDATE, apiVersion: 'v2' };
    for (const both of [
      [UPDATE, later],
      [later, UPDATE],
    ])
      expect(conflictsOf(...both).conflicts.map(({ by }) => by)).to.deep.equal([UPDATE, later]);
    const status = { ...APPLY, apiVersion: 'v2', subresource: 'status' };
    expect(conflictsOf(APPLY, status).conflicts.map(({ by }) => by)).to.deep.equal([status, APPLY]);
  });
});
