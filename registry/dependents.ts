import type { KubeObject } from '../pkg/meta/types.js';
import type { IndexRange } from '../storage/backend.js';
import { behind } from '../storage/range.js';
import { encodeTuple, prefixEnd } from '../storage/tuple.js';
import type { Kind } from './kind.js';
import { type Entry, objectOf } from './reader.js';
import { OWNER_INDEX, objectKey, type Registry } from './registry.js';
import { apiErrorOf } from './storage-errors.js';
import type { DeleteOptions } from './write/delete.js';
import { dependentsInMemory, type Found, isDependent } from './write/owners.js';

/** The number of objects that are read and handled at once. The engine commits their writes together, and other writes in between. */
const PAGE = 200;

/** The stored kinds that are not cached, whose objects a commit cannot search. */
function uncachedKinds({ kinds }: Pick<Registry, 'kinds'>): readonly Kind[] {
  return kinds.filter(({ cached, conversion }) => !cached && conversion === undefined);
}

/** The objects of all kinds that name this object as one of their owners, in pages. Uncached kinds are searched only if they are `among`. */
export async function* dependentsOf(
  registry: Registry,
  owner: KubeObject,
  among: readonly Kind[] = uncachedKinds(registry),
): AsyncGenerator<readonly Found[], void> {
  yield* inPages(dependentsInMemory(registry, registry.reader, owner));
  const { uid } = owner.metadata;
  if (uid === undefined) return;
  const from = encodeTuple([uid]);
  for (const kind of among) {
    const range = { index: OWNER_INDEX, from, to: prefixEnd(from) };
    for await (const page of storedPages(registry, kind, range)) {
      yield page.filter(({ entry }) => isDependent(registry, entry, owner));
    }
  }
}

export function* inPages<T>(all: Iterable<T>): Generator<readonly T[], void> {
  let page: T[] = [];
  for (const one of all) {
    if (page.push(one) < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** The rows of an index of an uncached kind, in pages. Each page is of the newest state, because a fixed revision could be compacted meanwhile. */
export async function* storedPages(
  { uncached }: Registry,
  kind: Kind,
  range: Omit<IndexRange, 'limit'>,
): AsyncGenerator<readonly Found[], void> {
  for (let rest: IndexRange = { ...range, limit: PAGE }; ; ) {
    const rows = await uncached.range(kind.qualified, rest);
    yield rows.map(({ entry }) => ({ kind, entry }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    rest = behind(rest, last.rowKey);
  }
}

/** Tells a deletion whether the object owns objects of uncached kinds, if this makes a difference. If that is not known, it waits for the collector. */
export async function withUncachedSearched(
  registry: Registry,
  kind: Kind,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Promise<DeleteOptions> {
  if (options.propagation === undefined || options.propagation === 'Background') return options;
  try {
    return await searched(registry, kind, namespace, name, options);
  } catch (error) {
    throw apiErrorOf(error);
  }
}

async function searched(
  registry: Registry,
  kind: Kind,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Promise<DeleteOptions> {
  const entry = await storedEntry(registry, kind, namespace, name);
  const owner = entry && objectOf(entry);
  if (owner?.metadata.uid === undefined) return options;
  const from = encodeTuple([owner.metadata.uid]);
  for (const one of uncachedKinds(registry)) {
    const range = { index: OWNER_INDEX, from, to: prefixEnd(from), limit: 1 };
    if ((await registry.uncached.range(one.qualified, range)).length > 0) return options;
  }
  return { ...options, withoutUncached: owner.metadata.uid };
}

/** The newest state of an object of any kind. */
export async function storedEntry(
  { reader, uncached }: Registry,
  kind: Kind,
  namespace: string,
  name: string,
): Promise<Entry | undefined> {
  return kind.cached ? reader.entry(kind.qualified, namespace, name) : uncached.get(objectKey(kind, namespace, name));
}
