import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { extended } from '../../pkg/system/object/extended.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import type { Bytes } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { textOfObject, textSteps, textWithObject } from '../../storage/state/codec.js';
import type { Kind } from '../kinds/kind.js';
import { isTerminatingNamespace } from '../kinds/namespaces.js';
import { keptVersions } from '../kinds/retention.js';
import { bytesSteps } from '../read/bytes-steps.js';
import { type Deletion, deletedName, originOf, type Retained, type RetainedSpec, versionName } from './retained.js';
import type { Transaction } from './transaction.js';

/** A version that is no longer the object. */
export interface Version {
  readonly kind: Kind;
  readonly object: KubeObject;
  /** The stored object. Absent if it was not stored like this. */
  readonly value?: Bytes;
}

/**
 * Retains a version that the same commit replaces with `next`, if the kind has a history. A write of the same
 * generation replaces no version, and neither does the start of a deletion.
 */
export function* retainReplaced(transaction: Transaction, old: Version, next: KubeObject): Steps<void> {
  if (keptVersions(transaction.registry.retention, old.kind) === 0) return;
  if (old.object.metadata.generation !== next.metadata.generation) yield* retain(transaction, old, { isWhole: true });
}

/**
 * Stores what is retained of a version, with its stored bytes if there are any, because to encode a large object takes
 * long. Nothing is retained in a namespace that is being emptied.
 */
export function* retain(
  { registry, state, reader, now, time }: Transaction,
  { kind, object, value }: Version,
  { isWhole, deletion }: { readonly isWhole: boolean; readonly deletion?: Deletion },
): Steps<void> {
  const { namespace = '', name, generation = 1 } = object.metadata;
  if (registry.retained === undefined || isTerminatingNamespace(registry, namespace, reader)) return;
  const { apiVersion, kind: kindName, qualified } = registry.retained;
  const own = isWhole && deletion !== undefined ? deletedName(deletion) : versionName(object, time);
  const spec: RetainedSpec = {
    resource: kind.qualified,
    name,
    origin: originOf(kind, object),
    generation,
    at: time,
    ...(deletion && { deletion }),
  };
  const key = keyOf(qualified, namespace, own);
  const metadata = { name: own, namespace, creationTimestamp: now, generation: 1 };
  const retained: Retained = { apiVersion, kind: kindName, metadata, spec };
  if (!isWhole) {
    state.create(key, retained);
    return;
  }
  const inner = value ?? (yield* bytesSteps(textSteps(object)));
  const text = textWithObject(textOfObject(retained), 'object', inner);
  state.create(key, { ...retained, spec: extended(spec, { object }) }, text);
}
