import type { Shape, VersionName } from './shape.js';

export interface Gadget {
  readonly apiVersion?: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly spec: { readonly level: number; readonly color?: string; readonly size?: number; readonly extra?: string };
}

/** One write of an object. Times are values of a counter that all clients share. */
export interface Write {
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly version: VersionName;
  readonly name: string;
  readonly begin: number;
  readonly end: number;
  /** The newest revision that any client had seen at the begin. */
  readonly low: number;
  readonly status: number;
  readonly text: string;
  /** Absent if the write sets none. */
  readonly level?: number;
  readonly size?: number | undefined;
  readonly isExtra?: boolean;
}

/** The objects of one read. */
export interface Sight {
  readonly where: string;
  readonly revision: number;
  readonly items: readonly Gadget[];
}

/** A state of the definition, from a revision on. */
export interface State {
  readonly revision: number;
  /** When the change to this state began. */
  readonly began: number;
  /** Undefined if there is no definition. */
  readonly shape: Shape | undefined;
  readonly isTerminating: boolean;
}

/** Everything that happened in a run. */
export class DefinitionHistory {
  readonly writes: Write[] = [];
  readonly sights: Sight[] = [];
  readonly states: State[] = [];
  readonly complaints: { readonly check: string; readonly message: string }[] = [];
  /** When each change of the definition began, by the number of the change. */
  readonly changes = new Map<number, number>();
  /** When the last deletion of the definition began. */
  deleting = 0;
  operations = 0;
  newest = 0;
  #time = 0;

  tick(): number {
    return ++this.#time;
  }

  saw(revision: number): void {
    if (revision > this.newest) this.newest = revision;
  }

  complain(check: string, message: string): void {
    this.complaints.push({ check, message });
  }
}
