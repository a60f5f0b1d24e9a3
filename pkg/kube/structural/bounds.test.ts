import { expect } from 'chai';
import type { StatusCause } from '../status/causes.js';
import { boundedCauses } from '../status/causes.js';
import { invalid } from '../status/errors.js';
import type { JsonSchema } from './json-schema.js';
import { validateLists } from './lists.js';
import { prune } from './prune.js';
import { compile } from './structural.js';
import { validate, validateSteps } from './validate.js';

/** Bodies that are wrong everywhere, as large as the limits of bodies admit. */
const MANY = 40_000;
const MOST_BYTES = 64 * 1024;
const long = (length: number, letter = 'x'): string => letter.repeat(length);
const many = <T>(value: T): readonly T[] => Array.from({ length: MANY }, () => value);
const listOf = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...more });
const branches = (count: number): readonly JsonSchema[] =>
  Array.from({ length: count }, (_, i) => ({ pattern: `^[a-f]{${i + 1},20}$`, enum: [`e${i}`] }));

const CASES: Readonly<Record<string, readonly [JsonSchema, unknown]>> = {
  type: [listOf({ type: 'string' }), many(1)],
  'type of lists': [listOf({ type: 'string' }), many([])],
  nullable: [listOf({ type: 'string' }), many(null)],
  'enum of long values': [
    listOf({ type: 'string', enum: Array.from({ length: 3000 }, (_, i) => `${i}${long(100)}`) }),
    many('no'),
  ],
  'enum of numbers': [listOf({ type: 'number', enum: Array.from({ length: 3000 }, (_, i) => i) }), many(-7)],
  'enum of objects': [listOf({ type: 'object', enum: [{ a: long(100_000) }] }), many({ b: 1 })],
  'long value of an enum': [{ type: 'string', enum: ['a'] }, long(3_000_000)],
  pattern: [listOf({ type: 'string', pattern: '^a+$' }), many('b')],
  'long text of a pattern': [{ type: 'string', pattern: '^([a-z]+-?)+$' }, long(3_000_000)],
  'long pattern': [listOf({ type: 'string', pattern: long(100_000) }), many('b')],
  'control characters': [listOf({ type: 'string', pattern: '^a$' }), Array(1000).fill(long(3000, '\u0001'))],
  'wide characters': [listOf({ type: 'string', pattern: '^a$' }), Array(700).fill(long(1400, '\u{1f600}'))],
  format: [listOf({ type: 'string', format: 'date-time' }), many('b')],
  maxLength: [listOf({ type: 'string', maxLength: 1 }), many('bb')],
  minLength: [listOf({ type: 'string', minLength: 9 }), many('bb')],
  maximum: [listOf({ type: 'number', maximum: 1 }), many(2)],
  multipleOf: [listOf({ type: 'number', multipleOf: 3 }), many(2)],
  int32: [listOf({ type: 'integer', format: 'int32' }), many(2 ** 40)],
  maxItems: [listOf(listOf({ type: 'string' }, { maxItems: 0 })), many(['a'])],
  minProperties: [listOf({ type: 'object', minProperties: 2 }), many({})],
  required: [{ type: 'object', required: Array.from({ length: MANY }, (_, i) => `r${i}`) }, {}],
  'long required names': [listOf({ type: 'object', required: [long(100_000)] }), many({})],
  anyOf: [listOf({ type: 'string', anyOf: branches(20) }), many('b')],
  oneOf: [listOf({ type: 'string', oneOf: branches(20) }), many('b')],
  allOf: [listOf({ type: 'string', allOf: branches(20) }), many('b')],
  not: [listOf({ type: 'string', not: { minLength: 1 } }), many('b')],
  'int-or-string': [listOf({ 'x-kubernetes-int-or-string': true }), many({})],
  'long names': [
    { type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'string' } } },
    { [long(1_000_000)]: Object.fromEntries(many(1).map((one, i) => [`m${i}`, one])) },
  ],
  'branches for a whole': [
    {
      type: 'object',
      anyOf: [{ properties: { a: listOf({ maxLength: 1 }) } }],
      properties: { a: listOf({ type: 'string' }) },
    },
    { a: many('bb') },
  ],
};

const bytesOf = (causes: readonly StatusCause[]): number => {
  const status = invalid({ group: 'a.b', kind: 'Thing' }, 'name', causes).toStatus();
  return Buffer.byteLength(JSON.stringify(status));
};

// Promise: security work
describe('a value that is wrong everywhere is answered by few causes and in steps', () => {
  for (const [name, [schema, value]] of Object.entries(CASES)) {
    it(`of: ${name}`, () => {
      const steps = validateSteps(compile({ type: 'object', properties: { spec: schema } }), { spec: value });
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      expect(step.value).to.have.length.within(1, 100);
      expect(bytesOf(step.value)).to.be.at.most(MOST_BYTES);
    });
  }

  it('which says that there are more', () => {
    const [schema, value] = CASES['pattern'] ?? [{}, undefined];
    expect(validate(compile(schema), value).at(-1)?.message).to.contain('there are more problems');
  });

  it('and pauses also if nothing is wrong', () => {
    const steps = validateSteps(compile(listOf({ type: 'string', maxLength: 5 })), many('good'));
    let pauses = 0;
    while (steps.next().done !== true) pauses++;
    expect(pauses).to.be.above(20);
  });

  // Promise: contract 9
  it('of a text that a pattern takes too long for, which is refused without a look at it', () => {
    const [cause] = validate(compile({ type: 'string', pattern: '^([a-z]{1,500})[0-9]$' }), long(100_000));
    expect(cause?.message).to.contain('so that it can be compared with its pattern');
  });

  it('of unknown members below a long name, of which few are told', () => {
    const members = Object.fromEntries(many(1).map((one, i) => [`m${i}`, one]));
    const schema = { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string' } } } };
    const { object, unknown } = prune(compile(schema), { [long(1_000_000)]: members }, { isResourceRoot: false });
    expect(Object.values(object)).to.deep.equal([{}]);
    expect(unknown).to.have.length(100);
    expect(unknown.join('').length).to.be.below(110_000);
  });

  // Promise: contract 9
  it('of a schema with too many branches, of which not all are tried', () => {
    const schema = listOf({ type: 'string', anyOf: Array.from({ length: 3000 }, (_, i) => ({ enum: [`e${i}`] })) });
    expect(validate(compile(schema), many('e2999'))[0]?.message).to.contain('it takes too long');
  });

  it('of the same item in every place of a set, and the same keys of a map', () => {
    const set = listOf({ type: 'string' }, { 'x-kubernetes-list-type': 'set' });
    const sets = Array.from({ length: 15_000 }, () => ['a', 'a']);
    expect(validateLists(compile(listOf(set)), sets)).to.have.length(100);
    const map = listOf({ type: 'object' }, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] });
    const maps = Array.from({ length: 200 }, () => [{ k: long(7000) }, { k: long(7000) }]);
    const causes = validateLists(compile(listOf(map)), maps);
    expect(bytesOf(causes)).to.be.at.most(MOST_BYTES);
  });
});

describe('the causes of an answer', () => {
  const cause = (message: string, field = 'spec.a'): StatusCause => ({ reason: 'FieldValueInvalid', message, field });

  it('stay as they are if they are few and short', () => {
    const causes = [cause('a'), cause('b')];
    expect(boundedCauses(causes)).to.deep.equal(causes);
    expect(boundedCauses([])).to.deep.equal([]);
  });

  it('are cut, each and all together, whoever made them', () => {
    for (const message of [long(1_000_000), long(1_000_000, '\u0001'), long(1_000_000, '\u{1f600}')]) {
      const causes = Array.from({ length: 5000 }, () => cause(message, long(5000)));
      expect(bytesOf(causes)).to.be.at.most(MOST_BYTES);
      expect(boundedCauses(causes)).to.have.length.at.most(100);
    }
  });

  it('say once that there are more, also if they are cut again', () => {
    const causes = boundedCauses(boundedCauses(Array.from({ length: 500 }, (_, i) => cause(`${i}`))));
    expect(causes.filter(({ message }) => message.includes('more problems'))).to.have.length(1);
    expect(causes).to.have.length(100);
  });
});
