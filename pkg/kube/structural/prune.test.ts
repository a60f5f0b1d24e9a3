import { expect } from 'chai';
import type { JsonSchema } from './json-schema.js';
import { prune } from './prune.js';
import { compile } from './structural.js';

const text: JsonSchema = { type: 'string' };
const root = (properties: Readonly<Record<string, JsonSchema>>, more: Partial<JsonSchema> = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});

function pruned<Type>(schema: JsonSchema, object: Type, isResourceRoot = true) {
  return prune<Type>(compile(schema), object, { isResourceRoot });
}

describe('prune', () => {
  it('drops what the schema lacks, and tells the sorted paths', () => {
    const schema = root({ spec: root({ list: { type: 'array', items: root({ a: text }) } }) });
    const object = { spec: { list: [{ a: 'x', z: 1, b: { c: 1 } }, 'y'], more: {} }, extra: 1 };
    const { object: kept, unknown } = pruned(schema, object);
    expect(kept).to.deep.equal({ spec: { list: [{ a: 'x' }, 'y'] } });
    expect(unknown).to.deep.equal(['extra', 'spec.list[0].b', 'spec.list[0].z', 'spec.more']);
  });

  it('keeps apiVersion, kind and metadata at the root, and drops them silently there if it is no resource', () => {
    const object = { apiVersion: 'v1', kind: 'A', metadata: { any: 1 } };
    expect(pruned(root({}), object)).to.deep.equal({ object, unknown: [] });
    expect(pruned(root({}), object, false)).to.deep.equal({ object: {}, unknown: [] });
  });

  it('keeps all where unknown fields are preserved, but prunes the properties there', () => {
    const open = root({ known: root({ a: text }) }, { 'x-kubernetes-preserve-unknown-fields': true });
    const { object, unknown } = pruned(root({ spec: open }), { spec: { any: { b: 1 }, known: { a: 'x', b: 1 } } });
    expect(object).to.deep.equal({ spec: { any: { b: 1 }, known: { a: 'x' } } });
    expect(unknown).to.deep.equal(['spec.known.b']);
  });

  it('returns the same object, frozen or not, if nothing is dropped', () => {
    const object = Object.freeze({ spec: Object.freeze({ a: 'x' }) });
    expect(pruned(root({ spec: root({ a: text }) }), object).object).to.equal(object);
  });

  it('shares what is not different with the object, and does not change it', () => {
    const object = JSON.parse('{"a": {"x": "1"}, "b": {"y": 1}}');
    const { object: kept } = pruned(root({ a: root({ x: text }), b: root({}) }), object);
    expect(kept.a).to.equal(object.a);
    expect(object.b).to.deep.equal({ y: 1 });
  });

  it('takes names of Object.prototype for names like any others', () => {
    const object = JSON.parse('{"spec": {"__proto__": {"a": 1}, "constructor": 1, "toString": "x", "b": "y"}}');
    const { object: kept, unknown } = pruned(root({ spec: root({ b: text }) }), object);
    expect(Object.keys(kept.spec)).to.deep.equal(['b']);
    expect(unknown).to.deep.equal(['spec.__proto__', 'spec.constructor', 'spec.toString']);
  });

  it('takes time in proportion to the size of wide objects', () => {
    const wide = Object.fromEntries(Array.from({ length: 45_000 }, (_, i) => [`k${i}`, i]));
    const started = performance.now();
    const { object, unknown } = pruned(root({ spec: root({}) }), { spec: wide });
    expect(object.spec).to.deep.equal({});
    expect(unknown).to.have.length(100);
    expect(performance.now() - started).to.be.below(3000);
  });
});
