import { expired } from '../../pkg/kube/status/errors.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Event } from '../../storage/cacher/event.js';
import { keyOf } from '../../storage/key.js';
import { type CollectionAttributes, type GrantSource, isMaster, type WatchFilter } from '../kinds/authorizer.js';
import { pastReader } from '../read/past-reader.js';
import { type Entry, Reader } from '../read/reader.js';
import { apiErrorOf } from '../signals/storage-errors.js';
import { CHANGED, follower } from './follower.js';
import { hiding } from './hiding.js';
import { coverageFilter, EVERYTHING } from './read-filter.js';
import { RemovedPlaces } from './removed-places.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';
import { followed } from './watched-places.js';

/** The filter of a watch. It is valid until the caller's grants or the parents of containers change it. */
export function watchFilter(
  attributes: CollectionAttributes,
  hierarchy: ScopeHierarchy,
  source: GrantSource,
  cacher: Cacher,
  after: number,
): WatchFilter {
  let state = cacher.state;
  const newest = new Reader(cacher);
  const resolved = source.resolve(attributes.user, newest);
  if (after < state.revision && !wasCurrentAt(after)) throw expired(CHANGED);
  const removed = new RemovedPlaces();
  const reader = new LiveReader(cacher, removed);
  const filter = isMaster(attributes.user) ? EVERYTHING : coverageFilter(attributes, hierarchy, resolved, reader);
  const { namespace } = attributes;
  const places = filter.all ? [] : followed(hierarchy, filter.coverages, reader);
  const noted = places.map((place) => ({ ...place, note: (event: Event) => removed.note(event) }));
  const follow = follower([...noted, ...hiding(hierarchy, filter, namespace)], namespace, cacher, after);

  function wasCurrentAt(revision: number): boolean {
    try {
      return resolved.isCurrent(pastReader(cacher, revision));
    } catch (error) {
      throw apiErrorOf(error);
    }
  }
  const check = (): void => {
    if (cacher.state === state) return;
    state = cacher.state;
    if (!resolved.isCurrent(newest) || !filter.isCurrent(newest)) throw expired(CHANGED);
    follow();
  };
  follow();
  const allows = (entry: Entry): boolean => {
    check();
    return filter.allows(entry);
  };
  return { all: filter.all, allows, check };
}

/**
 * Reads the newest state at the time of each call. It still finds the places that were removed since the watch began,
 * because objects that were removed in the same commit are filtered by the place that they had.
 */
class LiveReader extends Reader {
  readonly #removed: RemovedPlaces;

  constructor(cacher: Cacher, removed: RemovedPlaces) {
    super(cacher);
    this.#removed = removed;
  }

  override entry(resource: string, namespace: string, name: string): Entry | undefined {
    return super.entry(resource, namespace, name) ?? this.#removed.get(keyOf(resource, namespace, name));
  }

  override get moment(): undefined {
    return undefined;
  }

  /** What was removed is in no index. */
  override isSearchable(resource: string): boolean {
    return this.#removed.isEmpty && super.isSearchable(resource);
  }

  /** Only this reader sees the removed objects, so its results must not be shared. */
  override version(resource: string): object {
    return this.#removed.isEmpty ? super.version(resource) : {};
  }

  override layout(resource: string): object {
    return this.#removed.isEmpty ? super.layout(resource) : {};
  }
}
