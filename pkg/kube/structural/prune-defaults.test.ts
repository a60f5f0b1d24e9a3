import { expect } from 'chai';
import { applyDefaults } from './defaults.js';
import type { JsonSchema } from './json-schema.js';
import { pruneDefaults } from './prune-defaults.js';
import { compile } from './structural.js';

const text: JsonSchema = { type: 'string' };
const object = (properties: JsonSchema['properties'], more: Partial<JsonSchema> = {}): JsonSchema => ({
  type: 'object',
  ...(properties && { properties }),
  ...more,
});
const embedded = { 'x-kubernetes-embedded-resource': true };
const open = { 'x-kubernetes-preserve-unknown-fields': true };
const metadata = { name: 'Bar', unknown: 'unknown' };
const full = { apiVersion: 'foos/v1', kind: 'Foo', metadata };
const kept = { ...full, metadata: { name: 'Bar' } };
const parts = { apiVersion: { ...text, default: 'foos/v1' }, kind: { ...text, default: 'Foo' } };
const fields = object({ name: { ...text, default: 'Bar' }, unknown: { ...text, default: 'unknown' } });

describe('pruneDefaults', () => {
  for (const more of [embedded, { ...embedded, ...open }]) {
    const schemas: Readonly<Record<string, readonly [JsonSchema, start: unknown]>> = {
      fields: [object({ ...parts, metadata: fields }, more), { metadata: {} }],
      metadata: [object({ ...parts, metadata: object(undefined, { default: metadata }) }, more), {}],
      resource: [object({ a: text }, { ...more, default: full }), undefined],
    };
    for (const [what, [schema, start]] of Object.entries(schemas)) {
      it(`leaves nothing that metadata does not have (${what}${more !== embedded ? ', open' : ''})`, () => {
        const list: JsonSchema = { type: 'array', items: object({ inner: schema }) };
        const root = object({ own: schema, deep: object({ inner: schema }), list });
        const given = start === undefined ? {} : { inner: start };
        const value = { ...(start === undefined ? {} : { own: start }), deep: given, list: [given, given] };
        const filled = applyDefaults(compile(pruneDefaults(root)), value);
        expect(filled).to.deep.equal({ own: kept, deep: { inner: kept }, list: [{ inner: kept }, { inner: kept }] });
      });
    }
  }

  it('leaves a default around an embedded resource what it keeps', () => {
    const spanning = object({ embedded: object({ a: text }, embedded) }, { default: { embedded: full } });
    const filled = applyDefaults(compile(pruneDefaults(object({ spanning }))), {});
    expect(filled).to.deep.equal({ spanning: { embedded: kept } });
  });

  it('returns the same schema if there is nothing to prune', () => {
    const plain = object({ a: { ...text, default: 'a' }, b: object({ kind: text }, { default: { x: 1 } }) });
    expect(pruneDefaults(plain)).to.equal(plain);
    const clean = object({ own: object(parts, embedded), plain });
    expect(pruneDefaults(clean)).to.equal(clean);
  });
});
