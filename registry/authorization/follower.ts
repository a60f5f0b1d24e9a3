import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Event } from '../../storage/cacher/event.js';
import { keyOf } from '../../storage/key.js';

export const CHANGED = 'the set of objects that you may view has changed: list again, and watch from there';

/** A resource whose changes may change what a watcher may view. */
export interface Followed {
  readonly resource: string;
  /** Throws 410 if the change gives the watcher a view of other objects. */
  check(event: Event): void;
}

/**
 * Returns a function that reads the new changes of the followed resources, and checks them after it has noted all of
 * them.
 */
export function follower(
  all: readonly Followed[],
  namespace: string,
  cacher: Cacher,
  after: number,
  note: (event: Event) => void = () => undefined,
): () => void {
  const readers = all.map((item) => ({ one: item, next: newEvents(item.resource, namespace, cacher, after) }));
  return () => {
    const changes = readers.map(({ one, next }) => ({ one, events: next() }));
    for (const event of changes.flatMap(({ events }) => events)) note(event);
    for (const { one, events } of changes) for (const event of events) one.check(event);
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
