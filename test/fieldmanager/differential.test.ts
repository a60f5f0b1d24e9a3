import { expect } from 'chai';
import { runs } from '../../pkg/system/testing/runs.js';
import { useReferenceProgram } from '../harness/reference-program.js';
import { comparable, resultsOf, structuralResultsOf } from './reference.js';
import { type Result, randomSequence, type Sequence } from './sequences.js';
import { randomStructuralSequence, type StructuralSequence } from './structural-sequences.js';

/** The number of sequences, and the seed of the first one. SEQUENCES=100000 tries more. */
const COUNT = Number(process.env['SEQUENCES'] ?? runs(300));
const FIRST = Number(process.env['SEED'] ?? 1);
const CHUNK = 200;

describe('fieldmanager: beside the field management of Kubernetes', function () {
  this.timeout(COUNT * 60 + 300_000);
  const reference = useReferenceProgram('fieldmanager');

  // Promise: contract 5.4
  it(`gives the same objects, managers and conflicts in ${COUNT} random sequences of writes`, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += CHUNK) {
      const seeds = Array.from({ length: Math.min(CHUNK, FIRST + COUNT - seed) }, (_, i) => seed + i);
      const sequences = seeds.map(randomSequence);
      const answers = await resultsOf(reference(), sequences);
      sequences.forEach((sequence, i) => {
        expectSame(seeds[i] ?? 0, sequence.schema, sequence, answers[i] ?? []);
      });
    }
  });

  it(`gives the same for the objects of ${COUNT} random definitions, whose types follow from their schemas`, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += CHUNK) {
      const seeds = Array.from({ length: Math.min(CHUNK, FIRST + COUNT - seed) }, (_, i) => seed + i);
      const sequences = seeds.map(randomStructuralSequence);
      const answers = await structuralResultsOf(reference(), sequences);
      sequences.forEach((sequence, i) => {
        expectSame(seeds[i] ?? 0, sequence.structural, sequence, answers[i] ?? []);
      });
    }
  });
});

function expectSame(
  seed: number,
  schema: object,
  { writes, results }: Pick<Sequence | StructuralSequence, 'writes' | 'results'>,
  answers: readonly Result[],
): void {
  results.forEach((result, i) => {
    const [ours, theirs] = [comparable(result), comparable(answers[i] ?? {})];
    if (ours === theirs) return;
    const story = JSON.stringify({
      schema,
      writes: writes.slice(0, i + 1),
      before: results[i - 1],
      refused: answers[i]?.error,
    });
    expect(JSON.parse(ours), `seed ${seed}, write ${i} of ${story}`).to.deep.equal(JSON.parse(theirs));
  });
}
