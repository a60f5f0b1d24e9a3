import { Random } from '../fieldmanager/schemas.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * A patch of a live object. Instead of the patch, a case may have two manifests: the last applied one, and the next
 * one.
 */
export interface Case {
  readonly live: object;
  readonly patch?: object;
  readonly applied?: object;
  readonly manifest?: object;
}

/** More names than a list has, so that some are new and some are not. */
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

export function randomCase(seed: number): Case {
  const random = new Random(seed);
  const live = objectOf(randomMetadata(random));
  if (random.chance(50)) return { live, patch: objectOf({ ...finalizersPatch(random), ...ownersPatch(random) }) };
  return { live, applied: objectOf(randomMetadata(random)), manifest: objectOf(randomMetadata(random)) };
}

function objectOf(metadata: Members): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

function randomMetadata(random: Random): Members {
  return {
    name: 'x',
    ...(random.chance(50) ? { labels: { [random.of(NAMES)]: random.of(NAMES) } } : {}),
    ...(random.chance(75) ? { finalizers: names(random, 1).map(finalizer) } : {}),
    ...(random.chance(75) ? { ownerReferences: names(random, 1).map((uid) => owner(random, uid)) } : {}),
  };
}

/** The result is undefined in Kubernetes if a patch both adds and removes a finalizer, so none is in both lists. */
function finalizersPatch(random: Random): Members {
  if (random.chance(10)) return { finalizers: null };
  const items = random.chance(70) ? names(random) : undefined;
  const removed = names(random).filter((name) => !items?.includes(name));
  const order = random.chance(50) && items?.length !== 0 ? orderOf(random, items) : undefined;
  return {
    ...(items && { finalizers: items.map(finalizer) }),
    ...(random.chance(50) ? { '$deleteFromPrimitiveList/finalizers': removed.map(finalizer) } : {}),
    ...(order && { '$setElementOrder/finalizers': order.map(finalizer) }),
  };
}

function ownersPatch(random: Random): Members {
  if (random.chance(10)) return { ownerReferences: null };
  const changed = shuffled(random, [
    ...names(random).map((uid) => owner(random, uid)),
    ...(random.chance(50) ? names(random).map((uid) => ({ $patch: 'delete', uid })) : []),
  ]);
  // This directive is the first element, because Kubernetes would compare the order with it if it were the last one.
  const list = [...(random.chance(15) ? [{ $patch: 'replace', uid: '' }] : []), ...changed];
  const uids = list.filter((element) => !('$patch' in element)).map(({ uid }) => uid);
  const order = random.chance(50) ? orderOf(random, uids) : undefined;
  return {
    ...(list.length > 0 ? { ownerReferences: list } : {}),
    ...(order && { '$setElementOrder/ownerReferences': order.map((uid) => ({ uid })) }),
  };
}

/**
 * Mostly an order with all items in their order, and perhaps others. Sometimes a random one, which is mostly refused.
 */
function orderOf(random: Random, items: readonly string[] = []): readonly string[] {
  if (random.chance(15)) return names(random, 1);
  const order = [...items];
  const others = names(random).filter((name) => !items.includes(name));
  for (const other of others) order.splice(random.below(order.length + 1), 0, other);
  return order;
}

function owner(random: Random, uid: string): Members & { readonly uid: string } {
  const more = random.chance(50) ? { controller: random.of([true, false, null]) } : {};
  return { apiVersion: 'v1', kind: 'Secret', name: random.of(NAMES), uid, ...more };
}

const finalizer = (name: string): string => `example.org/${name}`;

/** Different names, at least as many as `least`. */
function names(random: Random, least = 0): readonly string[] {
  return shuffled(random, NAMES).slice(0, least + random.below(6 - least));
}

function shuffled<T>(random: Random, list: readonly T[]): readonly T[] {
  const rest = [...list];
  return list.flatMap(() => rest.splice(random.below(rest.length), 1));
}
