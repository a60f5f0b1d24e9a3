import { META_SCHEMAS } from '../../pkg/kube/openapi/meta.js';
import type { Schemas } from '../../pkg/kube/openapi/schema.js';
import { fieldTypeOf } from '../../pkg/kube/structural/field-type.js';
import type { JsonSchema } from '../../pkg/kube/structural/json-schema.js';
import { openApiV3Object } from '../../pkg/kube/structural/open-api.js';
import { Random } from './schemas.js';
import { METADATA, randomWrites, type Sequence } from './sequences.js';
import { randomStructure } from './structural.js';

export interface StructuralSequence extends Omit<Sequence, 'schema'> {
  readonly structural: JsonSchema;
}

/**
 * A random schema of a definition, and random writes of its objects by several managers, with the results of our field
 * management.
 */
export function randomStructuralSequence(seed: number): StructuralSequence {
  const random = new Random(seed);
  const [spec, status] = [randomStructure(random), randomStructure(random, 1)];
  const isOpen = random.chance(10);
  const structural: JsonSchema = {
    type: 'object',
    properties: { spec: spec.schema, status: status.schema },
    ...(isOpen && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
  const value = (random: Random): object => ({
    metadata: METADATA.value(random),
    ...(random.chance(80) && { spec: spec.value(random) }),
    ...(random.chance(50) && { status: status.value(random) }),
    ...(isOpen && { extra: random.of<unknown>([1, { a: [1] }, { a: { b: 'c' } }]) }),
  });
  return { structural, ...randomWrites(random, { ours: fieldTypeOf(structural), value }) };
}

/** The schemas that the server publishes for the objects, by name, as Kubernetes' field management reads them. */
export function openApiOf(structural: JsonSchema): Schemas {
  const kind = { group: 'test.example', version: 'v1', kind: 'Thing' };
  return { ...META_SCHEMAS, 'example.test.v1.Thing': openApiV3Object(structural, kind) };
}
