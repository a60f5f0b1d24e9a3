import { expect } from 'chai';
import { runs } from '../../pkg/system/testing/runs.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';
import { strategicPatch } from '../../registry/rest/body/strategic-patch.js';
import { useReferenceProgram } from '../harness/reference-program.js';
import { type Case, randomCase } from './cases.js';

/** The number of patches, and the seed of the first one. CASES=100000 tries more. */
const COUNT = Number(process.env['CASES'] ?? runs(1500));
const FIRST = Number(process.env['SEED'] ?? 1);

interface Answer {
  readonly patch: Readonly<Record<string, unknown>>;
  readonly result?: object;
  readonly error?: string;
}

describe('strategic merge patches: beside those of Kubernetes', function () {
  this.timeout(COUNT + 300_000);
  const reference = useReferenceProgram('strategicpatch');

  // Promise: contract 5.3
  it(`make the same of the finalizers and owners of a ConfigMap (${COUNT} random patches from seed ${FIRST})`, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const one = randomCase(seed);
      const [answer] = (await reference().ask<Answer>([one])) as [Answer];
      expect(ours(one, answer), `seed ${seed}: ${JSON.stringify({ ...one, ...answer })}`).to.deep.equal(theirs(answer));
    }
  });
});

function ours({ live }: Case, { patch }: Answer): unknown {
  try {
    return comparable(runSteps(strategicPatch(patch)(live)));
  } catch {
    return 'refused';
  }
}

function theirs({ result, error }: Answer): unknown {
  return error === undefined ? comparable(result) : 'refused';
}

/** Removes empty lists and null members, which are not stored. */
function comparable(object: unknown): unknown {
  const { metadata } = object as { readonly metadata: Readonly<Record<string, unknown>> };
  const lists = ['labels', 'finalizers', 'ownerReferences'].map((name) => metadata[name]);
  const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
  return JSON.parse(JSON.stringify(lists, (_, value) => (isEmpty(value) ? undefined : value)));
}
