import { ownedMembers } from '../../pkg/kube/fieldmanager/owned.js';
import type { Tracked } from '../../pkg/kube/fieldmanager/tracking.js';
import type { Writing } from '../../pkg/kube/fieldmanager/update.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { isObject } from '../../pkg/system/object/is-object.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { membersUnsaid, storedObject } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';
import type { WriteTarget } from './write.js';

/** A new object with the members that the kind of the request has no words for. */
export function withUnsaid({ called }: WriteTarget, object: KubeObject, name: string): KubeObject {
  const unsaid = called.conversion?.unsaid;
  return unsaid === undefined ? object : { ...object, ...unsaid(name) };
}

/**
 * A configuration with what its manager has applied before to the members that the kind of the request has no words for. Otherwise they would be left
 * out of it, and be removed. In steps.
 */
export function* withOwnUnsaid(
  { called }: WriteTarget,
  live: Tracked,
  config: KubeObject,
  writing: Writing,
): Steps<KubeObject> {
  const names = membersUnsaid(called.conversion?.unsaid);
  return names.length === 0 ? config : { ...config, ...(yield* ownedMembers(live, names, writing)) };
}

/** What a client has sent as the kind of the request, as it is stored. Anything else stays as it is. */
export function asStored({ called }: WriteTarget, sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  if (called.writeOnly !== undefined) return called.writeOnly.stored(sent as unknown as KubeObject);
  if (called.conversion === undefined) return sent;
  const isOfKind =
    sent['apiVersion'] === called.apiVersion && sent['kind'] === called.kind && isObject(sent['metadata']);
  return isOfKind ? (storable(called, sent as unknown as KubeObject) ?? sent) : sent;
}

/** `undefined` for what cannot be stored. */
function storable(kind: Kind, sent: KubeObject): KubeObject | undefined {
  try {
    return storedObject(kind, sent);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
