import { createHash } from 'node:crypto';
import type { CompiledKinds } from '../kinds/compiled.js';
import type { ApplySetKinds } from '../kinds/registry.js';

export type { ApplySetKinds } from '../kinds/registry.js';

/** The names of the kinds in the list of kinds. */
export const APPLY_SET = 'ApplySet';
export const APPLIED_MEMBERS = 'AppliedMembers';

/** The subresource that applies objects. */
export const APPLY = 'apply';
/** The subresource with the members of a set. */
export const MEMBERS = 'members';

/** The label of the members of a set, as in Kubernetes (KEP-3659). Its value is the id of the set. */
export const PART_OF = 'applyset.kubernetes.io/part-of';
/** The label of a set with its own id. */
export const SET_ID = 'applyset.kubernetes.io/id';

/**
 * The id that Kubernetes' tools compute for a set. It follows from the name, so a set that is created again finds its
 * members.
 */
export function setId(
  kind: { readonly kind: string; readonly group: string },
  namespace: string,
  name: string,
): string {
  const text = `${name}.${namespace}.${kind.kind}.${kind.group}`;
  return `applyset-${createHash('sha256').update(text).digest('base64url')}-v1`;
}

/** `undefined` if one of them is not compiled in. */
export function applySetKinds(compiled: CompiledKinds): ApplySetKinds | undefined {
  const sets = compiled.find(`apply/${APPLY_SET}`);
  const records = compiled.find(`internal/${APPLIED_MEMBERS}`);
  return sets && records && { sets, records };
}
