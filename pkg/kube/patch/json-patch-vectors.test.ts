import { expect } from 'chai';
import { apply, freeze, refusal } from './testing/patches.js';

/**
 * RFC 6902, appendix A, RFC 6901, section 5, and what Kubernetes' library does beyond. The result is undefined if the
 * patch must fail.
 */
const VECTORS: readonly { name: string; document: unknown; patch: readonly object[]; result: unknown }[] = [
  {
    name: 'A.1',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz', value: 'qux' }],
    result: { baz: 'qux', foo: 'bar' },
  },
  {
    name: 'A.2',
    document: { foo: ['bar', 'baz'] },
    patch: [{ op: 'add', path: '/foo/1', value: 'qux' }],
    result: { foo: ['bar', 'qux', 'baz'] },
  },
  {
    name: 'A.3',
    document: { baz: 'qux', foo: 'bar' },
    patch: [{ op: 'remove', path: '/baz' }],
    result: { foo: 'bar' },
  },
  {
    name: 'A.4',
    document: { foo: ['bar', 'qux', 'baz'] },
    patch: [{ op: 'remove', path: '/foo/1' }],
    result: { foo: ['bar', 'baz'] },
  },
  {
    name: 'A.5',
    document: { baz: 'qux', foo: 'bar' },
    patch: [{ op: 'replace', path: '/baz', value: 'boo' }],
    result: { baz: 'boo', foo: 'bar' },
  },
  {
    name: 'A.6',
    document: { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    patch: [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    result: { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  },
  {
    name: 'A.7',
    document: { foo: ['all', 'grass', 'cows', 'eat'] },
    patch: [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    result: { foo: ['all', 'cows', 'eat', 'grass'] },
  },
  {
    name: 'A.8',
    document: { baz: 'qux', foo: ['a', 2, 'c'] },
    patch: [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    result: { baz: 'qux', foo: ['a', 2, 'c'] },
  },
  { name: 'A.9', document: { baz: 'qux' }, patch: [{ op: 'test', path: '/baz', value: 'bar' }], result: undefined },
  {
    name: 'A.10',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    result: { foo: 'bar', child: { grandchild: {} } },
  },
  {
    name: 'A.11',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
    result: { foo: 'bar', baz: 'qux' },
  },
  { name: 'A.12', document: { foo: 'bar' }, patch: [{ op: 'add', path: '/baz/bat', value: 'qux' }], result: undefined },
  {
    name: 'A.14',
    document: { '/': 9, '~1': 10 },
    patch: [{ op: 'test', path: '/~01', value: 10 }],
    result: { '/': 9, '~1': 10 },
  },
  {
    name: 'A.15',
    document: { '/': 9, '~1': 10 },
    patch: [{ op: 'test', path: '/~01', value: '10' }],
    result: undefined,
  },
  {
    name: 'A.16',
    document: { foo: ['bar'] },
    patch: [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    result: { foo: ['bar', ['abc', 'def']] },
  },
  {
    name: 'whole document',
    document: { a: 1 },
    patch: [{ op: 'replace', path: '', value: { b: 2 } }],
    result: { b: 2 },
  },
  { name: 'empty key', document: { '': 0 }, patch: [{ op: 'replace', path: '/', value: 1 }], result: { '': 1 } },
  {
    name: 'test of null',
    document: { a: null },
    patch: [{ op: 'test', path: '/a', value: null }],
    result: { a: null },
  },
  {
    name: 'test of null at nothing',
    document: {},
    patch: [{ op: 'test', path: '/a', value: null }],
    result: {},
  },
  {
    name: 'test of a value at nothing',
    document: {},
    patch: [{ op: 'test', path: '/a', value: 1 }],
    result: undefined,
  },
  {
    name: 'test below nothing',
    document: {},
    patch: [{ op: 'test', path: '/a/b', value: null }],
    result: undefined,
  },
  { name: 'replace of nothing', document: {}, patch: [{ op: 'replace', path: '/a', value: 1 }], result: { a: 1 } },
  { name: 'copy of nothing', document: {}, patch: [{ op: 'copy', from: '/a', path: '/b' }], result: { b: null } },
  { name: 'move of nothing', document: {}, patch: [{ op: 'move', from: '/a', path: '/b' }], result: undefined },
  { name: 'no value', document: {}, patch: [{ op: 'add', path: '/a' }], result: { a: null } },
  { name: 'a tilde alone', document: { 'a~2': 1 }, patch: [{ op: 'remove', path: '/a~2' }], result: {} },
  {
    name: 'indexes from the end',
    document: { a: [1, 2, 3] },
    patch: [
      { op: 'test', path: '/a/-1', value: 3 },
      { op: 'remove', path: '/a/-3' },
      { op: 'replace', path: '/a/-1', value: 4 },
      { op: 'add', path: '/a/-1', value: 5 },
      { op: 'add', path: '/a/-2', value: 6 },
    ],
    result: { a: [2, 4, 6, 5] },
  },
  {
    name: 'an index before the start',
    document: { a: [1] },
    patch: [{ op: 'remove', path: '/a/-2' }],
    result: undefined,
  },
  {
    name: 'an index from the end on the way',
    document: { a: [{}, { b: 1 }] },
    patch: [{ op: 'remove', path: '/a/-1/b' }],
    result: { a: [{}, {}] },
  },
  {
    name: 'test in any order',
    document: { a: { x: [1], y: 2 } },
    patch: [{ op: 'test', path: '/a', value: { y: 2, x: [1] } }],
    result: { a: { x: [1], y: 2 } },
  },
  { name: 'index beyond', document: { a: [1] }, patch: [{ op: 'add', path: '/a/2', value: 1 }], result: undefined },
  {
    name: 'index with a zero before',
    document: { a: [1, 2] },
    patch: [{ op: 'replace', path: '/a/01', value: 1 }],
    result: { a: [1, 1] },
  },
  {
    name: 'index with rubbish behind',
    document: { a: [1, 2] },
    patch: [{ op: 'remove', path: '/a/1x' }],
    result: undefined,
  },
  {
    name: 'end of an array is nothing',
    document: { a: [1] },
    patch: [{ op: 'remove', path: '/a/-' }],
    result: undefined,
  },
  {
    name: 'move of the last beyond the end',
    document: { a: [1, 2] },
    patch: [{ op: 'move', from: '/a/0', path: '/a/2' }],
    result: undefined,
  },
  {
    name: 'move: the target is found after the source is gone',
    document: { a: [{ n: 0 }, { n: 1 }, { n: 2 }] },
    patch: [{ op: 'move', from: '/a/0', path: '/a/1/m' }],
    result: { a: [{ n: 1 }, { n: 2, m: { n: 0 } }] },
  },
  { name: 'move onto itself', document: { a: 1 }, patch: [{ op: 'move', from: '/a', path: '/a' }], result: { a: 1 } },
  {
    name: 'move into itself',
    document: { a: { b: 1 } },
    patch: [{ op: 'move', from: '/a', path: '/a/b/c' }],
    result: undefined,
  },
  {
    name: 'a child to the top',
    document: { a: { b: 1 } },
    patch: [{ op: 'move', from: '/a', path: '' }],
    result: { b: 1 },
  },
  {
    name: 'copy is a copy',
    document: { a: [1] },
    patch: [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/-', value: 2 },
    ],
    result: { a: [1], b: [1, 2] },
  },
  { name: 'nothing left', document: { a: 1 }, patch: [{ op: 'remove', path: '' }], result: undefined },
  {
    name: 'member of a string',
    document: { a: 'text' },
    patch: [{ op: 'test', path: '/a/length', value: 4 }],
    result: undefined,
  },
];

describe('applyJsonPatch, by example', () => {
  for (const { name, document: before, patch, result } of VECTORS) {
    it(`${result === undefined ? 'refuses' : 'applies'}: ${name}`, () => {
      if (result === undefined) {
        const { code, reason, message } = refusal(() => apply(freeze(before), patch));
        expect([code, reason]).to.deep.equal([422, 'Invalid']);
        expect(message).to.match(/^the patch cannot be applied: /);
      } else expect(apply(freeze(before), freeze(patch))).to.deep.equal(result);
    });
  }
});
