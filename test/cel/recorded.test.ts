import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CASES } from './cases.js';
import { KNOWN } from './known.js';
import { answerOf, comparable, nameOf, type RuleAnswer } from './reference.js';

type Recorded = RuleAnswer & { readonly name: string };

const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as readonly Recorded[];

describe('cel: says what Kubernetes said', () => {
  it('of all cases', () => {
    expect(recorded.map(({ name }) => name)).to.deep.equal(CASES.map(nameOf));
  });

  CASES.forEach((one, i) => {
    if (KNOWN.has(nameOf(one))) return;
    it(`of ${nameOf(one)} (${i})`, () => {
      const { name: _, ...expected } = recorded[i] ?? { name: '', definition: null };
      expect(comparable(answerOf(one))).to.deep.equal(expected);
    });
  });
});
