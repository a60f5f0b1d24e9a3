import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ZodError } from 'zod';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import { causesOf, type Question } from './ours.js';
import { shortened } from './shortened.js';

interface Recorded extends Question {
  /** The causes of Kubernetes. */
  readonly causes?: readonly StatusCause[];
  /** Whether Kubernetes could not decode it. */
  readonly undecoded?: boolean;
}

const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as readonly Recorded[];

describe('definitions: says what Kubernetes said', () => {
  recorded.forEach((one, i) => {
    const fields = (one.causes ?? []).map(({ field }) => field).slice(0, 2);
    it(`about case ${i + 1}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`, () => {
      if (one.undecoded === true) {
        expect(() => causesOf(one)).to.throw(ZodError);
        return;
      }
      expect(sorted(causesOf(one))).to.deep.equal(sorted(one.causes ?? []));
    });
  });
});

/** Sorts the causes, because Kubernetes visits properties in random order. */
function sorted(causes: readonly StatusCause[]): readonly string[] {
  return causes.map(({ reason, message, field }) => `${field}: ${reason}: ${shortened(message)}`).sort();
}
