/** Counts what an evaluation does, so that it ends in time. */
export interface Meter {
  /** In the units of cel-go. */
  cost: number;
  readonly limit: number;
  /** Steps that cel-go does not count, as the elements of nested lists that are compared. */
  work: number;
}

/** The evaluation did more than it may. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Steps beside the cost. Kubernetes has no such limit; it is far beyond what the costs allow for in rules that are not made to block the server. */
const WORK_LIMIT = 500_000;

export function charge(meter: Meter, cost: number): void {
  meter.cost += cost;
  if (meter.cost > meter.limit) throw new CostExceeded();
}

export function work(meter: Meter, steps: number): void {
  meter.work += steps;
  if (meter.work > WORK_LIMIT) throw new CostExceeded();
}
