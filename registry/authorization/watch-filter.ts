import { expired } from '../../pkg/status/errors.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Event } from '../../storage/cacher/event.js';
import { type Key, keyOf, partsOf } from '../../storage/key.js';
import type { ResourceState } from '../../storage/state.js';
import { type Entry, Reader } from '../reader.js';
import { apiErrorOf } from '../storage-errors.js';
import { type CollectionAttributes, type GrantSource, isMaster, type WatchFilter } from './authorizer.js';
import { type CoverageFilter, coverageFilter, EVERYTHING } from './read-filter.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

const CHANGED = 'the set of objects that you may view has changed: list again, and watch from there';

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
  const removed = new Map<Key, Entry>();
  const reader = new LiveReader(cacher, removed);
  const filter = isMaster(attributes.user) ? EVERYTHING : coverageFilter(attributes, hierarchy, resolved, reader);
  const follow = filter.all
    ? () => undefined
    : followContainers(attributes.namespace, hierarchy, filter, cacher, after, removed);

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
    if (!resolved.isCurrent(newest)) throw expired(CHANGED);
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
 * Reads the newest state at the time of each call. It still finds the containers that the last commits removed, because objects that were
 * removed in the same commit are filtered by the container that they had.
 */
class LiveReader extends Reader {
  readonly #removed: ReadonlyMap<Key, Entry>;

  constructor(cacher: Cacher, removed: ReadonlyMap<Key, Entry>) {
    super(cacher);
    this.#removed = removed;
  }

  override entry(resource: string, namespace: string, name: string): Entry | undefined {
    return super.entry(resource, namespace, name) ?? this.#removed.get(keyOf(resource, namespace, name));
  }
}

/** Reads the state at an earlier revision. Throws StorageError `compacted` if that revision is too old. */
function pastReader(cacher: Cacher, revision: number): Reader {
  const states = new Map<string, ResourceState>();
  const resource = (name: string): ResourceState => {
    const state = states.get(name) ?? cacher.at(name, revision);
    states.set(name, state);
    return state;
  };
  return new Reader({ revision, resource });
}

/** Returns a function that reads the new changes of containers. It throws 410 if the caller has gained or lost a container by a move. */
function followContainers(
  namespace: string,
  { container }: ScopeHierarchy,
  { coverages }: CoverageFilter,
  cacher: Cacher,
  after: number,
  removed: Map<Key, Entry>,
): () => void {
  if (container === undefined) return () => undefined;
  const ring = cacher.ring(container.qualified);
  let position = ring.position(after);
  const isInNamespace = ({ key }: Event): boolean => namespace === '' || partsOf(key).namespace === namespace;
  const check = ({ key, previous, current }: Event): void => {
    const { name } = partsOf(key);
    const [before, now] = [previous?.attributes.container, current?.attributes.container];
    if (coverages === undefined) {
      if (previous !== undefined && current !== undefined && before !== now) throw expired(CHANGED);
      return;
    }
    for (const coverage of coverages) {
      const was = previous === undefined ? coverage.coversContainer(name) : coverage.wouldCover(name, before);
      const is = current === undefined ? was : coverage.wouldCover(name, now);
      if (was !== is) throw expired(CHANGED);
      coverage.coversContainer(name);
    }
  };
  return () => {
    const events: Event[] = [];
    for (let event = ring.at(position); event !== undefined; event = ring.at(++position)) events.push(event);
    const own = events.filter(isInNamespace);
    for (const { key, previous, current } of own) {
      if (current === undefined && previous !== undefined) removed.set(key, previous);
    }
    for (const event of own) check(event);
    removed.clear();
  };
}
