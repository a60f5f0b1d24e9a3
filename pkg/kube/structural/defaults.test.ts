import { expect } from 'chai';
import { ApiError } from '../status/status.js';
import { applyDefaults } from './defaults.js';
import type { JsonSchema } from './json-schema.js';
import { compile } from './structural.js';

const withDefault = (value: unknown, more: Partial<JsonSchema> = {}): JsonSchema => ({
  type: 'object',
  default: value,
  ...more,
});

function filled(properties: Readonly<Record<string, JsonSchema>>, object: unknown): unknown {
  return applyDefaults(compile({ type: 'object', properties }), object);
}

describe('applyDefaults', () => {
  it('fills in what is missing, also inside of defaults', () => {
    const properties = { a: withDefault({}, { properties: { b: { type: 'integer', default: 3 } } }) };
    expect(filled(properties, {})).to.deep.equal({ a: { b: 3 } });
    expect(filled(properties, { a: {} })).to.deep.equal({ a: { b: 3 } });
  });

  it('fills in for nulls, removes those without a default, and leaves those that are allowed', () => {
    const properties: Readonly<Record<string, JsonSchema>> = {
      a: { type: 'string', default: 'x' },
      b: { type: 'string' },
      c: { type: 'string', nullable: true, default: 'x' },
    };
    expect(filled(properties, { a: null, b: null, c: null, d: null })).to.deep.equal({ a: 'x', c: null, d: null });
  });

  it('fills in for nulls in lists and maps, and leaves items without a default', () => {
    const properties: Readonly<Record<string, JsonSchema>> = {
      list: { type: 'array', items: { type: 'string', default: 'x' } },
      bare: { type: 'array', items: { type: 'string' } },
      map: { type: 'object', additionalProperties: { type: 'string', default: 'y' } },
    };
    const object = { list: [null, 'a'], bare: [null], map: { k: null } };
    expect(filled(properties, object)).to.deep.equal({ list: ['x', 'a'], bare: [null], map: { k: 'y' } });
  });

  it('returns the same object, frozen or not, if nothing is missing', () => {
    const object = Object.freeze({ a: Object.freeze({ b: 1 }) });
    expect(filled({ a: withDefault({}, { properties: { b: { type: 'integer', default: 3 } } }) }, object)).to.equal(
      object,
    );
  });

  it('copies defaults, so that no two objects share them', () => {
    const value = { list: [1] };
    const properties = { a: withDefault(value, { 'x-kubernetes-preserve-unknown-fields': true }) };
    const [one, two] = [filled(properties, {}), filled(properties, {})] as { a: { list: number[] } }[];
    one?.a.list.push(2);
    expect(two?.a.list).to.deep.equal([1]);
    expect(value).to.deep.equal({ list: [1] });
  });

  it('keeps a member __proto__ a member', () => {
    const object = JSON.parse('{"__proto__": {"isAdmin": true}}');
    const result = filled({ a: { type: 'string', default: 'x' } }, object) as object;
    expect(Object.hasOwn(result, '__proto__')).to.equal(true);
    expect(Object.getPrototypeOf(result)).to.equal(Object.prototype);
  });

  describe('for each item of a long list', () => {
    const tooLarge = (properties: Readonly<Record<string, JsonSchema>>, object: unknown): void => {
      expect(() => filled(properties, object)).to.throw(ApiError, 'the defaults of its schema would add more than');
    };
    const listOf = (item: JsonSchema): JsonSchema => ({
      type: 'array',
      items: { type: 'object', properties: { a: item } },
    });
    const items = (count: number) => Array.from({ length: count }, () => ({}));

    it('are refused if they are too long together', () => {
      tooLarge({ list: listOf({ type: 'string', default: 'x'.repeat(10_000) }) }, { list: items(200) });
    });

    it('are refused if their names are too long together', () => {
      const value = { ['n'.repeat(10_000)]: 1 };
      const open = { 'x-kubernetes-preserve-unknown-fields': true } as const;
      tooLarge({ list: listOf(withDefault(value, open)) }, { list: items(200) });
    });

    it('are refused if they are too many values together', () => {
      const value = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, {}]));
      const open = { 'x-kubernetes-preserve-unknown-fields': true } as const;
      tooLarge({ list: listOf(withDefault(value, open)) }, { list: items(200) });
    });

    it('are refused if lists in defaults multiply each other', () => {
      const levels = (depth: number): JsonSchema =>
        depth === 0
          ? { type: 'string', default: 'x' }
          : { ...listOf(levels(depth - 1)), default: Array.from({ length: 100 }, () => ({})) };
      tooLarge({ list: levels(6) }, {});
    });

    it('are filled in if they are few', () => {
      const { list } = filled({ list: listOf({ type: 'string', default: 'x' }) }, { list: items(15_000) }) as {
        list: object[];
      };
      expect(list.at(-1)).to.deep.equal({ a: 'x' });
    });
  });
});
