import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { KindName } from '../kinds/compiled.js';
import { flag } from './body.js';
import type { LegacyCall } from './call.js';

/** The member `accessControl` of an object: the actions that the caller has on it. */
export interface AccessControl {
  readonly accessControl?: Readonly<Record<string, true>>;
}

/**
 * The member for an object of the kind, if the request asks for it with `?accesscontrol=true`. `actions` are those that
 * clients look for.
 */
export function accessControlOf(
  call: LegacyCall,
  kind: KindName,
  object: KubeObject,
  actions: readonly string[],
): AccessControl {
  if (!flag(call.query, 'accesscontrol')) return {};
  const objects = call.objects(kind, object.metadata.namespace);
  const own = actions.filter((action) => objects.may(action, object));
  return { accessControl: Object.fromEntries(own.map((action) => [action, true])) };
}
