import { expect } from 'chai';
import { runSteps } from '../../../system/yielding/steps.js';
import { compileRules } from './compile.js';
import { ruleSteps } from './validate.js';

const texts = { type: 'array', items: { type: 'string' } };
const properties = {
  l: { type: 'array', items: { type: 'integer' } },
  s: { type: 'string' },
  u: texts,
  m: { type: 'object', additionalProperties: { type: 'integer' } },
};

function compiled(rule: string) {
  return compileRules({ type: 'object', properties, 'x-kubernetes-validations': [{ rule }] } as never);
}

/** How often the evaluation lets others work, and what is wrong. */
function evaluated(rule: string, value: unknown): { pauses: number; message: string | undefined } {
  const steps = ruleSteps(compiled(rule), value, undefined);
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { pauses, message: step.value[0]?.message };
  }
}

const list = Array.from({ length: 20_000 }, (_, i) => i);
const long = { l: list, s: 'a'.repeat(100_000), u: list.map(String), m: Object.fromEntries(list.map((i) => [i, i])) };

describe('cel: the steps of a rule', () => {
  const loops = [
    'self.l.all(x, self.l.all(y, x + y >= 0))',
    'self.l.exists(x, x < 0) || true',
    'self.l.map(x, x + 1).size() > 0',
    'self.l.filter(x, x > 1).size() > 0',
    'self.m.all(k, self.m[k] >= 0)',
    'self.m.transformList(k, v, v).size() > 0',
    'self.u.map(x, int(x)).sum() > 0',
    'optional.of(self.l.map(x, x + 1)).optMap(a, a[0] == 1).value()',
    'self.l.size() > 0 ? self.l.all(x, x >= 0) : false',
    'self.l[self.l.map(x, x)[1]] == 1',
    '[self.l.map(x, x + 1)].size() == 1',
    '{"a": self.l.map(x, x + 1)}.size() == 1',
    'self.l.map(x, x + 1)[0] in [1, 2]',
    'optional.none().orValue(self.l.all(x, x >= 0))',
    'self.l.all(x, x >= 0) && self.l.all(x, x < 100000)',
  ];
  for (const rule of loops) {
    it(`are many if it has a long loop: ${rule}`, () => {
      expect(evaluated(rule, long).pauses).to.be.greaterThan(20);
    });
  }

  it('come often enough also near the limit of the cost', () => {
    const { pauses, message } = evaluated('self.l.all(x, self.l.all(y, x + y >= 0))', long);
    expect(message).to.contain('call cost exceeds limit for rule');
    expect(pauses).to.be.within(400, 600);
  });

  it('are none if the rule is short', () => {
    expect(evaluated('self.l.all(x, x >= 0)', { l: [1, 2, 3] })).to.deep.equal({ pauses: 0, message: undefined });
  });
});

describe('cel: one call', () => {
  const refused = [
    'self.u.sort().size() > 0',
    'self.l.sortBy(x, -x).size() > 0',
    'sets.contains(self.u, self.u)',
    'self.s.contains(self.s)',
  ];
  for (const rule of refused) {
    it(`is not made if it costs too much: ${rule}`, () => {
      expect(evaluated(rule, long).message).to.match(/call cost exceeds limit|running out of cost budget/);
    });
  }

  const cheap = [
    "self.l.all(x, '%x'.format([self.s]).size() > 0)",
    "self.l.all(x, '%s'.format([self.l]).size() > 0)",
    "self.l.all(x, '%s'.format([{'a': self.s}]).size() > 0)",
    "self.l.map(x, self.s).join('').size() > 0",
    "self.l.all(x, isURL('/' + self.s))",
    "self.l.all(x, url('http://a/?' + self.s).getQuery().size() > 0)",
    "self.s.replace('a', self.s).size() > 0",
    "self.l.all(x, self.s.split('a').size() > 0)",
    "self.l.all(x, self.s.findAll('a').size() > 0)",
  ];
  for (const rule of cheap) {
    it(`counts the work that its cost does not count: ${rule}`, () => {
      expect(evaluated(rule, long).message).to.contain('call cost exceeds limit for rule');
    });
  }
});

describe('cel: a rule in steps', () => {
  const value = { l: [3, 1, 2], s: 'abc', u: ['x', 'y'], m: { a: 1, b: 2 } };
  const rules = [
    'self.l.all(x, self.l.exists(y, x + y > 3))',
    'self.l.map(x, x * 2).filter(x, x > 2).size() == 2',
    'self.l.exists_one(x, x == 3) && !self.l.exists(x, x == 9)',
    'self.m.all(k, self.m[k] > 0) || self.m.existsOne(k, v, v == 1)',
    'self.m.transformMap(k, v, v + 1)["a"] == 2',
    'self.l.transformList(i, v, i + v).sum() == 9',
    'self.l.sortBy(x, -x)[0] == 3',
    'optional.of(self.l.map(x, x)).optMap(a, a[0] + a[1]).value() == 4',
    'self.l.map(x, [x, x + 1])[0][1] == 4',
    '{"a": self.l.map(x, x)}.a[0] == 3',
    'self.l[self.l.map(x, x - 3)[0]] == 3',
    'self.l[self.l.map(x, x)[0]] == 3',
    '{"a": self.l.map(x, 1 / (x - 3))}.size() == 1',
    '[1 / 0, self.l.map(x, x).size()].size() == 2',
    'self.l.map(x, x)[0] in [3]',
    '(self.l.all(x, x > 0) ? self.l.map(x, x) : self.l)[0] == 3',
    '(self.l.map(x, x)[0] == 3 ? self : self).s == "abc"',
    'optional.of(self.l.map(x, x)).orValue([]).size() == 3',
    'optional.of(dyn(null)).orValue(self.l.map(x, x)) == null',
    'optional.none().or(optional.of(self.l.map(x, x))).value().size() == 3',
    'optional.of(self.l).optMap(l, l.map(x, x)).hasValue()',
    'self.?l[?self.l.map(x, x)[1]].hasValue()',
    'self.?l[?self.l.map(x, 7)[0]].orValue(5) == 5',
    'self.l.map(x, null)[0] == null',
    'self.l.all(x, 1 / (x - 3) == 0)',
    'self.l.exists(x, 1 / (x - 3) == -1)',
    'self.u.map(x, x + "!").join(",") == "x!,y!"',
    '"%s".format([self.l.map(x, x)]) == "[3, 1, 2]"',
  ];
  for (const rule of rules) {
    it(`has the same value and cost as at once: ${rule}`, () => {
      const node = compiled(rule);
      const program = node?.rules[0]?.program;
      expect(program, node?.rules[0]?.error).not.to.equal(undefined);
      const variables = [node?.convert(value), undefined];
      const [atOnce, inSteps] = [0, 1].map(() => ({ cost: 0, limit: 1_000_000 })) as [
        { cost: number; limit: number },
        { cost: number; limit: number },
      ];
      const expected = program?.run(variables, atOnce);
      expect(runSteps(program!.steps(variables, inSteps))).to.deep.equal(expected);
      expect(inSteps.cost).to.equal(atOnce.cost).and.to.be.greaterThan(0);
    });
  }
});
