import type { KubeObject } from '../pkg/meta/types.js';
import type { Cacher, Waiting } from '../storage/cacher/cacher.js';
import { keyOf } from '../storage/key.js';
import type { Entry } from '../storage/state.js';
import { encodeTuple, type Tuple } from '../storage/tuple.js';
import { apiErrorOf } from './storage-errors.js';
import type { Written } from './store.js';
import { objectOfEntry } from './view.js';

/**
 * Reads of the newest state that this server knows, for what is decided before any write: who is calling. An object stays the very same
 * JavaScript object until it changes, so callers may remember what they made of it.
 */
export interface Lookup {
  /** `resource` is `<plural>.<group>`; the namespace of cluster-scoped kinds is empty. */
  get(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** Objects whose tuple in the in-memory index begins with `prefix`, in index order; at most `limit`. */
  find(resource: string, index: string, prefix: Tuple, limit?: number): readonly KubeObject[];
  /** The same value for as long as nothing of the resource changes. */
  mark(resource: string): object;
  /** Other servers may write to the store. */
  readonly shared: boolean;
  /** Waits until everything acknowledged by any server is seen here. Throws ApiError. */
  fresh(request?: Waiting): Promise<void>;
}

export function lookupOf(cacher: Cacher): Lookup {
  const objects = new WeakMap<Entry, KubeObject>();
  const objectOf = (entry: Entry): KubeObject => {
    const known = objects.get(entry);
    if (known !== undefined) return known;
    const object = objectOfEntry(entry);
    objects.set(entry, object);
    return object;
  };
  const fresh = (request?: Waiting): Promise<void> =>
    cacher.fresh(request).catch((error: unknown) => {
      throw apiErrorOf(error);
    });
  return {
    get: (resource, namespace, name) => {
      const entry = cacher.state.resource(resource).get(keyOf(resource, namespace, name));
      return entry === undefined ? undefined : objectOf(entry);
    },
    find: (resource, index, prefix, limit = Number.POSITIVE_INFINITY) => {
      const found: KubeObject[] = [];
      for (const entry of cacher.state.resource(resource).range(index, encodeTuple(prefix))) {
        if (found.length >= limit) break;
        found.push(objectOf(entry));
      }
      return found;
    },
    mark: (resource) => cacher.state.resource(resource),
    shared: cacher.shared,
    fresh,
  };
}

/** The object as a write left it. */
export function objectOf<Spec = unknown>({ value }: Written): KubeObject<Spec> {
  return JSON.parse(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8')) as KubeObject<Spec>;
}
