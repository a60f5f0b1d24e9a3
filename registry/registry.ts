import type { KubeObject } from '../pkg/meta/types.js';
import type { Cacher } from '../storage/cacher/cacher.js';
import { type Key, keyOf } from '../storage/key.js';
import type { Attributes, ResourceDefinition } from '../storage/resource.js';
import type { Writer } from '../storage/transaction.js';
import { encodeTuple, type Tuple } from '../storage/tuple.js';
import type { Access } from './access.js';
import type { Kind, Reference } from './kind.js';
import { ownedKeys } from './metadata.js';

/** Randomness and time come from outside, so that tests are exact and a write evaluated twice gives the same object. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Everything that stores share: the kinds, where they read and where they write. */
export interface Registry {
  readonly kinds: readonly Kind[];
  readonly cacher: Cacher;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Who may do what: asked on reads, and again on the state that a write is put on. */
  readonly access: Access;
  /** Whether objects may be kept in this namespace. */
  hasNamespace(namespace: string): boolean;
}

/** The index under which every contained object is found by its container. */
export const CONTAINER_INDEX = 'container';

export function kindOf(registry: Pick<Registry, 'kinds'>, qualified: string): Kind | undefined {
  return registry.kinds.find((kind) => kind.qualified === qualified);
}

/** The kinds whose objects lie in objects of `kind`. */
export function containedKinds(registry: Pick<Registry, 'kinds'>, kind: Kind): readonly Kind[] {
  return registry.kinds.filter((one) => one.containment?.resource === kind.qualified);
}

export function objectKey(kind: Kind, namespace: string, name: string): Key {
  return keyOf(kind.qualified, kind.scope === 'Cluster' ? '' : namespace, name);
}

/** What the storage layer is told of a kind. */
export function resourceDefinition(kind: Kind): ResourceDefinition {
  const indexers = Object.entries(indexersOf(kind));
  const fields = Object.entries(kind.selectableFields ?? {});
  return {
    resource: kind.qualified,
    cached: kind.cached,
    extract: (value): Attributes => {
      const object = value as KubeObject;
      return {
        labels: object.metadata.labels,
        fields:
          fields.length === 0 ? undefined : Object.fromEntries(fields.map(([name, read]) => [name, read(object)])),
        scopes: kind.permissions?.scopes(object),
        reading: kind.permissions?.actionsOf?.(object)?.get,
        container: kind.containment?.container(object),
        isTerminating: object.metadata.deletionTimestamp !== undefined,
        text: kind.searchText?.(object),
        rows: indexers.flatMap(([index, tuples]) =>
          tuples(object).map((tuple) => ({ index, tuple: encodeTuple(tuple) })),
        ),
      };
    },
  };
}

/** The tuple under which a container's objects are found; the container's name comes last. */
export function containerTuple(namespace: string, container: string): Tuple {
  return [namespace, container];
}

/** The index under which an object is found by the integer that the legacy interface calls it by. */
export const INTERNAL_ID_INDEX = 'internalID';

/** The index under which an object is found by what it names. */
export const REFERENCE_INDEX = 'reference';

export function referenceTuple({
  resource,
  namespace,
  name,
}: Pick<Reference, 'resource' | 'namespace' | 'name'>): Tuple {
  return [resource, namespace, name];
}

/** The index under which every object is found by the uids of its owners. */
export const OWNER_INDEX = 'owner';

function byOwner({ metadata }: KubeObject): readonly Tuple[] {
  return (metadata.ownerReferences ?? []).map(({ uid }) => [uid]);
}

function indexersOf(kind: Kind): Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>> {
  const { containment, references } = kind;
  const byContainer = (object: KubeObject): readonly Tuple[] => {
    const container = containment?.container(object);
    return container === undefined ? [] : [containerTuple(object.metadata.namespace ?? '', container)];
  };
  const byReference = (object: KubeObject): readonly Tuple[] => (references?.(object) ?? []).map(referenceTuple);
  const byInternalId = ({ metadata }: KubeObject): readonly Tuple[] => {
    const id = metadata.labels?.[ownedKeys(kind.domain).internalId];
    return id === undefined ? [] : [[Number(id)]];
  };
  return {
    ...kind.indexers,
    [OWNER_INDEX]: byOwner,
    ...(kind.internalId && { [INTERNAL_ID_INDEX]: byInternalId }),
    ...(kind.isNamespace && { [TERMINATING_INDEX]: whileTerminating }),
    ...(containment && { [CONTAINER_INDEX]: byContainer }),
    ...(references && { [REFERENCE_INDEX]: byReference }),
  };
}

/** The index of the namespaces that are being deleted. */
export const TERMINATING_INDEX = 'terminating';

function whileTerminating({ metadata }: KubeObject): readonly Tuple[] {
  return metadata.deletionTimestamp === undefined ? [] : [[metadata.name]];
}
