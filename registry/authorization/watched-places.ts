import { expired } from '../../pkg/kube/status/errors.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Event } from '../../storage/cacher/event.js';
import { type Key, partsOf } from '../../storage/key.js';
import { type Entry, MemoryEntry } from '../../storage/state/entry.js';
import type { Kind } from '../kinds/kind.js';
import type { Reader } from '../read/reader.js';
import type { Coverage } from './coverage.js';
import type { CoverageFilter } from './read-filter.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';
import { isWaiting, type Places } from './waiting.js';

export const CHANGED = 'the set of objects that you may view has changed: list again, and watch from there';

/** A watch that has seen more removals than this ends, so that what it remembers is bounded. */
const MOST_REMOVED = 10_000;
const NO_BYTES = new Uint8Array();

/**
 * The places that were removed since a watch began: containers, and objects that others are about. Their content is
 * forgotten.
 */
export class RemovedPlaces {
  readonly #entries = new Map<Key, Entry>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  get(key: Key): Entry | undefined {
    return this.#entries.get(key);
  }

  /**
   * Remembers what a change removes. Throws 410 if something comes back: what lay in the former place would be judged by
   * the new one.
   */
  note({ previous, current }: Event): void {
    if (current === undefined && previous !== undefined) this.add(previous);
    const former = previous === undefined && current !== undefined ? this.get(current.key) : undefined;
    if (former !== undefined && current !== undefined && former.revision < current.revision) throw expired(CHANGED);
  }

  /** Throws 410 for more than a watch may remember. */
  add(entry: Entry): void {
    if (this.#entries.size >= MOST_REMOVED) throw expired(CHANGED);
    this.#entries.set(entry.key, new MemoryEntry(entry.key, entry.revision, NO_BYTES, entry.attributes));
  }
}

/** A resource whose changes may change what a watcher may view. */
interface Followed {
  readonly resource: string;
  /** Throws 410 if the change gives the watcher a view of other objects. */
  check(event: Event): void;
}

/**
 * The containers of the objects, the objects that they are about, and the containers of these. `coverages` are those of
 * a filter.
 */
export function followed(
  hierarchy: ScopeHierarchy,
  coverages: readonly Coverage[] | undefined,
  reader: Reader,
): readonly Followed[] {
  const { container, about } = hierarchy;
  const ofContainers = [readinessCheck({ container, about: undefined }, reader), containerCheck(coverages)];
  const containers = container ? [{ resource: container.qualified, check: each(ofContainers) }] : [];
  if (about === undefined) return containers;
  const inner = coverages?.flatMap((coverage) => coverage.about ?? []);
  const ofSubjects = [readinessCheck(about, reader), subjectCheck(inner)];
  const subjects = { resource: about.kind.qualified, check: each(ofSubjects) };
  return [...containers, subjects, ...followed(about, inner, reader)];
}

type Check = Followed['check'];

const each = (checks: readonly Check[]): Check => {
  return (event) => {
    for (const check of checks) check(event);
  };
};

/** The caller gains or loses a container if it is moved to another one, or if it is restricted. */
function containerCheck(coverages: readonly Coverage[] | undefined): Check {
  return ({ key, previous, current }) => {
    const { name } = partsOf(key);
    if (coverages === undefined) return refuseChange(previous, current);
    for (const coverage of coverages) {
      const was = previous === undefined ? coverage.reachIn(name) : coverage.wouldReach(name, previous.attributes);
      const is = current === undefined ? was : coverage.wouldReach(name, current.attributes);
      if (was !== is) throw expired(CHANGED);
      coverage.reachIn(name);
    }
  };
}

/**
 * The caller gains or loses what is about an object if the object is moved to another container, or if it is
 * restricted.
 */
function subjectCheck(coverages: readonly Coverage[] | undefined): Check {
  return ({ previous, current }) => {
    if (coverages === undefined) return refuseChange(previous, current);
    if (previous === undefined || current === undefined) return;
    if (coverages.some((coverage) => coverage.has(previous) !== coverage.has(current))) throw expired(CHANGED);
  };
}

/** When a place waits no more, or is moved out of one that waits, other callers see its contents. */
function readinessCheck(places: Places, reader: Reader): Check {
  return ({ key, previous, current }) => {
    if (previous === undefined || current === undefined) return;
    const [was, is] = [previous.attributes, current.attributes];
    if (was.isWaiting === is.isWaiting && was.container === is.container && was.about === is.about) return;
    const { namespace } = partsOf(key);
    if (isWaiting(places, was, namespace, reader) !== isWaiting(places, is, namespace, reader)) throw expired(CHANGED);
  };
}

function refuseChange(previous: Entry | undefined, current: Entry | undefined): void {
  if (previous === undefined || current === undefined) return;
  const [before, now] = [previous.attributes, current.attributes];
  if (before.container !== now.container || before.isRestricted !== now.isRestricted) throw expired(CHANGED);
}

/**
 * The places without which a filter holds: those that were restricted, or waited. It does not see one that has come and
 * gone since it looked last, and the list that the client has read before does not show what lay there.
 */
export function hiding(
  { deciding }: ScopeHierarchy,
  { coverages, conditions }: Pick<CoverageFilter, 'coverages' | 'conditions'>,
  namespace: string,
): readonly Followed[] {
  const has = (kinds: readonly Kind[], resource: string) => kinds.some(({ qualified }) => qualified === resource);
  const { unlessRestricted, unlessWaiting } = conditions(namespace);
  const isNeeded = (resource: string) =>
    coverages === undefined || has([...unlessRestricted, ...unlessWaiting], resource);
  return deciding.filter(isNeeded).map((resource) => {
    const check = (event: Event): void => {
      const own = conditions(partsOf(event.key).namespace);
      if (has(own.unlessRestricted, resource)) refuseRestriction(event);
      if (has(own.unlessWaiting, resource)) refuseEndOfWait(event);
    };
    return { resource, check };
  });
}

function refuseEndOfWait({ previous, current }: Event): void {
  if (previous?.attributes.isWaiting === true && current?.attributes.isWaiting !== true) throw expired(CHANGED);
}

function refuseRestriction({ previous, current }: Event): void {
  const isRestricted = (entry: Entry | undefined): boolean => entry?.attributes.isRestricted === true;
  if (isRestricted(previous) !== isRestricted(current)) throw expired(CHANGED);
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
  const isInNamespace = ({ key }: Event): boolean => namespace === '' || partsOf(key).namespace === namespace;
  return () => {
    const events: Event[] = [];
    for (let event = ring.at(position); event !== undefined; event = ring.at(++position)) events.push(event);
    return events.filter(isInNamespace);
  };
}
