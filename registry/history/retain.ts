import type { KubeObject } from '../../pkg/meta/types.js';
import type { Kind } from '../kind.js';
import { isTerminatingNamespace } from '../namespaces.js';
import type { WriteScope } from '../write/write.js';
import { type Deletion, originOf, type RetainedSpec, retainedKey } from './retained.js';
import { keptVersions } from './retention.js';

/**
 * Retains a version that the same commit replaces, if the kind has a history. A write of the same generation replaces no version, and neither
 * does the start of a deletion.
 */
export function retainReplaced(scope: WriteScope, kind: Kind, old: KubeObject, object: KubeObject): void {
  if (keptVersions(scope.registry.retention, kind) === 0) return;
  if (old.metadata.generation !== object.metadata.generation) retain(scope, kind, old, { object: old });
}

/** Stores what is retained of an object. Nothing is retained in a namespace that is being emptied. */
export function retain(
  { registry, state, reader, now, time }: WriteScope,
  kind: Kind,
  object: KubeObject,
  more: { readonly object?: KubeObject; readonly deletion?: Deletion },
): void {
  const { namespace = '', name, generation = 1 } = object.metadata;
  if (registry.retained === undefined || isTerminatingNamespace(registry, namespace, reader)) return;
  const key = retainedKey(registry.retained, namespace, object);
  const spec: RetainedSpec = {
    resource: kind.qualified,
    name,
    origin: originOf(kind, object),
    generation,
    at: time,
    ...more,
  };
  state.create(key, retainedObject(registry.retained, namespace, key.slice(key.lastIndexOf('/') + 1), now, spec));
}

function retainedObject(
  { apiVersion, kind }: Kind,
  namespace: string,
  name: string,
  now: string,
  spec: RetainedSpec,
): KubeObject<RetainedSpec> {
  return { apiVersion, kind, metadata: { name, namespace, creationTimestamp: now, generation: 1 }, spec };
}
