import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { runs } from '../../pkg/system/testing/runs.js';
import { useReferenceProgram } from '../harness/reference-program.js';
import { CASES, caseOf } from './cases.js';
import { KNOWN } from './known.js';
import { randomRules } from './random.js';
import { answerOf, comparable, nameOf, type RuleAnswer, type RuleCase } from './reference.js';

/** The number of random rules, and the seed of the first one. RULES=100000 tries more. */
const COUNT = Number(process.env['RULES'] ?? runs(3000));
const SEED = Number(process.env['SEED'] ?? 1);
const CHUNK = 200;
/**
 * How often a case is asked again, because Go walks maps in random order, on which the cost of `exists` and `all`
 * depends.
 */
const REPEATS = 200;

describe('cel: beside the rules of Kubernetes', function () {
  this.timeout(COUNT * 60 + 300_000);
  const reference = useReferenceProgram('cel');

  // What Kubernetes said of each case is also recorded, and other tests compare with that: so a short run asks it again
  // about some only.
  it('says the same of all cases', () => expectSame(sample(CASES.filter((one) => !KNOWN.has(nameOf(one))))));

  it(`says the same of ${COUNT} random rules from seed ${SEED}`, () =>
    expectSame(randomRules(SEED, COUNT).map((rule) => caseOf({ rule }))));

  function sample(cases: readonly RuleCase[]): readonly RuleCase[] {
    const count = Math.min(cases.length, runs(cases.length));
    return Array.from({ length: count }, (_, i) => cases[Math.floor((i * cases.length) / count)] as RuleCase);
  }

  async function expectSame(cases: readonly RuleCase[]): Promise<void> {
    for (let i = 0; i < cases.length; i += CHUNK) {
      const chunk = cases.slice(i, i + CHUNK);
      const answers = await reference().ask<RuleAnswer>(chunk);
      for (const [j, one] of chunk.entries()) await expectAnswer(one, answers[j] ?? { definition: null });
    }
  }

  async function expectAnswer(one: RuleCase, answer: RuleAnswer): Promise<void> {
    if (isPanic(answer)) return;
    const own = comparable(answerOf(one));
    if (isDeepStrictEqual(own, comparable(answer))) return;
    const others = await reference().ask<RuleAnswer>(Array<RuleCase>(REPEATS).fill(one));
    if (others.some((other) => isDeepStrictEqual(own, comparable(other)))) return;
    expect(own, nameOf(one)).to.deep.equal(comparable(answer));
  }
});

/** The costs of `sort` and `distinct` of cel-go panic if the list is an error. */
function isPanic(answer: RuleAnswer): boolean {
  return answer.causes?.some(({ message }) => message.includes('internal error: interface conversion')) ?? false;
}
