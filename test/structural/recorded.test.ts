import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Answer, comparable, ourAnswer } from './answers.js';
import type { Case } from './cases.js';

interface Recorded extends Case {
  readonly seed: number;
  /** The answer of Kubernetes. */
  readonly answer: Answer;
}

const lines = readFileSync(new URL('recorded.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const recorded = lines.map((line) => JSON.parse(line) as Recorded);

describe('structural: makes of values what Kubernetes made of them', () => {
  for (const { seed, answer, ...one } of recorded) {
    it(`in case ${seed}`, () => {
      const ours = JSON.parse(JSON.stringify(ourAnswer(frozen(one)))) as Answer;
      expect(comparable(ours, answer)).to.deep.equal(comparable(answer, ours));
    });
  }
});

/** Freezes a value, so that a change of it throws. */
function frozen<Type>(value: Type): Type {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
