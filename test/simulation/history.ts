import type { Resource, SimObject } from './objects.js';

export type Verb = 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'applyset' | 'get' | 'list';

/** The intended change of the labels of an object, for the check of lost updates. */
export type Intent =
  | { readonly kind: 'replace'; readonly labels: Readonly<Record<string, string>>; readonly on?: number }
  | { readonly kind: 'set'; readonly label: string; readonly value: string; readonly on?: number };

/** The state that a read asked for. */
export interface Asked {
  /**
   * `newest`: the most recent state. `any`: resourceVersion=0. `least`: not older than `revision`. `exact`: the state
   * at `revision`.
   */
  readonly mode: 'newest' | 'any' | 'least' | 'exact';
  readonly revision?: number;
  readonly isSelective?: boolean;
}

/** One operation of a client. Times are values of a counter that all clients share. */
export interface Operation {
  readonly id: number;
  readonly client: string;
  readonly server: number;
  readonly verb: Verb;
  readonly resource: Resource;
  readonly name: string;
  readonly begin: number;
  readonly end: number;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly reason?: string;
  /** The text of an answer with 500 or more. */
  readonly message?: string;
  /** Whether the robot did it, whose permission is given and taken. */
  readonly byRobot?: boolean;
  readonly intent?: Intent;
  readonly asked?: Asked;
  /** The object of the answer. */
  readonly object?: SimObject;
  /** The items of a list, of all pages. */
  readonly items?: readonly SimObject[];
  /** The revision of the answer. */
  readonly revision?: number;
  /** The revisions of the pages. */
  readonly pages?: readonly number[];
  /** `given` is the number of objects on the first page, and `left` the number that it says remain. */
  readonly remaining?: { readonly given: number; readonly left: number };
  /** The names of the objects of an atomic apply, by resource. */
  readonly members?: readonly (readonly [Resource, string])[];
}

export type FrameType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface SeenEvent {
  readonly type: FrameType;
  readonly revision: number;
  readonly object: SimObject;
}

/** The events that one watch received. */
export interface Stream {
  readonly id: number;
  readonly client: string;
  readonly server: number;
  readonly resource: Resource;
  readonly isSelective: boolean;
  readonly begin: number;
  /** When the answer began. */
  opened?: number;
  /** When the client stopped to read. */
  closed?: number;
  /**
   * The revision after which it began. For a WatchList, it is the revision of the bookmark at the end of the existing
   * objects.
   */
  from: number | undefined;
  /** The existing objects of a WatchList. */
  readonly initial: SimObject[] | undefined;
  readonly events: SeenEvent[];
  /** Each bookmark, with the number of events before it. */
  readonly bookmarks: { readonly revision: number; readonly after: number }[];
  /** Why it ended: by the client, without a reason, or with a code. */
  ended?: 'client' | 'closed' | number;
  /** The last revision of its resource, if it should have received everything up to the end of the run. */
  until?: number;
}

/** From this time on, everything up to this revision is acknowledged, because a client saw it. */
export interface Sighting {
  readonly at: number;
  /** When the request began that showed it. */
  readonly since: number;
  readonly revision: number;
  readonly server: number;
}

/** The state from which the changes of a resource are known. */
export interface Base {
  readonly revision: number;
  readonly items: readonly SimObject[];
}

/** The store was set back. */
export interface SetBack {
  readonly at: number;
  /** The end of the log before. */
  readonly end: number;
  /** The states from which the log before is known. */
  readonly bases: ReadonlyMap<Resource, Base>;
  /** The servers that had read nothing yet of what was lost. Their watches go on in the next log. */
  readonly unaffected: ReadonlySet<number>;
  /** When each server noticed it. Until then, it may show its state where a read allows an older one. */
  readonly noticed: Map<number, number>;
}

/** The client that reads all of a log that is gone. */
export const AUDITOR = 'auditor';

/** Everything that happened in a run. */
export class History {
  readonly operations: Operation[] = [];
  readonly streams: Stream[] = [];
  readonly sightings: Sighting[] = [];
  /** Violations that clients found during the run. */
  readonly complaints: string[] = [];
  /** The states from which the present log is known. */
  readonly bases = new Map<Resource, Base>();
  readonly setBacks: SetBack[] = [];
  #time = 0;
  #ids = 0;
  #newest = 0;

  /** The newest revision that any client saw. */
  get newest(): number {
    return this.#newest;
  }

  tick(): number {
    return ++this.#time;
  }

  id(): number {
    return ++this.#ids;
  }

  saw(revision: number | undefined, server: number, since: number, at = this.tick()): void {
    if (revision === undefined || Number.isNaN(revision)) return;
    if (since > (this.setBacks.at(-1)?.at ?? 0)) this.#newest = Math.max(this.#newest, revision);
    this.sightings.push({ at, since, revision, server });
  }

  /** Call this at the moment when the store is set back. What was seen before is void. */
  setBack(end: number, unaffected: ReadonlySet<number>): SetBack {
    const setBack = { at: this.tick(), end, bases: new Map(this.bases), unaffected, noticed: new Map() };
    this.setBacks.push(setBack);
    this.#newest = 0;
    return setBack;
  }

  add(operation: Operation): void {
    this.operations.push(operation);
    if (operation.status < 300 && operation.status > 0)
      this.saw(operation.revision, operation.server, operation.begin, operation.end);
  }
}
