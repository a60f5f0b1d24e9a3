import { expect } from 'chai';
import { runs } from '../../pkg/system/testing/runs.js';
import { useReferenceProgram } from '../harness/reference-program.js';
import { type Answer, comparable, ourAnswer } from './answers.js';
import { randomCase } from './cases.js';

/** The number of cases, and the seed of the first one. CASES=20000 tries more. */
const COUNT = Number(process.env['CASES'] ?? runs(3000));
const FIRST = Number(process.env['SEED'] ?? 1001);
const CHUNK = 200;

describe('structural: beside the schemas of Kubernetes', function () {
  this.timeout(COUNT * 60 + 300_000);
  const reference = useReferenceProgram('structural');

  it(`prunes, fills in and refuses the same in ${COUNT} random cases`, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += CHUNK) {
      const seeds = Array.from({ length: Math.min(CHUNK, FIRST + COUNT - seed) }, (_, i) => seed + i);
      const cases = seeds.map(randomCase);
      const answers = await reference().ask<Answer>(cases);
      cases.forEach((one, i) => {
        const theirs = answers[i] as Answer;
        const ours = JSON.parse(JSON.stringify(ourAnswer(one))) as Answer;
        const story = `seed ${seeds[i]}: ${JSON.stringify(one)}`;
        expect(comparable(ours, theirs), story).to.deep.equal(comparable(theirs, ours));
      });
    }
  });
});
