import type { JsonSchema, ValidationRule } from '../../pkg/kube/structural/json-schema.js';
import type { RuleCase } from './reference.js';

const text: JsonSchema = { type: 'string' };
const int: JsonSchema = { type: 'integer' };

function ruled(schema: JsonSchema, ...rules: readonly Partial<ValidationRule>[]): JsonSchema {
  return { ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule: 'self.a == 1', ...rule })) };
}

function object(
  properties: Readonly<Record<string, JsonSchema>>,
  ...rules: readonly Partial<ValidationRule>[]
): JsonSchema {
  const schema: JsonSchema = { type: 'object', properties };
  return rules.length === 0 ? schema : ruled(schema, ...rules);
}

function list(items: JsonSchema, extra: Partial<JsonSchema> = {}): JsonSchema {
  return { type: 'array', maxItems: 5, items, ...extra };
}

const small: JsonSchema = { type: 'integer' };
const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
const wrong = { a: 2 };

function of(schema: JsonSchema, value: unknown, old?: unknown, ratchet = false): RuleCase {
  return { schema, object: value, ...(old === undefined ? {} : { old }), root: true, ratchet };
}

/** Messages, reasons and paths. */
const words: readonly RuleCase[] = [
  of(object({ a: int }, { message: ' a must be 1 ' }), wrong),
  of(object({ a: int }, { messageExpression: '"a is " + string(self.a)' }), wrong),
  of(object({ a: int }, { messageExpression: '"a is " + string(self.a)', message: 'other' }), wrong),
  of(object({ a: int, b: text }, { messageExpression: 'self.b', message: 'other' }), wrong),
  of(object({ a: int, b: text }, { messageExpression: 'self.b' }), { a: 2, b: 'two\nlines' }),
  of(object({ a: int, b: text }, { messageExpression: 'self.b' }), { a: 2, b: '  ' }),
  of(object({ a: int, b: text }, { messageExpression: 'self.b' }), { a: 2, b: 'x'.repeat(5200) }),
  of(object({ a: int }, { messageExpression: 'self.a' }), wrong),
  of(object({ a: int }, { messageExpression: 'self.zz' }), wrong),
  of(object({ a: int }, { messageExpression: ' ' }), wrong),
  ...['FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate', 'FieldValueInvalid', 'Other'].map((reason) =>
    of(object({ a: int }, { reason }), wrong),
  ),
  of(object({ a: ruled(int, { rule: 'self == 1', reason: 'FieldValueDuplicate' }) }), wrong),
  of(object({ a: ruled(int, { rule: 'self == 1' }) }), wrong),
  of(object({ a: ruled(text, { rule: 'self == "<1>"' }) }), { a: 'a"b\\<' }),
  of(object({ a: ruled({ type: 'number' }, { rule: 'self < 1.0' }) }), { a: 1.5 }),
  of(object({ a: ruled({ type: 'boolean' }, { rule: '!self' }) }), { a: true }),
  of(object({ a: ruled({ 'x-kubernetes-int-or-string': true }, { rule: 'self == 1' }) }), { a: '1' }),
  ...['.a', '.zz', "['a']", '.m.k', ".m['k.x']", 'a', '.m[k]', '.l', ' ', '.a\n'].map((fieldPath) =>
    of(object({ a: int, m: { type: 'object', additionalProperties: int }, l: list(int) }, { fieldPath }), wrong),
  ),
  of(object({ a: int }, { rule: '' }), wrong),
  of(object({ a: int }, { rule: ' ' }), wrong),
  of(object({ a: int }, { message: ' ' }), wrong),
  of(object({ a: int }, { message: 'two\nlines' }), wrong),
  of(object({ a: int }, { rule: 'self.a\n== 1' }), wrong),
  of(object({ a: int }, { rule: 'self.a\n== 1', message: 'no' }), wrong),
  of(object({ a: int }, { rule: 'self.a\n  == "x"', message: 'no' }), wrong),
];

/** Rules at all places of a schema. */
const places: readonly RuleCase[] = [
  of(object({ p: object({ a: int }, {}) }), { p: wrong }),
  of(object({ l: list(object({ a: int }, {})) }), { l: [{ a: 1 }, wrong, wrong] }),
  of(object({ m: { type: 'object', maxProperties: 3, additionalProperties: object({ a: int }, {}) } }), {
    m: { 'x.y': wrong },
  }),
  of(object({ 'a-b': object({ a: int }, {}), '1x': object({ a: int }, {}) }), { 'a-b': wrong, '1x': wrong }),
  of(object({ l: ruled(list(int), { rule: 'self.size() > 2' }) }), { l: [1] }),
  of(object({ n: { ...object({ a: int }, {}), nullable: true } }), { n: null }),
  of(
    object({
      e: {
        ...object({}, { rule: 'self.metadata.name == "x" && self.kind == "y"' }),
        'x-kubernetes-embedded-resource': true,
      },
    }),
    {
      e: { apiVersion: 'v1', kind: 'z', metadata: { name: 'x' } },
    },
  ),
  of(object({ a: int }, {}, { rule: 'self.a > 0' }, { rule: 'self.a > 5' }), wrong),
  of(object({ a: int, p: object({ b: int }, { rule: 'self.b == 1' }) }, {}), { a: 2, p: { b: 2 } }),
];

const old = { rule: 'self == oldSelf' };

const transitions: readonly RuleCase[] = [
  of(object({ a: ruled(int, old) }), wrong),
  of(object({ a: ruled(int, old) }), wrong, { a: 1 }),
  of(object({ a: ruled(int, { ...old, optionalOldSelf: true }) }), wrong, { a: 1 }),
  of(object({ a: ruled(int, { rule: 'oldSelf.orValue(0) < self', optionalOldSelf: true }) }), wrong),
  of(object({ a: ruled(int, { rule: 'oldSelf.orValue(5) < self', optionalOldSelf: true }) }), wrong),
  of(
    object({ a: ruled(int, { rule: 'oldSelf.hasValue() && oldSelf.value() < self', optionalOldSelf: true }) }),
    wrong,
    { a: 1 },
  ),
  of(object({ a: ruled(int, { rule: 'self < 1', optionalOldSelf: true }) }), wrong),
  of(object({ a: ruled(int, { rule: 'self < 1', optionalOldSelf: false }) }), wrong),
  of(object({ l: list(ruled(int, old)) }), { l: [1] }, { l: [2] }),
  of(object({ l: list(ruled(text, old), { 'x-kubernetes-list-type': 'set' }) }), { l: ['1'] }, { l: ['2'] }),
  of(
    object({ l: list(object({ k: text, v: ruled(small, old) }), keyed) }),
    { l: [{ k: 'a', v: 1 }] },
    { l: [{ k: 'b' }, { k: 'a', v: 2 }] },
  ),
  of(
    object({ l: list(object({ k: text, v: small }, { rule: 'self.v >= oldSelf.v' }), keyed) }),
    { l: [{ k: 'a', v: 1 }] },
    { l: [{ k: 'a', v: 2 }] },
  ),
  of(
    object({ m: { type: 'object', maxProperties: 3, additionalProperties: ruled(small, old) } }),
    { m: { x: 1, y: 1 } },
    { m: { x: 2 } },
  ),
  of(
    object({ p: { ...object({ a: ruled(int, old) }), 'x-kubernetes-map-type': 'atomic' } }),
    { p: wrong },
    { p: { a: 1 } },
  ),
  of(object({ p: object({ l: list(object({ q: object({ a: ruled(int, old) }) })) }) }), { p: { l: [] } }),
];

/** Ratcheting: values that did not change. */
const ratcheting: readonly RuleCase[] = [
  of(object({ a: int }, {}), wrong, wrong, true),
  of(object({ a: int, b: int }, {}), { a: 2, b: 1 }, { a: 2, b: 2 }, true),
  of(object({ p: object({ a: int }, {}), b: int }), { p: wrong, b: 1 }, { p: wrong, b: 2 }, true),
  of(object({ l: list(object({ a: int }, {})), b: int }), { l: [wrong], b: 1 }, { l: [wrong], b: 2 }, true),
  of(object({ l: list(object({ a: int }, {})) }), { l: [wrong, { a: 1 }] }, { l: [wrong] }, true),
  of(
    object({ l: list(object({ k: text, a: int }, {}), keyed) }),
    {
      l: [
        { k: 'x', a: 2 },
        { k: 'y', a: 2 },
      ],
    },
    { l: [{ k: 'y', a: 2 }] },
    true,
  ),
  of(object({ a: ruled(int, { rule: 'self > oldSelf' }) }), wrong, wrong, true),
  of(
    object({ p: object({ a: ruled(int, { rule: 'self == 1' }), b: int }, { rule: 'self.a == 1' }) }),
    { p: { a: 2, b: 1 } },
    { p: { a: 2 } },
    true,
  ),
  of(
    object({ m: { type: 'object', maxProperties: 3, additionalProperties: object({ a: int }, {}) } }),
    { m: { x: wrong, y: wrong } },
    { m: { x: wrong } },
    true,
  ),
  of(object({ kind: ruled(text, { rule: 'self == "A"' }) }), { kind: 'B' }, { kind: 'B' }, true),
];

const long = { l: Array.from({ length: 3000 }, (_, i) => i) };

const costs: readonly RuleCase[] = [
  of(
    object(
      { l: list(int, { maxItems: 5000 }) },
      { rule: 'self.l.all(x, self.l.all(y, x == x && y == y))' },
      { rule: 'self.l.size() == 1' },
    ),
    long,
  ),
  of(
    object({ l: ruled(list(ruled(int, { rule: 'self < 0' }), { maxItems: 5000 }), { rule: 'self.all(x, x >= 0)' }) }),
    { l: long.l.slice(0, 50) },
  ),
  of(
    object(
      { a: int, l: list(int, { maxItems: 5000 }) },
      { messageExpression: '"x" + string(self.l.all(x, self.l.all(y, x == x && y == y)))' },
    ),
    { a: 2, ...long },
  ),
  of(object({ l: { type: 'array', items: { type: 'string' } } }, { rule: 'self.l.all(x, x.contains("a"))' }), {
    l: ['a'],
  }),
  of(object({ s: text }, { rule: 'self.s.contains(self.s)' }), { s: 'a' }),
  of(
    object({
      l: { type: 'array', items: object({ m: { type: 'array', items: ruled(text, { rule: 'self.matches("a+")' }) } }) },
    }),
    { l: [] },
  ),
  of(
    object({ l: { type: 'array', items: { type: 'array', items: int } } }, { rule: 'self.l.all(x, x.all(y, y > 0))' }),
    { l: [[1]] },
  ),
];

export const OTHER_CASES: readonly RuleCase[] = [...words, ...places, ...transitions, ...ratcheting, ...costs];
