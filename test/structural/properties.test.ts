import { expect } from 'chai';
import fc from 'fast-check';
import { applyDefaults } from '../../pkg/kube/structural/defaults.js';
import { coerce } from '../../pkg/kube/structural/embedded.js';
import type { Structural } from '../../pkg/kube/structural/node.js';
import { prune } from '../../pkg/kube/structural/prune.js';
import { compile } from '../../pkg/kube/structural/structural.js';
import { validate } from '../../pkg/kube/structural/validate.js';
import '../harness/seed.js';
import { type Case, randomCase } from './cases.js';

/** fast-check prints the seed of the case that fails. */
function forCases(check: (structural: Structural, one: Case) => void): void {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (seed) => {
      const one = randomCase(seed);
      check(compile(one.schema), one);
    }),
    { numRuns: 300 },
  );
}

describe('structural: of any schema and object', () => {
  it('nothing is left to prune, to fill in or to drop the second time, so that the same object comes back', () => {
    forCases((structural, { object }) => {
      const pruned = prune(structural, object, { isResourceRoot: true }).object;
      const again = prune(structural, pruned, { isResourceRoot: true });
      expect(again.object).to.equal(pruned);
      expect(again.unknown).to.deep.equal([]);
      // Defaults are applied twice, because a null in a default stays the first time, as in Kubernetes. Definitions
      // with such defaults are refused.
      const filled = applyDefaults(structural, applyDefaults(structural, pruned));
      expect(applyDefaults(structural, filled)).to.equal(filled);
      const { object: coerced } = coerce(structural, pruned, { dropsInvalid: true });
      expect(coerce(structural, coerced, { dropsInvalid: true }).object).to.equal(coerced);
    });
  });

  it('no object is changed', () => {
    forCases((structural, { object, old }) => {
      const before = JSON.stringify({ object, old });
      applyDefaults(structural, prune(structural, object, { isResourceRoot: true }).object);
      coerce(structural, object, { dropsInvalid: true });
      validate(structural, object, old);
      expect(JSON.stringify({ object, old })).to.equal(before);
    });
  });

  it('an update tells nothing that a creation would not tell', () => {
    forCases((structural, { object, old }) => {
      const created = new Set(validate(structural, object).map((cause) => JSON.stringify(cause)));
      for (const cause of validate(structural, object, old)) expect(created).to.include(JSON.stringify(cause));
    });
  });
});
