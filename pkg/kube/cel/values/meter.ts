/** Counts what an evaluation does, so that it ends in time. */
export interface Meter {
  /** In the units of cel-go. */
  cost: number;
  readonly limit: number;
  /** Steps that cel-go does not count, such as the elements of nested lists that are compared. */
  work: number;
  readonly mostWork: number;
}

/** The evaluation did more than it may. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/**
 * The most steps beside the cost. Kubernetes has no such limit. Only rules that are made to block the server reach it.
 */
export const WORK_LIMIT = 500_000;

/** Code units of a text that are copied or compared in the time of a step. */
const UNITS = 50;
/** Shorter texts take no longer than the call that they are given to. */
const SHORT = 200;

export function charge(meter: Meter, cost: number): void {
  meter.cost += cost;
  if (meter.cost > meter.limit) throw new CostExceeded();
}

export function work(meter: Meter, steps: number): void {
  meter.work += steps;
  if (meter.work > meter.mostWork) throw new CostExceeded();
}

/** The work on a text or on bytes of this length. */
export function workOnText(meter: Meter, length: number): void {
  if (length > SHORT) work(meter, length / UNITS);
}
