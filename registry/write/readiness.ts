import { isSameJson } from '../../pkg/kube/json/same.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Kind } from '../kinds/kind.js';
import { conditionOf, type ReferenceCondition, type ReferenceStatus } from '../kinds/ready-condition.js';
import { type RequiredObject, requiredBy } from '../kinds/waiting.js';
import type { Reader } from '../read/reader.js';

/** The objects that a message names. */
const NAMED = 10;

/** The message about an object that does not exist. */
export function notFoundMessage({ resource, name }: Pick<RequiredObject, 'resource' | 'name'>): string {
  return `Not found: there is no ${JSON.stringify(name.slice(0, 100))} in ${resource}`;
}

/**
 * The object with the condition that says whether it waits. An object that never waited has none. The caller has found
 * that it may wait, if it does.
 */
export function withReadiness(
  kind: Kind,
  object: KubeObject,
  reader: Reader,
  now: string,
  old: KubeObject = object,
): KubeObject {
  if (!kind.waits) return object;
  const missing = missingOf(kind, object, reader);
  const before = conditionOf(old);
  if (missing.length === 0 && before === undefined) return object;
  const status = missing.length === 0 ? 'True' : 'False';
  const condition: ReferenceCondition = {
    type: 'Ready',
    status,
    reason: missing.length === 0 ? 'ReferencesResolved' : 'ReferenceNotFound',
    message: messageOf(missing),
    lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
    ...(object.metadata.generation !== undefined && { observedGeneration: object.metadata.generation }),
  };
  const next: ReferenceStatus = { conditions: [condition] };
  return isSameJson(next, object.status) ? object : { ...object, status: next };
}

/**
 * The objects that it names and that do not exist, the first one of each field: what else a missing name lacks would
 * tell about other organizations.
 */
function missingOf(kind: Kind, object: KubeObject, reader: Reader): readonly RequiredObject[] {
  const missing = new Map<string, RequiredObject>();
  for (const required of requiredBy(kind, object)) {
    if (
      reader.entry(required.resource, required.namespace, required.name) === undefined &&
      !missing.has(required.field)
    )
      missing.set(required.field, required);
  }
  return [...missing.values()];
}

function messageOf(missing: readonly RequiredObject[]): string {
  const first = missing.slice(0, NAMED).map((required) => `${required.field}: ${notFoundMessage(required)}`);
  return missing.length > NAMED ? `${first.join('; ')}; and ${missing.length - NAMED} more` : first.join('; ');
}
