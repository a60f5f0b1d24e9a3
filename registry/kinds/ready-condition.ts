import { z } from 'zod';
import { arrayOf } from '../../pkg/kube/meta/bounded.js';
import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import type { Entry } from '../../storage/state/entry.js';

const Condition = z
  .strictObject({
    type: z.literal('Ready').describe('Ready: everything that the object names exists.'),
    status: z.enum(['True', 'False']).describe('False: the object waits, and has no effect yet.'),
    reason: z
      .enum(['ReferenceNotFound', 'ReferencesResolved'])
      .describe('ReferenceNotFound: it names objects that do not exist.'),
    message: z.string().describe('The objects that it waits for.'),
    lastTransitionTime: z.string().describe('When status changed.'),
    observedGeneration: z.int().optional().describe('The generation of the object that the condition is about.'),
  })
  .meta({ id: 'ReferenceCondition', description: 'Whether everything that the object names exists.' });

/** The status of an object that names others. Only an object that waits, or has waited, has one (docs/adr/0047). */
export const ReferenceStatus = z
  .strictObject({ conditions: arrayOf(Condition, 10).optional().describe('Ready, if the object waits or has waited.') })
  .meta({ id: 'ReferenceStatus' });
export type ReferenceStatus = z.infer<typeof ReferenceStatus>;
export type ReferenceCondition = z.infer<typeof Condition>;

/** Whether the object waits, as its status tells. Absent: it never waited. */
export function conditionOf({ status }: KubeObject): ReferenceCondition | undefined {
  const { conditions } = (status ?? {}) as ReferenceStatus;
  return conditions?.find(({ type }) => type === 'Ready');
}

/** Whether the object waits for an object that it names. */
export function isWaiting(object: KubeObject): boolean {
  return object.status !== undefined && conditionOf(object)?.status === 'False';
}

/**
 * Whether an object has an effect: it is neither being deleted, nor does it wait. Code that gives rights or counts
 * members asks this, and need not know why an object has none.
 */
export function isEffective(object: KubeObject): boolean {
  return !isTerminating(object) && !isWaiting(object);
}

/** The same for an entry, without parsing it. */
export function isEntryEffective({ attributes }: Pick<Entry, 'attributes'>): boolean {
  return attributes.isTerminating !== true && attributes.isWaiting !== true;
}
