import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Owner } from '../../storage/state/resource.js';
import type { Tuple } from '../../storage/state/tuple.js';

/**
 * The object of the same namespace that an object belongs to, for kinds with more objects than a commit should delete.
 * When the owner is deleted, the object cannot be read or written any more, and the purge removes it soon.
 */
export interface Dependence {
  /** `<plural>.<group>` of the owners. */
  readonly resource: string;
  /**
   * `undefined` if the object belongs to none. The uid is the `metadata.uid` that the owner had when the object was
   * created.
   */
  owner(object: KubeObject): Owner | undefined;
}

/** The purge removes objects that are too old. */
export interface Expiry {
  /** Milliseconds since the epoch. `undefined` for an object that does not expire. */
  since(object: KubeObject): number | undefined;
  /** How many milliseconds after that the object expires. */
  readonly lasts: number;
}

interface Purged {
  readonly dependsOn?: Dependence;
  readonly expiry?: Expiry;
}

/** The index of objects by the objects that they depend on. */
export const DEPENDENT_INDEX = 'dependent';

export function dependentTuple(namespace: string, { name, uid }: Owner): Tuple {
  return [namespace, name, uid];
}

/** The index of objects by the time from which they are kept. */
export const EXPIRY_INDEX = 'expiry';

/** The indexes that the purge reads. */
export function purgeIndexers({
  dependsOn,
  expiry,
}: Purged): Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>> {
  return {
    ...(dependsOn && {
      [DEPENDENT_INDEX]: (object) => {
        const owner = dependsOn.owner(object);
        return owner === undefined ? [] : [dependentTuple(object.metadata.namespace ?? '', owner)];
      },
    }),
    ...(expiry && {
      [EXPIRY_INDEX]: (object) => {
        const since = expiry.since(object);
        return since === undefined ? [] : [[since]];
      },
    }),
  };
}
