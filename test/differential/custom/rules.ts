import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';
import type { Random } from '../../fieldmanager/schemas.js';

type Rule = NonNullable<NonNullable<JsonSchema['x-kubernetes-validations']>[number]>;

const REASONS = ['FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate', 'FieldValueInvalid'] as const;

const OF_TEXT: readonly Rule[] = [
  { rule: 'self.size() <= 8' },
  { rule: "self != 'bad'", message: 'must not be bad' },
  { rule: 'self == oldSelf', message: 'is immutable' },
  { rule: '!oldSelf.hasValue() || self.startsWith(oldSelf.value())', optionalOldSelf: true },
  { rule: "self.matches('^[a-z0-9-]*$')", messageExpression: "'not ' + self" },
  {
    rule: "self.lowerAscii() == self && !self.contains('x')",
    messageExpression: "self.size() > 3 ? '' : 'short ' + self",
  },
  { rule: "self.split('-').size() < 3", message: 'has too many parts' },
  {
    rule: "self.find('[0-9]+') == ''",
    messageExpression: "'found %s in %d'.format([self.find('[0-9]+'), self.size()])",
  },
  { rule: '[1, 2, 3][self.size()] > 1' },
];

const OF_NUMBER: readonly Rule[] = [
  { rule: 'self % 2 == 0', messageExpression: "'odd: ' + string(self)" },
  { rule: 'self >= oldSelf', message: 'must not shrink' },
  { rule: 'self < 50 || self == 100' },
  { rule: '10 / self > 0' },
  { rule: 'self == optional.ofNonZeroValue(self).orValue(1)' },
];

const OF_LIST: readonly Rule[] = [
  { rule: 'self.size() < 3' },
  { rule: 'self.size() >= oldSelf.size()', message: 'only grows' },
  { rule: 'self.all(x, self.exists_one(y, x == y))' },
];

const OF_MAP: readonly Rule[] = [
  { rule: "self.all(key, key != 'bad' && self[key] != 'bad')" },
  { rule: 'self.size() < 3', message: 'too many' },
];

const OF_ANY_OBJECT: readonly Rule[] = [{ rule: 'self == oldSelf', message: 'is immutable' }, { rule: 'true' }];

const OF_ROOT: readonly Rule[] = [
  { rule: 'self.metadata.name.size() < 30' },
  { rule: "self.metadata.name.endsWith('-b') ? has(self.spec) : true", message: 'b needs a spec' },
  { rule: "self.kind == 'Thing' && self.apiVersion.contains('/')" },
  { rule: 'has(self.status) || !has(oldSelf.status)', message: 'a status stays' },
];

/** One or two rules that the type allows. */
export function rulesFor(random: Random, schema: JsonSchema, isRoot: boolean): readonly Rule[] {
  const pool = isRoot ? OF_ROOT : poolOf(random, schema);
  if (pool.length === 0) return [];
  return Array.from({ length: random.chance(30) ? 2 : 1 }, () => adorned(random, random.of(pool)));
}

function poolOf(random: Random, schema: JsonSchema): readonly Rule[] {
  if (schema.type === 'string') return OF_TEXT;
  if (schema.type === 'integer') return OF_NUMBER;
  if (schema.type === 'array') return OF_LIST;
  if (schema.type !== 'object') return [];
  const names = Object.keys(schema.properties ?? {});
  if (names.length > 0) return [...names.flatMap((name) => ofMember(random, name)), ...OF_ANY_OBJECT];
  return schema.additionalProperties === undefined ? OF_ANY_OBJECT : OF_MAP;
}

function ofMember(random: Random, name: string): readonly Rule[] {
  const other = random.of(['title', 'count', 'a', 'replicas', 'nope']);
  return [
    { rule: `has(self.${name})`, fieldPath: `.${name}`, reason: 'FieldValueRequired' },
    { rule: `!has(oldSelf.${name}) || has(self.${name})`, message: `${name} stays`, fieldPath: `.${name}` },
    { rule: `!has(self.${name}) || !has(oldSelf.${name}) || self.${name} == oldSelf.${name}` },
    { rule: `!has(self.${name}) || !has(self.${other}) || true`, fieldPath: `.${other}` },
    { rule: `!oldSelf.hasValue() || has(self.${name})`, optionalOldSelf: true },
  ];
}

function adorned(random: Random, rule: Rule): Rule {
  return random.chance(20) ? { ...rule, reason: random.of(REASONS) } : rule;
}
