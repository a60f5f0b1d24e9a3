import { expect } from 'chai';
import fc from 'fast-check';
import { ApiError } from '../status/status.js';
import { jsonPatchSteps, parseJsonPatch } from './json-patch.js';
import { apply, applyJsonPatch, freeze, refusal } from './testing/patches.js';

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
  'constructor',
  'prototype',
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
  it('changes own members called as those of built-in objects, and no built-in object', () => {
    for (const name of ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']) {
      const at = `/labels/${name}`;
      const made = apply({ labels: {} }, [
        { op: 'add', path: at, value: 'a' },
        { op: 'test', path: at, value: 'a' },
        { op: 'replace', path: at, value: 'b' },
        { op: 'copy', from: at, path: '/copy' },
        { op: 'move', from: at, path: '/moved' },
        { op: 'add', path: `/${name}`, value: { prototype: [1] } },
        { op: 'add', path: `/${name}/prototype/-`, value: 2 },
      ]);
      expect(made).to.deep.equal({ labels: {}, copy: 'b', moved: 'b', [name]: { prototype: [1, 2] } });
      expect(refusal(() => apply({ a: {} }, [{ op: 'remove', path: `/a/${name}` }])).code).to.equal(422);
      expect(refusal(() => apply({ a: {} }, [{ op: 'add', path: `/a/${name}/x`, value: 1 }])).code).to.equal(422);
    }
  });

  // Promise: contract 5.3
  it('reports which operation failed and why', () => {
    const patch = [
      { op: 'test', path: '/spec/title', value: 'a' },
      { op: 'remove', path: '/spec/colour' },
    ];
    expect(refusal(() => apply({ spec: { title: 'a' } }, patch)).message).to.equal(
      'the patch cannot be applied: operation 1, remove "/spec/colour": "colour" does not exist',
    );
  });

  it('fails only with 4xx, and changes neither argument nor any built-in object', () => {
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

  it('gives the same result when applied again', () => {
    const patch = parseJsonPatch([
      { op: 'add', path: '/a', value: { list: [1] } },
      { op: 'add', path: '/a/list/-', value: 2 },
    ]);
    expect(applyJsonPatch({}, patch)).to.deep.equal({ a: { list: [1, 2] } });
    expect(applyJsonPatch({}, patch)).to.deep.equal({ a: { list: [1, 2] } });
  });

  it('is done in steps, of which none has many operations', () => {
    const adds = Array.from({ length: 10_000 }, (_, i) => ({ op: 'add', path: `/m${i}`, value: i }));
    const steps = jsonPatchSteps({}, parseJsonPatch(adds));
    let pauses = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) pauses++;
    expect(pauses).to.be.within(20, 40);
  });

  it('copies what is around a copied value once, however often something is copied', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`m${i}`, i]));
    const copies = Array.from({ length: 500 }, () => ({ op: 'copy', from: '/spec/part', path: '/spec/other' }));
    const inside = { op: 'add', path: '/spec/other/x', value: 1 };
    const patch = parseJsonPatch([...copies, inside]);
    const steps = jsonPatchSteps({ spec: { ...wide, part: { a: 1 } } }, patch);
    let [pauses, step] = [0, steps.next()];
    for (; step.done !== true; step = steps.next()) pauses++;
    expect(pauses, '20,000 members are 20 pauses').to.be.lessThan(200);
    const { spec } = step.value as { spec: Record<string, unknown> };
    expect([spec['part'], spec['other']]).to.deep.equal([{ a: 1 }, { a: 1, x: 1 }]);
  });

  it('of a large object takes short steps, and copies nothing but what changes', () => {
    const panels = Array.from({ length: 60_000 }, (_, id) => ({ id, text: 'x' }));
    const document = freeze({ spec: { panels, first: panels[0] }, status: { panels } });
    const patch = parseJsonPatch([
      { op: 'test', path: '/status/panels/1', value: { id: 1, text: 'x' } },
      { op: 'add', path: '/spec/panels/0/text', value: 'y' },
      { op: 'copy', from: '/spec/panels/0', path: '/spec/second' },
      { op: 'replace', path: '/spec/second/text', value: 'z' },
    ]);
    const steps = jsonPatchSteps(document, patch);
    let [pauses, step] = [0, steps.next()];
    for (; step.done !== true; step = steps.next()) pauses++;
    expect(pauses).to.be.greaterThan(50);
    const { spec, status } = step.value as typeof document & { readonly spec: { readonly second: object } };
    expect([status === document.status, spec.panels[1] === panels[1]]).to.deep.equal([true, true]);
    const changed = [spec.panels[0], spec.first, spec.second];
    expect(changed).to.deep.equal(['y', 'x', 'z'].map((text) => ({ id: 0, text })));
  });

  // Promise: contract 5.3, security work
  it('limits the bytes that copies add', () => {
    const doubling = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }));
    expect(refusal(() => apply({ a: 'x'.repeat(1000) }, doubling)).code).to.equal(413);
    const once = [{ op: 'copy', from: '/a', path: '/b' }];
    expect(apply({ a: 'x' }, once)).to.deep.equal({ a: 'x', b: 'x' });
  });

  // Promise: security work
  it('limits the depth that moves and copies create', () => {
    const adds = Array.from({ length: 5000 }, (_, i) => ({ op: 'add', path: `/m${i}`, value: {} }));
    const moves = Array.from({ length: 4999 }, (_, i) => ({ op: 'move', from: `/m${i}`, path: `/m${i + 1}/x` }));
    expect(refusal(() => apply({}, [...adds, ...moves])).message).to.include('deeper than 100 levels');
    expect(refusal(() => apply({}, [...adds, ...moves, { op: 'copy', from: '/m4999', path: '/c' }])).code).to.equal(
      413,
    );
  });

  // Promise: security work
  it('limits the work of shifting long arrays', () => {
    const long = { a: Array.from({ length: 10_000 }, () => 0) };
    const front = Array.from({ length: 10_000 }, () => ({ op: 'add', path: '/a/0', value: 1 }));
    expect(refusal(() => apply(long, front)).message).to.include('moves or compares too much');
  });

  // Promise: security work
  it('limits the work of comparing long values', () => {
    const a = Array.from({ length: 10_000 }, () => 0);
    const tests = Array.from({ length: 2001 }, () => ({ op: 'test', path: '/a', value: [...a] }));
    expect(refusal(() => apply({ a }, tests)).message).to.include('moves or compares too much');
    expect(apply({ a }, tests.slice(1))).to.deep.equal({ a });
  });

  it('limits the depth of one member among others', () => {
    const patch = Array.from({ length: 100 }, (_, i) => ({ op: 'add', path: '/m'.repeat(i + 1), value: {} }));
    expect(refusal(() => apply({ flat: 1 }, patch)).message).to.include('deeper than 100 levels');
    expect(Object.keys(apply({ flat: 1 }, patch.slice(0, 99)) as object)).to.deep.equal(['flat', 'm']);
  });

  it('refuses to move a value into itself, and says so', () => {
    const into = (path: string) => () => apply({ a: { b: {} }, ab: {} }, [{ op: 'move', from: '/a', path }]);
    expect(refusal(into('/a/b/c')).message).to.include('a value cannot be moved into itself');
    expect(into('/ab/b')()).to.deep.equal({ ab: { b: { b: {} } } });
    expect(into('/a')()).to.deep.equal({ a: { b: {} }, ab: {} });
  });

  it('finds nothing beyond the end of an array', () => {
    for (const from of ['/a/2', '/a/3']) {
      for (const operation of [
        { op: 'copy', from, path: '/b' },
        { op: 'move', from, path: '/b' },
        { op: 'remove', path: from },
        { op: 'replace', path: from, value: 1 },
        { op: 'test', path: from, value: null },
      ]) {
        const { code, message } = refusal(() => apply({ a: [0, 1] }, [operation]));
        expect([code, message.includes('does not exist')], JSON.stringify(operation)).to.deep.equal([422, true]);
      }
    }
  });

  it('repeats no more than 200 characters of a path, and 100 of one of its elements', () => {
    const long = 'x'.repeat(1000);
    for (const path of [`/${long}`, `/a/${long}`]) {
      const { message } = refusal(() => apply({ a: [] }, [{ op: 'add', path: `${path}/y`, value: 1 }]));
      expect(message.length).to.be.below(400);
    }
    expect(refusal(() => apply({ a: [] }, [{ op: 'add', path: `/a/${long}`, value: 1 }])).message.length).to.be.below(
      500,
    );
  });

  it('adds members only to objects, and elements only to arrays', () => {
    const add = (path: string) => refusal(() => apply({ a: 'text' }, [{ op: 'add', path, value: 1 }])).message;
    expect(add('/a/0')).to.include('the parent is neither an object nor an array');
  });
});

describe('parseJsonPatch', () => {
  // Promise: contract 5.3
  it('refuses a malformed patch with 400 and names the operation', () => {
    const bad: unknown[] = [
      {},
      null,
      [null],
      [{ op: 'frob', path: '/a' }],
      [{ op: 'add', path: 'a', value: 1 }],
      [{ op: 'add', path: 3, value: 1 }],
      [{ op: 'remove' }],
      [{ op: 'copy', path: '/a' }],
    ];
    for (const body of bad) expect(refusal(() => parseJsonPatch(body)).code, JSON.stringify(body)).to.equal(400);
    expect(
      refusal(() =>
        parseJsonPatch([
          { op: 'remove', path: '/a' },
          { op: 'add', path: 'a' },
        ]),
      ).message,
    ).to.equal('the JSON patch is malformed: operation 1: path must be a JSON pointer such as /spec/title');
    for (const body of [['x'], [null], [[]]])
      expect(refusal(() => parseJsonPatch(body)).message).to.equal(
        'the JSON patch is malformed: operation 0: must be an object',
      );
  });

  it('refuses paths through a prototype', () => {
    for (const text of ['/__proto__/x', '/a/__proto__', '/__proto__']) {
      expect(refusal(() => parseJsonPatch([{ op: 'add', path: text, value: 1 }])).code, text).to.equal(400);
      expect(refusal(() => parseJsonPatch([{ op: 'copy', from: text, path: '/a' }])).code, text).to.equal(400);
    }
  });

  // Promise: contract 5.3
  it('accepts 10,000 operations but not more', () => {
    const operations = (count: number): object[] =>
      Array.from({ length: count }, () => ({ op: 'test', path: '', value: 1 }));
    expect(parseJsonPatch(operations(10_000))).to.have.length(10_000);
    const { code, message } = refusal(() => parseJsonPatch(operations(10_001)));
    expect(code).to.equal(413);
    expect(message).to.equal('The allowed maximum operations in a JSON patch is 10000, got 10001');
  });
});
