import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Kind } from '../kinds/kind.js';
import { isWaiting } from '../kinds/ready-condition.js';
import { kindOf, type Registry } from '../kinds/registry.js';
import type { Reader } from '../read/reader.js';
import { identityOf } from './metadata.js';
import { retain, type Version } from './retain.js';
import { type Deletion, type FormerContainer, originOf } from './retained.js';
import type { Transaction } from './transaction.js';
import type { WriteTarget } from './write.js';

/**
 * Retains the objects that one request deletes, before they are removed. `removed` has the dependents first. They go to
 * the trash if their own kind or the kind of the request's object has one; objects of internal kinds, which may hold
 * secrets, never do. Returns warnings. Pauses after each object.
 */
export function* retainDeleted(
  transaction: Transaction,
  target: WriteTarget,
  removed: readonly Version[],
  operation?: string,
): Generator<undefined, readonly string[], undefined> {
  const isKept = (kind: Kind): boolean => kind.trash === true || (target.kind.trash === true && kind.served);
  const kept = removed.filter(({ kind }) => isKept(kind));
  const refused = kept.length === 0 ? undefined : refusal(transaction, kept);
  const chains = containerChains(transaction.registry, transaction.reader);
  const isTooLarge = refused !== undefined && refused !== OFF;
  const deletionOf = deletions(transaction, target, chains, { refused, operation });
  // Containers come after their contents, and are restored before them.
  for (const version of removed.toReversed()) {
    yield;
    const { kind, object } = version;
    const isWhole = refused === undefined && isKept(kind);
    const isNeeded = isWhole || hasVersions(kind, object) || (isTooLarge && kind === target.kind);
    if (isNeeded) yield* retain(transaction, version, { isWhole, deletion: deletionOf(version, isWhole) });
  }
  return isTooLarge ? [`the deletion cannot be taken back: ${refused}. ${ADVICE}`] : [];
}

const ADVICE = 'Only a backup has what was deleted. Delete fewer objects at once, and the trash keeps them';
const OFF = 'this server keeps no trash (history.trash)';

/** Why a deletion is not kept. */
function refusal({ registry, isTrashTooLarge = false }: Transaction, kept: readonly Version[]): string | undefined {
  const { trash, maxObjects, maxBytes } = registry.retention;
  if (trash === 0) return OFF;
  if (isTrashTooLarge) return `${kept.length} objects were deleted together, and the store cannot keep so many at once`;
  if (kept.length > maxObjects)
    return `${kept.length} objects were deleted together, and the trash takes at most ${maxObjects} (history.max_trash_objects)`;
  const bytes = kept.reduce(
    (sum, { object, value }) => sum + (value?.byteLength ?? Buffer.byteLength(canonicalJson(object))),
    0,
  );
  if (bytes <= maxBytes) return undefined;
  return `objects of ${bytes} bytes were deleted together, and the trash takes at most ${maxBytes} (history.max_trash_size)`;
}

/** Whether earlier versions of the object may be retained. The record of its deletion says when they can be removed. */
function hasVersions({ history, ownedKeys }: Kind, { metadata }: KubeObject): boolean {
  if (history === undefined) return false;
  return (metadata.generation ?? 1) > 1 || metadata.annotations?.[ownedKeys.originUid] !== undefined;
}

function deletions(
  { registry, entropy, time }: Transaction,
  { caller }: WriteTarget,
  containersOf: (kind: Kind, object: KubeObject) => readonly FormerContainer[],
  { refused, operation }: { readonly refused: string | undefined; readonly operation: string | undefined },
): (one: Version, isWhole: boolean) => Deletion {
  const orders = new Map<string, number>();
  const common = {
    id: entropy.uid(),
    ...(operation !== undefined && { operation }),
    by: identityOf(caller.user),
    expires: time + registry.retention.trash,
    ...(refused !== undefined && { refused }),
  };
  return ({ kind, object }, isWhole) => {
    const { namespace = '' } = object.metadata;
    const order = orders.get(namespace) ?? 0;
    if (isWhole) orders.set(namespace, order + 1);
    return {
      ...common,
      order,
      scopes: kind.permissions?.scopes(object) ?? [],
      containers: containersOf(kind, object),
      ...restrictionOf(kind, object),
    };
  };
}

/** More containers above each other must be a cycle. */
const DEEPEST = 1000;

/** The containers of an object, from the nearest one upwards. Each chain is walked once. */
function containerChains(
  registry: Registry,
  reader: Reader,
): (kind: Kind, object: KubeObject) => readonly FormerContainer[] {
  const known = new Map<string, readonly FormerContainer[]>();
  const walk = (resource: string, namespace: string, name: string, depth: number): readonly FormerContainer[] => {
    const key = `${resource}/${namespace}/${name}`;
    const chain = known.get(key) ?? above(resource, namespace, name, depth);
    known.set(key, chain);
    return chain;
  };
  const above = (resource: string, namespace: string, name: string, depth: number): readonly FormerContainer[] => {
    const kind = kindOf(registry, resource);
    const object = reader.get(resource, namespace, name);
    if (kind === undefined || object === undefined || depth > DEEPEST) return [];
    const parent = kind.containment?.container(object);
    const rest = parent === undefined ? [] : walk(kind.containment?.resource ?? '', namespace, parent, depth + 1);
    return [{ name, origin: originOf(kind, object), ...restrictionOf(kind, object) }, ...rest];
  };
  return ({ containment }, object) => {
    const container = containment?.container(object);
    if (containment === undefined || container === undefined) return [];
    return walk(containment.resource, object.metadata.namespace ?? '', container, 0);
  };
}

/** The basic roles had no access to an object that waited for a container. */
function restrictionOf({ permissions }: Kind, object: KubeObject): { readonly isRestricted?: true } {
  return permissions?.restriction?.restricts(object) === true || isWaiting(object) ? { isRestricted: true } : {};
}
