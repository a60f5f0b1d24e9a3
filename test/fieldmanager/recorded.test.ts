import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { FieldType } from '../../pkg/kube/fieldmanager/type.js';
import { fieldTypeOf } from '../../pkg/kube/structural/field-type.js';
import type { JsonSchema } from '../../pkg/kube/structural/json-schema.js';
import { comparable } from './reference.js';
import { typeOfSchema } from './schema-type.js';
import { type Result, replay, type Write } from './sequences.js';

interface Recorded {
  readonly seed: number;
  readonly writes: readonly Write[];
  /** The results of the reference. */
  readonly results: readonly Result[];
}

const recorded = read<{ readonly schema: object }>('recorded.json');
const structural = read<{ readonly structural: JsonSchema }>('recorded-structural.json');

describe('fieldmanager: gives what Kubernetes gave', () => {
  for (const { seed, schema, ...rest } of recorded) {
    it(`for the writes of sequence ${seed}`, () => expectSame(typeOfSchema(schema), rest));
  }

  for (const { seed, structural: schema, ...rest } of structural) {
    it(`for the writes of custom objects of sequence ${seed}`, () => expectSame(fieldTypeOf(schema), rest));
  }
});

function read<Typed>(file: string): readonly (Recorded & Typed)[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}

function expectSame(type: FieldType, { writes, results }: Pick<Recorded, 'writes' | 'results'>): void {
  expect(replay(type, writes).map(comparable).map(parse)).to.deep.equal(results.map(comparable).map(parse));
}

function parse(text: string): unknown {
  return JSON.parse(text);
}
