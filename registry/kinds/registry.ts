import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import type { IndexRow } from '../../storage/backend.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Writer } from '../../storage/engine/transaction.js';
import { type Key, keyOf } from '../../storage/key.js';
import type { Resources } from '../../storage/state/definitions.js';
import type { ResourceDefinition } from '../../storage/state/resource.js';
import { encodeTuple, type Tuple } from '../../storage/state/tuple.js';
import type { Reader } from '../read/reader.js';
import { extractor } from './attributes.js';
import type { Authorizer } from './authorizer.js';
import type { CompiledKinds } from './compiled.js';
import { purgeIndexers } from './dependence.js';
import type { Fate } from './fate.js';
import type { Kind, Reference } from './kind.js';
import { isFinalizedByCollector } from './propagation.js';
import type { Report } from './reports.js';
import { restrictionIndexers } from './restriction.js';
import type { Retention } from './retention.js';
import { selectorRows, sharedTuple } from './selector-rows.js';
import { usageRows } from './usage.js';
import { waitingIndexers } from './waiting.js';
import type { WriteLimits } from './write-limits.js';

/** The source of time. Tests set it, so that they are exact. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The kinds of apply sets, and of what is remembered of their members. */
export interface ApplySetKinds {
  readonly sets: Kind;
  readonly records: Kind;
}

/** The services that all kinds share. */
export interface Registry {
  /** The kinds of the newest state. The same array as long as they are the same. */
  readonly kinds: readonly Kind[];
  /** Those of them that are compiled in. They are the same for every state. */
  readonly compiled: CompiledKinds;
  /** Whether a state has exactly this kind. */
  hasKind(kind: Kind, state: Resources): boolean;
  /** What became of a kind that an earlier state had. */
  fateOf(kind: Kind, state: Resources): Fate;
  /** The kind whose objects are the namespaces. */
  readonly namespaces: Kind | undefined;
  /** The kind whose objects are the earlier versions of objects, and the trash. */
  readonly retained: Kind | undefined;
  readonly retention: Retention;
  /** Absent: there are no apply sets. */
  readonly applySets: ApplySetKinds | undefined;
  readonly cacher: Cacher;
  readonly writer: Writer;
  readonly clock: Clock;
  /** What bounds the bytes that callers write. Absent: nothing does. */
  readonly limits?: WriteLimits | undefined;
  /** For the removal of old objects, if that needs another clock: it must not be ahead. */
  readonly purgeClock?: Clock;
  /** Tells people what happened. It neither waits nor throws. */
  readonly report?: (report: Report) => void;
  /** Authorizes reads, and authorizes writes on the state that they commit on. */
  readonly authorizer: Authorizer;
  /** Whether objects that name missing objects are accepted, and wait for them (`references.missing`). */
  readonly acceptsMissing: boolean;
  /** Reads the newest state that this server has. */
  readonly reader: Reader;
}

/** The index of contained objects by their container. */
export const CONTAINER_INDEX = 'container';

const byResource = new WeakMap<readonly Kind[], ReadonlyMap<string, Kind>>();

export function kindOf(registry: Pick<Registry, 'kinds'>, qualified: string): Kind | undefined {
  let known = byResource.get(registry.kinds);
  if (known === undefined) {
    // The first of a list counts: the stored kind comes before those that convert to it.
    known = new Map([...registry.kinds].reverse().map((kind) => [kind.qualified, kind]));
    byResource.set(registry.kinds, known);
  }
  return known.get(qualified);
}

/** The kinds whose objects are contained in objects of `kind`. */
export function containedKinds(registry: Pick<Registry, 'kinds'>, kind: Kind): readonly Kind[] {
  return registry.kinds.filter((candidate) => candidate.containment?.resource === kind.qualified);
}

/** The namespace of objects of the kind. Empty for cluster-scoped kinds. */
export function namespaceOf(kind: Kind, namespace: string): string {
  return kind.scope === 'Cluster' ? '' : namespace;
}

export function objectKey(kind: Kind, namespace: string, name: string): Key {
  return keyOf(kind.qualified, namespaceOf(kind, namespace), name);
}

/** The kind that a strategy names by `<plural>.<group>`. Throws if this server does not have it. */
export function requireKind(registry: Pick<Registry, 'kinds'>, resource: string): Kind {
  const kind = kindOf(registry, resource);
  if (kind === undefined) throw new Error(`a hook names objects of ${resource}, which is no kind of this server`);
  return kind;
}

/** The definitions of all stored kinds for the storage layer. */
export function resourceDefinitions(kinds: readonly Kind[]): readonly ResourceDefinition[] {
  const owners = new Set(kinds.map(({ dependsOn }) => dependsOn?.resource));
  return kinds
    .filter(({ conversion }) => conversion === undefined)
    .map((kind) => resourceDefinition(kind, owners.has(kind.qualified)));
}

/** The definition of a kind for the storage layer. `isOwner`: objects of other kinds depend on its objects. */
export function resourceDefinition(kind: Kind, isOwner = false): ResourceDefinition {
  const indexers = Object.entries(indexersOf(kind)).map(([index, tuplesOf]): Index => ({ index, tuplesOf }));
  const extract = extractor(kind, isOwner);
  const selectable = selectorRows(kind);
  const rows = (object: KubeObject, size: number): readonly IndexRow[] => [
    ...rowsOf(indexers, object, kind.containment?.container(object)),
    ...selectable(object),
    ...usageRows(kind, object, size),
  ];
  return {
    resource: kind.qualified,
    maxBytes: kind.maxBytes,
    rows: (object, _key, size) => rows(object as KubeObject, size),
    extract: (object) => extract(object as KubeObject),
  };
}

type Indexer = (object: KubeObject) => readonly Tuple[];

interface Index {
  readonly index: string;
  readonly tuplesOf: Indexer;
}

function rowsOf(indexes: readonly Index[], object: KubeObject, container: string | undefined): readonly IndexRow[] {
  const rows: IndexRow[] = [];
  if (container !== undefined) {
    rows.push({ index: CONTAINER_INDEX, tuple: sharedTuple(object.metadata.namespace ?? '', container) });
  }
  for (const { index, tuplesOf } of indexes)
    for (const tuple of tuplesOf(object)) rows.push({ index, tuple: encodeTuple(tuple) });
  return rows;
}

/** The tuple of the contents of a container. */
export function containerTuple(namespace: string, container: string): Tuple {
  return [namespace, container];
}

/** The index by the integer id of the legacy API. */
export const INTERNAL_ID_INDEX = 'internalID';

/** The index of objects by the objects that they reference. */
export const REFERENCE_INDEX = 'reference';

export function referenceTuple({
  resource,
  namespace,
  name,
}: Pick<Reference, 'resource' | 'namespace' | 'name'>): Tuple {
  return [resource, namespace, name];
}

/** The index of objects by the uids of their owners. */
export const OWNER_INDEX = 'owner';

function byOwner({ metadata }: KubeObject): readonly Tuple[] {
  return (metadata.ownerReferences ?? []).map(({ uid }) => [uid]);
}

/** The index of terminating objects that wait for the garbage collector. */
export const FINALIZING_INDEX = 'finalizing';

function whileFinalizing(object: KubeObject): readonly Tuple[] {
  return isTerminating(object) && isFinalizedByCollector(object) ? [[object.metadata.name]] : [];
}

function indexersOf(kind: Kind): Readonly<Record<string, Indexer>> {
  const { references } = kind;
  const { internalId } = kind.ownedKeys;
  const byReference = (object: KubeObject): readonly Tuple[] => (references?.(object) ?? []).map(referenceTuple);
  const byInternalId = ({ metadata }: KubeObject): readonly Tuple[] => {
    const id = metadata.labels?.[internalId];
    return id === undefined ? [] : [[Number(id)]];
  };
  return {
    ...kind.indexers,
    ...purgeIndexers(kind),
    [OWNER_INDEX]: byOwner,
    [FINALIZING_INDEX]: whileFinalizing,
    ...(kind.internalId && { [INTERNAL_ID_INDEX]: byInternalId }),
    ...((kind.isNamespace || kind.cleanup !== undefined) && { [TERMINATING_INDEX]: whileTerminating }),
    ...(references && { [REFERENCE_INDEX]: byReference }),
    ...restrictionIndexers(kind),
    ...waitingIndexers(kind),
  };
}

/** The index of terminating namespaces, and of other objects that are cleaned up before they go. */
export const TERMINATING_INDEX = 'terminating';

function whileTerminating({ metadata }: KubeObject): readonly Tuple[] {
  return metadata.deletionTimestamp === undefined ? [] : [[metadata.name]];
}
