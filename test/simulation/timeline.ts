import type { History, SeenEvent } from './history.js';
import { GROUP, type Resource, revisionOf, type SimObject, textOf } from './objects.js';

/** The state of one object from this revision on. */
export interface Version {
  readonly revision: number;
  readonly object: SimObject | undefined;
}

export type Complain = (check: string, message: string) => void;

/** The changes of one resource, which all watches together received, in the order of revisions. */
export class Timeline {
  readonly resource: Resource;
  readonly base: number;
  readonly events: readonly SeenEvent[];
  readonly byRevision: ReadonlyMap<number, SeenEvent>;
  readonly versions = new Map<string, Version[]>();

  constructor(
    resource: Resource,
    base: { revision: number; items: readonly SimObject[] },
    events: readonly SeenEvent[],
  ) {
    this.resource = resource;
    this.base = base.revision;
    this.events = events;
    this.byRevision = new Map(events.map((event) => [event.revision, event]));
    for (const object of base.items) this.#push(object.metadata.name, { revision: revisionOf(object), object });
    for (const { type, revision, object } of events) {
      this.#push(object.metadata.name, { revision, object: type === 'DELETED' ? undefined : object });
    }
  }

  versionsOf(name: string): readonly Version[] {
    return this.versions.get(name) ?? [];
  }

  /** The state of an object at a revision. */
  at(name: string, revision: number): SimObject | undefined {
    return this.versionAt(name, revision)?.object;
  }

  versionAt(name: string, revision: number): Version | undefined {
    return this.versionsOf(name).findLast((version) => version.revision <= revision);
  }

  /** All objects at a revision, in the order of their names. */
  state(revision: number): readonly SimObject[] {
    const names = [...this.versions.keys()].sort();
    return names.flatMap((name) => this.at(name, revision) ?? []);
  }

  /** Whether an object was in a state that `isWanted` accepts at a revision from `low` to `high`. */
  hadState(name: string, low: number, high: number, isWanted: (object: SimObject | undefined) => boolean): boolean {
    const versions: readonly Version[] = [{ revision: 0, object: undefined }, ...this.versionsOf(name)];
    return versions.some(({ revision, object }, i) => {
      const next = versions[i + 1]?.revision ?? Number.POSITIVE_INFINITY;
      return revision <= high && next > low && isWanted(object);
    });
  }

  #push(name: string, version: Version): void {
    const known = this.versions.get(name);
    if (known === undefined) this.versions.set(name, [version]);
    else known.push(version);
  }
}

/** Whether a selective list or watch shows this object. */
export function isSelected(object: SimObject | undefined, isSelective: boolean): object is SimObject {
  return object !== undefined && (!isSelective || object.metadata.labels?.[GROUP] === 'g1');
}

/** Joins the events of all watches of whole resources. Two different events at one revision are a violation. */
export function timelineOf(history: History, resource: Resource, complain: Complain): Timeline {
  const base = history.bases.get(resource) ?? { revision: 0, items: [] };
  const found = new Map<number, SeenEvent>();
  for (const stream of history.streams) {
    if (stream.resource !== resource || stream.isSelective) continue;
    for (const event of stream.events) {
      const known = found.get(event.revision);
      if (known === undefined) found.set(event.revision, event);
      else if (known.type !== event.type || textOf(known.object) !== textOf(event.object)) {
        complain('watch = history', `${resource}: two watches differ about revision ${event.revision}`);
      }
    }
  }
  const events = [...found.values()].filter(({ revision }) => revision > base.revision);
  return new Timeline(
    resource,
    base,
    events.sort((a, b) => a.revision - b.revision),
  );
}

/** The bounds that real time sets for what an operation may see. */
export class Bounds {
  readonly #all: Steps;
  readonly #servers = new Map<number, Steps>();
  readonly #begun: Steps;

  constructor({ sightings, operations }: History) {
    const sorted = sightings.toSorted((a, b) => a.at - b.at);
    this.#all = stepsUp(sorted);
    for (const server of new Set(sorted.map((one) => one.server))) {
      this.#servers.set(server, stepsUp(sorted.filter((one) => one.server === server)));
    }
    this.#begun = stepsDown(operations.filter(isChange).map(({ begin, revision = 0 }) => ({ at: begin, revision })));
  }

  /** The newest revision that any client had seen by this time. */
  acknowledged(time: number): number {
    return before(this.#all, time);
  }

  /** The newest revision that this server had answered by this time. */
  answeredBy(server: number, time: number): number {
    return before(this.#servers.get(server) ?? [], time);
  }

  /**
   * The newest revision that an operation may show that ended at this time. Later revisions are of writes that began
   * later.
   */
  possible(time: number): number {
    const first = this.#begun.find(({ at }) => at > time);
    return first === undefined ? Number.POSITIVE_INFINITY : first.revision - 1;
  }
}

type Steps = readonly { readonly at: number; readonly revision: number }[];

/**
 * Whether the operation made the revision of its answer. Only creates are sure: applies and writes that change nothing
 * may answer with another.
 */
function isChange({ verb, status, revision }: History['operations'][number]): boolean {
  return ['create'].includes(verb) && status >= 200 && status < 300 && revision !== undefined;
}

function stepsUp(sorted: Steps): Steps {
  const steps: { at: number; revision: number }[] = [];
  for (const { at, revision } of sorted) {
    if (revision > (steps.at(-1)?.revision ?? 0)) steps.push({ at, revision });
  }
  return steps;
}

/** For each time, the smallest revision of the writes that began then or later. */
function stepsDown(begun: Steps): Steps {
  let least = Number.POSITIVE_INFINITY;
  const steps = begun
    .toSorted((a, b) => b.at - a.at)
    .map(({ at, revision }) => {
      least = Math.min(least, revision);
      return { at, revision: least };
    });
  return steps.reverse();
}

/** The value of the last step before a time. */
function before(steps: Steps, time: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((steps[middle]?.at ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return steps[low - 1]?.revision ?? 0;
}
