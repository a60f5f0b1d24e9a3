import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Tuple } from '../../storage/state/tuple.js';
import type { Entry, Reader } from '../read/reader.js';
import type { Kind } from './kind.js';

/** The index of restricted objects: `[namespace]`. */
const RESTRICTED_INDEX = 'restricted';

/** The index of a kind whose objects can be restricted. */
export function restrictionIndexers({
  permissions,
}: Kind): Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>> {
  const restricts = permissions?.restriction?.restricts;
  if (restricts === undefined) return {};
  return { [RESTRICTED_INDEX]: (object) => (restricts(object) ? [[object.metadata.namespace ?? '']] : []) };
}

/** Whether a namespace may have restricted objects of one of these kinds. One look-up for each kind. */
export function hasRestricted(kinds: readonly Kind[], namespace: string, reader: Reader): boolean {
  return kinds.some(({ qualified }) => reader.mayHave(qualified, RESTRICTED_INDEX, [namespace]));
}

/** The restricted objects of one kind in a namespace. */
export function restrictedObjects(
  { qualified }: Pick<Kind, 'qualified'>,
  namespace: string,
  reader: Reader,
): Iterable<Entry> {
  return reader.walk(qualified, RESTRICTED_INDEX, [namespace]);
}
