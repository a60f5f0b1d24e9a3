import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Tuple } from '../../storage/state/tuple.js';
import type { Entry, Reader } from '../read/reader.js';
import type { Kind, Reference } from './kind.js';
import { isWaiting } from './ready-condition.js';

/** The index of objects that wait: `[namespace]`. */
const WAITING_INDEX = 'waiting';
/** The index of objects that wait, by what they name: `[resource, namespace, name]`. */
const WAITING_FOR_INDEX = 'waitingFor';

/** The name of an object that must be there, and where it is written. */
export type RequiredObject = Pick<Reference, 'resource' | 'namespace' | 'name' | 'field'>;

/** The objects that an object needs: its container, and those that it references. */
export function requiredBy({ containment, references }: Kind, object: KubeObject): readonly RequiredObject[] {
  const { namespace = '' } = object.metadata;
  const container = containment?.container(object);
  const needed = references?.(object).filter(({ optional }) => optional !== true) ?? [];
  if (containment === undefined || container === undefined) return needed;
  return [{ resource: containment.resource, namespace, name: container, field: containment.field }, ...needed];
}

/** The indexes of a kind whose objects can wait. Objects that do not wait have no rows. */
export function waitingIndexers(kind: Kind): Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>> {
  if (!kind.waits) return {};
  return {
    [WAITING_INDEX]: (object) => (isWaiting(object) ? [[object.metadata.namespace ?? '']] : []),
    [WAITING_FOR_INDEX]: (object) =>
      isWaiting(object)
        ? requiredBy(kind, object).map(({ resource, namespace, name }) => [resource, namespace, name])
        : [],
  };
}

/** Whether an object of one of these kinds may wait in a namespace. One look-up for each kind. */
export function hasWaiting(kinds: readonly Kind[], namespace: string, reader: Reader): boolean {
  return kinds.some(({ waits, qualified }) => waits && reader.mayHave(qualified, WAITING_INDEX, [namespace]));
}

/** The objects of a kind that wait, and name this object. */
export function waitingFor(
  kind: Kind,
  resource: string,
  namespace: string,
  name: string,
  reader: Reader,
): readonly Entry[] {
  return kind.waits ? reader.entries(kind.qualified, WAITING_FOR_INDEX, [resource, namespace, name]) : [];
}
