import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { keyOf } from '../../storage/key.js';
import type { Tuple } from '../../storage/state/tuple.js';
import type { Kind } from '../kinds/kind.js';

/** A container of a deleted object. Its origin tells it from a later object with the same name. */
export interface FormerContainer {
  readonly name: string;
  readonly origin: string;
  /** It restricted itself, and what lay in it. */
  readonly isRestricted?: true;
}

/** How an object was deleted. */
export interface Deletion {
  /** The same for all objects that one request deleted. */
  readonly id: string;
  /** The same for deletions of several requests that belong together. */
  readonly operation?: string;
  /** The position among those of these objects that are in the trash, from 0. Containers come before their contents. */
  readonly order: number;
  /** The author, as in `updatedBy`. */
  readonly by: string;
  /** The object can come back until this time, in milliseconds since the epoch. */
  readonly expires: number;
  /**
   * The narrowest scopes of the object, and its containers from the nearest one upwards. They decide who may see it.
   */
  readonly scopes: readonly string[];
  readonly containers: readonly FormerContainer[];
  /** The object restricted itself. */
  readonly isRestricted?: true;
  /** Why the object is not in the trash although its kind has one. */
  readonly refused?: string;
}

/**
 * A version of an object that is no longer stored as the object itself. It does not change, and is removed when it is
 * too old.
 */
export interface RetainedSpec {
  /** `<plural>.<group>` of the object. */
  readonly resource: string;
  readonly name: string;
  /** The first uid of the object. A restored object has another uid, but the same origin. */
  readonly origin: string;
  readonly generation: number;
  /** When the object was replaced or deleted, in milliseconds since the epoch. */
  readonly at: number;
  /** The whole object. Absent if the deletion was not kept in the trash. */
  readonly object?: KubeObject;
  /** Absent: the object was replaced by its next version. */
  readonly deletion?: Deletion;
}

export type Retained = KubeObject<RetainedSpec>;

/** The name of the kind in the list of kinds. */
export const RETAINED = 'RetainedVersion';

/** Versions by origin: `[namespace, origin, generation]`. */
export const BY_ORIGIN = 'byOrigin';
/** Deletions by name: `[namespace, resource, name, time, generation]`. */
export const BY_NAME = 'byName';
/** The trash by time: `[namespace, resource, time]`. */
export const BY_TIME = 'byTime';
/**
 * Deletions by the time at which they end: `[time]`. If a deletion is in the trash, only its first object has a row.
 */
export const BY_EXPIRY = 'byExpiry';

type Indexer = (object: KubeObject) => readonly Tuple[];

export const RETAINED_INDEXERS: Readonly<Record<string, Indexer>> = {
  [BY_ORIGIN]: (item) => [[namespaceOf(item), specOf(item).origin, specOf(item).generation]],
  [BY_NAME]: ifDeleted((item, { resource, name, at, generation }) => [
    namespaceOf(item),
    resource,
    name,
    at,
    generation,
  ]),
  [BY_TIME]: ifKept((item, { resource, at }) => [namespaceOf(item), resource, at]),
  [BY_EXPIRY]: (item) => {
    const { deletion, object } = specOf(item);
    return deletion === undefined || (object !== undefined && deletion.order > 0) ? [] : [[deletion.expires]];
  },
};

/** Fields that can be read without parsing the object that is retained. */
export const FIELDS = {
  resource: 'spec.resource',
  origin: 'spec.origin',
  generation: 'spec.generation',
  isDeletion: 'spec.isDeletion',
} as const;

export const RETAINED_FIELDS: Readonly<Record<string, (object: KubeObject) => string>> = {
  [FIELDS.resource]: (item) => specOf(item).resource,
  [FIELDS.origin]: (item) => specOf(item).origin,
  [FIELDS.generation]: (item) => String(specOf(item).generation),
  [FIELDS.isDeletion]: (item) => String(specOf(item).deletion !== undefined),
};

type Deleted = RetainedSpec & { readonly deletion: Deletion };

function ifDeleted(tuple: (one: KubeObject, spec: Deleted) => Tuple): Indexer {
  return (item) => {
    const { deletion, ...spec } = specOf(item);
    return deletion === undefined ? [] : [tuple(item, { ...spec, deletion })];
  };
}

/** Rows only for what is in the trash. */
function ifKept(tuple: (one: KubeObject, spec: Deleted) => Tuple): Indexer {
  const indexer = ifDeleted(tuple);
  return (item) => (specOf(item).object === undefined ? [] : indexer(item));
}

export function specOf({ spec }: { readonly spec?: unknown }): RetainedSpec {
  return spec as RetainedSpec;
}

function namespaceOf({ metadata }: KubeObject): string {
  return metadata.namespace ?? '';
}

/** The uid under which the history of an object began. */
export function originOf(kind: Pick<Kind, 'ownedKeys'>, { metadata }: KubeObject): string {
  return metadata.annotations?.[kind.ownedKeys.originUid] ?? metadata.uid ?? '';
}

/**
 * A uid is never used again, and each generation of an object is retained once. So no two versions have the same name.
 * The time comes first, so that the versions of a commit are stored side by side: in the order of the uids, each would
 * change a page of its own.
 */
export function versionName({ metadata }: KubeObject, at: number): string {
  return `${at}.${metadata.uid}.${metadata.generation ?? 1}`;
}

/** The objects of a deletion have names in their order, so that they are read and removed by a range of keys. */
export function deletedName({ id, order }: Pick<Deletion, 'id' | 'order'>): string {
  return `${id}.${String(order).padStart(7, '0')}`;
}

/** The keys of the objects of a deletion, from one of them on. */
export function deletedKeys(
  kind: Kind,
  namespace: string,
  id: string,
  from = 0,
): { readonly low: string; readonly high: string } {
  const name = deletedName({ id, order: from });
  return { low: keyOf(kind.qualified, namespace, name), high: keyOf(kind.qualified, namespace, `${id}/`) };
}
