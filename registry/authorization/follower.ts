import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Event } from '../../storage/cacher/event.js';
import { keyOf } from '../../storage/key.js';

export const CHANGED = 'the set of objects that you may view has changed: list again, and watch from there';

/** A resource whose changes may change what a watcher may view. */
export interface Followed {
  readonly resource: string;
  /** Remembers what the checks of other changes need. Throws 410 if that is not possible. */
  note?(event: Event): void;
  /** Throws 410 if the change gives the watcher a view of other objects. */
  check(event: Event): void;
}

/**
 * Returns a function that reads the new changes of the followed resources, each resource once, and checks them after
 * all of them are noted.
 */
export function follower(all: readonly Followed[], namespace: string, cacher: Cacher, after: number): () => void {
  const resources = [...new Set(all.map(({ resource }) => resource))];
  const readers = resources.map((resource) => ({
    followed: all.filter((one) => one.resource === resource),
    next: newEvents(resource, namespace, cacher, after),
  }));
  return () => {
    const changes = readers.map(({ followed, next }) => ({ followed, events: next() }));
    for (const { followed, events } of changes)
      for (const event of events) for (const one of followed) one.note?.(event);
    for (const { followed, events } of changes)
      for (const event of events) for (const one of followed) one.check(event);
  };
}

/** Returns a function that reads the events of a resource in a namespace since its last call. */
function newEvents(resource: string, namespace: string, cacher: Cacher, after: number): () => readonly Event[] {
  const ring = cacher.ring(resource);
  let position = ring.position(after);
  // For thousands of watches, to take each key apart would cost more than the rest.
  const prefix = keyOf(resource, namespace, '');
  const isInNamespace = ({ key }: Event): boolean => namespace === '' || key.startsWith(prefix);
  return () => {
    const events: Event[] = [];
    for (let event = ring.at(position); event !== undefined; event = ring.at(++position)) events.push(event);
    return events.filter(isInNamespace);
  };
}
