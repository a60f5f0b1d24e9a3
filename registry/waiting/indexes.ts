import type { KubeObject } from '../../pkg/meta/types.js';
import type { Tuple } from '../../storage/state/tuple.js';
import type { Kind } from '../kinds/kind.js';
import type { Entry, Reader } from '../read/reader.js';
import { isWaiting } from './condition.js';
import { namedBy } from './readiness.js';

/** The index of objects that wait: `[namespace]`. */
const WAITING_INDEX = 'waiting';
/** The index of objects that wait, by what they name: `[resource, namespace, name]`. */
const WAITING_FOR_INDEX = 'waitingFor';

/** The indexes of a kind whose objects can wait. Objects that do not wait have no rows. */
export function waitingIndexers(kind: Kind): Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>> {
  if (!kind.waits) return {};
  return {
    [WAITING_INDEX]: (object) => (isWaiting(object) ? [[object.metadata.namespace ?? '']] : []),
    [WAITING_FOR_INDEX]: (object) =>
      isWaiting(object)
        ? namedBy(kind, object).map(({ resource, namespace, name }) => [resource, namespace, name])
        : [],
  };
}

/** Whether an object of one of these kinds waits in a namespace. One look-up for each kind. */
export function hasWaiting(kinds: readonly Kind[], namespace: string, reader: Reader): boolean {
  return kinds.some(
    ({ waits, qualified }) => waits && reader.entries(qualified, WAITING_INDEX, [namespace], 1).length > 0,
  );
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
