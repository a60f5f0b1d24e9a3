import { expect } from 'chai';
import { compileRules } from './compile.js';
import { ruleProblems } from './definition.js';
import { validateRules } from './validate.js';

const ints = { type: 'array', items: { type: 'integer' } };

function refusals(rule: string, properties: object, value: unknown): readonly string[] {
  const schema = { type: 'object', properties, 'x-kubernetes-validations': [{ rule }] };
  return validateRules(compileRules(schema as never), value, undefined).map(({ message }) => message);
}

describe('cel: rules that would take too long', () => {
  const list = Array.from({ length: 20_000 }, (_, i) => i);
  const value = { l: list, s: 'a'.repeat(100_000) };
  const rules = [
    'self.l.all(x, self.l.all(y, x + y >= 0))',
    'self.l.all(x, self.l == self.l)',
    'self.l.all(x, self.l.sum() >= 0)',
    'self.l.map(x, self.s + self.s).size() > 0',
    'self.l.all(x, lists.range(1000000).all(y, y >= 0))',
  ];
  for (const rule of rules) {
    it(`end: ${rule}`, () => {
      const before = process.cpuUsage().user;
      const [message] = refusals(rule, { l: ints, s: { type: 'string' } }, value);
      expect(message).to.contain('call cost exceeds limit for rule');
      expect((process.cpuUsage().user - before) / 1000).to.be.lessThan(2000);
    });
  }
});

describe('cel: rules about places in long texts', () => {
  const list = Array.from({ length: 20_000 }, (_, i) => i);
  const places = [
    "self.s.charAt(99999) == 'a'",
    "self.s.substring(99999) == 'a'",
    "self.s.substring(99998, 99999) == 'a'",
    "self.s.charAt(100000) == ''",
  ];
  for (const place of places) {
    it(`find the place at once: ${place}`, () => {
      const found = refusals(
        `self.l.all(x, x > 40 || ${place})`,
        { l: ints, s: { type: 'string' } },
        { l: list, s: 'a'.repeat(100_000) },
      );
      expect(found).to.deep.equal([]);
    });
  }

  it('find it at once in each of many elements', () => {
    const rule = "self.l.all(x, self.s.charAt(x) == 'a')";
    const value = { l: list, s: 'a'.repeat(100_000) };
    expect(refusals(rule, { l: ints, s: { type: 'string' } }, value)).to.deep.equal([]);
  });

  it('end, if characters of several units are before it', () => {
    const rule = "self.l.all(x, self.s.charAt(99999) == '🙂')";
    const [message] = refusals(rule, { l: ints, s: { type: 'string' } }, { l: list, s: '🙂'.repeat(100_000) });
    expect(message).to.contain('call cost exceeds limit for rule');
  });

  const texts = ['', 'a', 'aba', '🙂', 'a🙂b🙂c', `${'ä🙂'.repeat(700)}z`];
  it('count in characters', () => {
    const rulesOf = (all: readonly string[], i: number): readonly string[] => {
      const { [i]: one } = all;
      const parts = [`charAt(${i}) == self.c`, `substring(${i}) == self.rest`, `substring(0, ${i}) == self.head`];
      if (one === undefined) return parts;
      const [first, last] = [all.indexOf(one), all.lastIndexOf(one)];
      const whole = [`indexOf(self.c) == ${first}`, `lastIndexOf(self.c) == ${last}`];
      return [...parts, ...whole, `indexOf(self.c, ${i}) == ${i}`, `lastIndexOf(self.c, ${i}) == ${i}`];
    };
    for (const text of texts) {
      const all = [...text];
      for (const i of [0, 1, 2, 3, all.length - 1, all.length].filter((at) => at >= 0 && at <= all.length)) {
        const value = { s: text, c: all[i] ?? '', rest: all.slice(i).join(''), head: all.slice(0, i).join('') };
        const properties = {
          s: { type: 'string' },
          c: { type: 'string' },
          rest: { type: 'string' },
          head: { type: 'string' },
        };
        for (const rule of rulesOf(all, i))
          expect(
            refusals(`self.s.${rule}`, properties, value),
            `${rule} of ${JSON.stringify(text.slice(0, 20))}`,
          ).to.deep.equal([]);
      }
    }
  });
});

describe('cel: rules that are deep or wide', () => {
  const deep = [
    `${'('.repeat(20_000)}true${')'.repeat(20_000)}`,
    `1${' + 1'.repeat(20_000)} == 1`,
    `${'!'.repeat(20_001)}true`,
    `self${'.a'.repeat(20_000)} == 1`,
    `${'[1, '.repeat(5000)}`,
  ];
  for (const rule of deep) {
    it(`do not overflow the stack: ${rule.slice(0, 20)}`, () => {
      expect(() => refusals(rule, { l: ints }, { l: [1] })).not.to.throw();
    });
  }

  it('may have many terms', () => {
    const rule = Array.from({ length: 3000 }, (_, i) => `self.l.exists(x, x == ${i})`).join(' || ');
    expect(refusals(rule, { l: ints }, { l: [2999] })).to.deep.equal([]);
  });
});

describe('cel: names that every object inherits', () => {
  it('are no members', () => {
    const properties = { m: { type: 'object', additionalProperties: { type: 'string' } } };
    const rule =
      '!("constructor" in self.m) && !has(self.m.toString) && !("__proto__" in self.m) && self.m.size() == 1';
    expect(refusals(rule, properties, { m: { a: 'b' } })).to.deep.equal([]);
  });

  it('are members if they are there', () => {
    const schema = JSON.parse('{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}}') as object;
    const value = JSON.parse('{"__proto__":1,"constructor":2}') as object;
    expect(
      refusals('self.__underscores__proto__underscores__ == 1 && self.constructor == 2', schema, value),
    ).to.deep.equal([]);
  });
});

const PLACE = {
  path: 'spec.schema.x-kubernetes-validations',
  isResource: true,
  uncorrelatable: undefined,
  cardinality: 1,
};

describe('cel: definitions', () => {
  it('without rules have no problems and nothing to run', () => {
    expect(ruleProblems({ type: 'object' }, PLACE).causes).to.deep.equal([]);
    expect(compileRules({ type: 'object' })).to.equal(undefined);
  });

  it('say where the rule is wrong', () => {
    const schema = { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.a == 1' }] };
    const [cause] = ruleProblems(schema, PLACE).causes;
    expect(cause?.field).to.equal('spec.schema.x-kubernetes-validations[0].rule');
    expect(cause?.message).to.contain("ERROR: <input>:1:5: undefined field 'a'\n | self.a == 1\n | ....^");
  });
});
