import { expect } from 'chai';
import { Work } from '../../system/yielding/work.js';
import { conflictError as errorSteps } from './conflict.js';
import { firstElements, goJson, keyElement, pathText, soleKeyElement } from './element.js';
import { keyOf, type ManagerId } from './managers.js';
import { atOnce } from './testing/at-once.js';

const conflictError = atOnce(errorSteps);
const UPDATE = { manager: 'm', operation: 'Update', apiVersion: 'v1' } as const;
const APPLY = { manager: 'b', operation: 'Apply', apiVersion: 'v1' } as const;
const conflictsOf = (...by: readonly ManagerId[]) =>
  conflictError(by.map((one) => ({ by: one, fields: { 'f:b': {}, 'f:a': {} } })));

const first = (elements: readonly string[], most: number) => atOnce(firstElements)(elements, most, new Work());

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
      for (const most of [1, 5, 100]) expect(first(shuffled, most)).to.deep.equal(ordered.slice(0, most));
    }
    expect(first(['i:10', 'i:9'], 2)).to.deep.equal(['i:9', 'i:10']);
  });

  it('have values as Go writes them', () => {
    expect(goJson({ b: '<a&b>\u2028\u2029', a: 1 })).to.equal('{"a":1,"b":"\\u003ca\\u0026b\\u003e\\u2028\\u2029"}');
  });
});

describe('fieldmanager: a conflict', () => {
  it('names the manager and the field', () => {
    const error = conflictError([{ by: APPLY, fields: { 'f:spec': { 'f:title': {} } } }]);
    expect(error.message).to.equal('Apply failed with 1 conflict: conflict with "b": .spec.title');
    expect(error.causes).to.deep.equal([
      { reason: 'FieldManagerConflict', message: 'conflict with "b"', field: '.spec.title' },
    ]);
  });

  it('counts all fields, and names as many as an answer has and one more', () => {
    const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k:{"k":${i}}`, { '.': {}, 'f:a': {} }]));
    const { message, causes } = conflictError([
      { by: UPDATE, fields: {} },
      { by: APPLY, fields: { 'f:spec': { 'f:list': fields } } },
    ]);
    expect(message.slice(0, 120)).to.contain(
      'Apply failed with 10000 conflicts: conflicts with "b":\n- .spec.list[k=0]\n',
    );
    expect(causes.map(({ field }) => field)).to.deep.equal(Array.from({ length: 101 }, (_, i) => `.spec.list[k=${i}]`));
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
