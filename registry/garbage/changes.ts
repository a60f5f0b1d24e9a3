import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Event } from '../../storage/cacher/event.js';
import type { Ring } from '../../storage/cacher/ring.js';
import { isStorageError } from '../../storage/errors.js';
import { partsOf } from '../../storage/key.js';
import type { Kind } from '../kinds/kind.js';
import { FOREGROUND, finalizersOf, isFinalizedByCollector } from '../kinds/propagation.js';
import { namespaceOf, type Registry } from '../kinds/registry.js';
import { objectOf } from '../read/reader.js';
import { type KindEntry, ownerKind, ownersIn } from '../write/owners.js';

/** The events that are handled in one step of the event loop. */
const MOST_EVENTS = 200;

/** The next events after a revision. Absent if the ring does not have all of them. */
export function eventsAfter(ring: Ring, revision: number): readonly Event[] | undefined {
  const events: Event[] = [];
  try {
    for (let position = ring.position(revision); position < ring.end && events.length < MOST_EVENTS; position++) {
      const event = ring.at(position);
      if (event !== undefined) events.push(event);
    }
  } catch (error) {
    if (!isStorageError(error, 'compacted')) throw error;
    return undefined;
  }
  return events;
}

/** The work for the collector that follows from some events of one kind. Each object occurs once. */
export interface CollectorWork {
  /** The last states of objects that are gone. */
  readonly deleted: readonly KubeObject[];
  /** Changed objects that have owners, with what they were before. */
  readonly dependents: readonly Event[];
  /** Terminating objects with finalizers of the collector. */
  readonly finalizing: readonly KindEntry[];
  /** Objects whose owners may have waited for them. */
  readonly holders: readonly KubeObject[];
}

/** Whether an event may give work. Most do not, and to look for the work of each commit takes more than to ask this. */
export function mayGiveWork({ current, previous }: Event): boolean {
  if (current === undefined || previous?.attributes.isOwned === true) return true;
  return current.attributes.isOwned === true || current.attributes.isTerminating === true;
}

/** `isAnyOwned`: whether any object has an owner. If not, it need not be known who is gone. */
export function workOf(kind: Kind, events: readonly Event[], isAnyOwned: () => boolean): CollectorWork {
  const last = new Map(events.map((event) => [event.key, event]));
  const deleted = events.filter(({ current, previous }) => current === undefined && previous !== undefined);
  const before = (event: Event): readonly KubeObject[] => (event.previous ? [objectOf(event.previous)] : []);
  return {
    deleted: deleted.length > 0 && isAnyOwned() ? deleted.flatMap(before) : [],
    dependents: [...last.values()].filter(({ current }) => current?.attributes.isOwned === true),
    finalizing: [...last.values()].flatMap(({ current: entry }) =>
      entry?.attributes.isTerminating === true && isFinalizedByCollector(objectOf(entry)) ? [{ kind, entry }] : [],
    ),
    holders: events.filter(({ previous }) => previous?.attributes.isOwned === true).flatMap(before),
  };
}

/** The owners of these objects that are being deleted in the foreground. Each occurs once. */
export function waitingOwners(registry: Registry, holders: readonly KubeObject[]): readonly KindEntry[] {
  const owners = new Map<string, KindEntry>();
  for (const holder of holders) {
    const { namespace = '' } = holder.metadata;
    for (const { blockOwnerDeletion, ...reference } of ownersIn(holder)) {
      const kind = ownerKind(registry, reference);
      if (kind === undefined || blockOwnerDeletion !== true) continue;
      const entry = registry.reader.entry(kind.qualified, namespaceOf(kind, namespace), reference.name);
      if (entry?.attributes.isTerminating !== true || owners.has(entry.key)) continue;
      if (finalizersOf(objectOf(entry)).includes(FOREGROUND)) owners.set(entry.key, { kind, entry });
    }
  }
  return [...owners.values()];
}

/** The newest state of the object of an event, if it is still there. */
export function newest({ reader }: Registry, kind: Kind, { key }: Event): KindEntry | undefined {
  const { namespace, name } = partsOf(key);
  const entry = reader.entry(kind.qualified, namespace, name);
  return entry && { kind, entry };
}
