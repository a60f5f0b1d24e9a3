import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { comparable } from './reference.js';
import { typeOfSchema } from './schema-type.js';
import { type Result, replay, type Write } from './sequences.js';

interface Recorded {
  readonly seed: number;
  readonly schema: object;
  readonly writes: readonly Write[];
  /** Those of the reference. */
  readonly results: readonly Result[];
}

const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as readonly Recorded[];

describe('fieldmanager: gives what Kubernetes gave', () => {
  for (const { seed, schema, writes, results } of recorded) {
    it(`for the writes of sequence ${seed}`, () => {
      const ours = replay(typeOfSchema(schema), writes);
      expect(ours.map(comparable).map(parse)).to.deep.equal(results.map(comparable).map(parse));
    });
  }
});

function parse(text: string): unknown {
  return JSON.parse(text);
}
