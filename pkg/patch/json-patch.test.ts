import { expect } from 'chai';
import fc from 'fast-check';
import { ApiError } from '../status/status.js';
import { applyJsonPatch, parseJsonPatch } from './json-patch.js';

const apply = (document: unknown, patch: unknown): unknown => applyJsonPatch(document, parseJsonPatch(patch));

function refusal(call: () => unknown): { code: number; reason: string; message: string } {
  try {
    call();
  } catch (error) {
    expect(error).to.be.instanceOf(ApiError);
    const { code, reason, message } = error as ApiError;
    return { code, reason, message };
  }
  throw new Error('nothing was refused');
}

const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};

/** RFC 6902, appendix A, and RFC 6901, section 5; `undefined` for what must fail. */
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
    result: undefined,
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
    result: undefined,
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

const token = fc.constantFrom(
  'a',
  'b',
  '0',
  '1',
  '-',
  '01',
  '',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'length',
  'call',
  '__defineGetter__',
);
const path = fc.array(token, { maxLength: 3 }).map((tokens) => tokens.map((t) => `/${t}`).join(''));
const value = fc.jsonValue({ maxDepth: 2 });
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value }),
  fc.record({ op: fc.constant('remove'), path }),
  fc.record({ op: fc.constantFrom('move', 'copy'), path, from: path }),
);
const document = fc.dictionary(
  fc.constantFrom('a', 'b', 'toString'),
  fc.oneof(value, fc.array(value), fc.dictionary(token, value)),
);

describe('applyJsonPatch', () => {
  for (const { name, document: before, patch, result } of VECTORS) {
    it(`${result === undefined ? 'refuses' : 'applies'}: ${name}`, () => {
      if (result === undefined) {
        const { code, reason, message } = refusal(() => apply(freeze(before), patch));
        expect([code, reason]).to.deep.equal([422, 'Invalid']);
        expect(message).to.match(/^the patch cannot be applied: /);
      } else expect(apply(freeze(before), freeze(patch))).to.deep.equal(result);
    });
  }

  it('says which operation failed, and why', () => {
    const patch = [
      { op: 'test', path: '/spec/title', value: 'a' },
      { op: 'remove', path: '/spec/colour' },
    ];
    expect(refusal(() => apply({ spec: { title: 'a' } }, patch)).message).to.equal(
      'the patch cannot be applied: operation 1, remove "/spec/colour": there is no "colour" on the way',
    );
  });

  it('fails only with 4xx, changes neither side, and leaves every built-in as it was', () => {
    const builtIns = [
      Object.prototype,
      Array.prototype,
      String.prototype,
      Object,
      Object.prototype.toString,
      Array.prototype.push,
    ];
    const before = builtIns.map((one) => Reflect.ownKeys(one).length);
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 6 }), (doc, patch) => {
        try {
          apply(freeze(doc), freeze(patch));
        } catch (error) {
          expect(error, String(error)).to.be.instanceOf(ApiError);
        }
        expect(builtIns.map((one) => Reflect.ownKeys(one).length)).to.deep.equal(before);
      }),
      { numRuns: 500 },
    );
  });

  it('can be applied again with the same outcome', () => {
    const patch = parseJsonPatch([
      { op: 'add', path: '/a', value: { list: [1] } },
      { op: 'add', path: '/a/list/-', value: 2 },
    ]);
    expect(applyJsonPatch({}, patch)).to.deep.equal({ a: { list: [1, 2] } });
    expect(applyJsonPatch({}, patch)).to.deep.equal({ a: { list: [1, 2] } });
  });

  it('bounds what copies add up to', () => {
    const doubling = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }));
    expect(refusal(() => apply({ a: 'x'.repeat(1000) }, doubling)).code).to.equal(413);
    const once = [{ op: 'copy', from: '/a', path: '/b' }];
    expect(apply({ a: 'x' }, once)).to.deep.equal({ a: 'x', b: 'x' });
  });

  it('bounds the depth that moves and copies build up', () => {
    const adds = Array.from({ length: 5000 }, (_, i) => ({ op: 'add', path: `/m${i}`, value: {} }));
    const moves = Array.from({ length: 4999 }, (_, i) => ({ op: 'move', from: `/m${i}`, path: `/m${i + 1}/x` }));
    expect(refusal(() => apply({}, [...adds, ...moves])).message).to.include('deeper than 100 levels');
    expect(refusal(() => apply({}, [...adds, ...moves, { op: 'copy', from: '/m4999', path: '/c' }])).code).to.equal(
      413,
    );
  });

  it('bounds the shifting of long arrays', () => {
    const long = { a: Array.from({ length: 10_000 }, () => 0) };
    const front = Array.from({ length: 10_000 }, () => ({ op: 'add', path: '/a/0', value: 1 }));
    expect(refusal(() => apply(long, front)).message).to.include('moves or compares too much');
  });
});

describe('parseJsonPatch', () => {
  it('refuses what is no patch with 400, naming the operation', () => {
    const bad: unknown[] = [
      {},
      null,
      [null],
      [{ op: 'frob', path: '/a' }],
      [{ op: 'add', path: '/a' }],
      [{ op: 'add', path: 'a', value: 1 }],
      [{ op: 'add', path: 3, value: 1 }],
      [{ op: 'remove' }],
      [{ op: 'copy', path: '/a' }],
      [{ op: 'remove', path: '/a~2' }],
    ];
    for (const body of bad) expect(refusal(() => parseJsonPatch(body)).code, JSON.stringify(body)).to.equal(400);
    expect(
      refusal(() =>
        parseJsonPatch([
          { op: 'remove', path: '/a' },
          { op: 'add', path: '/a' },
        ]),
      ).message,
    ).to.equal('the JSON patch is malformed: operation 1: add needs a value');
  });

  it('refuses paths through prototypes, however they are escaped', () => {
    for (const text of ['/__proto__/x', '/a/constructor/prototype/x', '/prototype']) {
      expect(refusal(() => parseJsonPatch([{ op: 'add', path: text, value: 1 }])).code, text).to.equal(400);
      expect(refusal(() => parseJsonPatch([{ op: 'copy', from: text, path: '/a' }])).code, text).to.equal(400);
    }
  });

  it('takes 10,000 operations and no more', () => {
    const operations = (count: number): object[] =>
      Array.from({ length: count }, () => ({ op: 'test', path: '', value: 1 }));
    expect(parseJsonPatch(operations(10_000))).to.have.length(10_000);
    const { code, message } = refusal(() => parseJsonPatch(operations(10_001)));
    expect(code).to.equal(413);
    expect(message).to.equal('The allowed maximum operations in a JSON patch is 10000, got 10001');
  });
});
