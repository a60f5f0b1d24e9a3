import { finished } from '../library/lists.js';
import type { FoldExpr } from '../syntax/ast.js';
import { growingDict, isDict } from '../values/dict.js';
import { GrowingList } from '../values/list.js';
import { work } from '../values/meter.js';
import { CelError, type Dict, isError, List, type Value } from '../values/value.js';
import type { Frame, Plan, Planner, Slot } from './plan.js';

/** How the parts of a loop are compiled. */
export type PlanExpr = (p: Planner, e: FoldExpr['range']) => Plan;

/** A loop. Its accumulator is computed when it is first read, so that `optMap` and `sortBy` compute only what they need. */
export function foldPlan(p: Planner, e: FoldExpr, plan: PlanExpr): Plan {
  const init = plan(p, e.init);
  const range = plan(p, e.range);
  const accumulator: Slot = { index: p.count.slots++, init: (frame) => growing(init.run(frame)) };
  const first = p.count.slots++;
  const second = p.count.slots++;
  const outer = [...p.scopes, new Map([[e.accumulator, accumulator]])];
  const variables = new Map<string, Slot>([[e.variable, { index: first }]]);
  if (e.second !== undefined) variables.set(e.second, { index: second });
  const inner = { ...p, scopes: [...outer, variables] };
  const condition = plan(inner, e.condition);
  const step = plan(inner, e.step);
  const result = plan({ ...p, scopes: outer }, e.result);
  const isPair = e.second !== undefined;
  return {
    run: (frame) => {
      const over = range.run(frame);
      if (isError(over)) return over;
      const { slots } = frame;
      slots[accumulator.index] = undefined;
      const loop = { frame, condition, step, accumulator: accumulator.index, first, second, isPair };
      const problem = over instanceof List ? overList(loop, over) : isDict(over) ? overDict(loop, over) : noRange(over);
      if (problem !== undefined) return problem;
      return finished(result.run(frame));
    },
  };
}

/** An empty list or map that is filled without copies. */
function growing(value: Value): Value {
  if (value instanceof List && value.size === 0) return new GrowingList();
  return isDict(value) && value.size === 0 ? growingDict() : value;
}

function noRange(value: Value): CelError {
  return new CelError(`got '${typeof value}', expected iterable type`);
}

interface Loop {
  readonly frame: Frame;
  readonly condition: Plan;
  readonly step: Plan;
  readonly accumulator: number;
  readonly first: number;
  readonly second: number;
  readonly isPair: boolean;
}

/** Whether the loop goes on. */
function turn(loop: Loop, first: Value, second: Value): boolean {
  const { frame } = loop;
  work(frame, 1);
  frame.slots[loop.first] = first;
  frame.slots[loop.second] = second;
  const condition = loop.condition.constant ?? loop.condition.run(frame);
  if (condition === false) return false;
  frame.slots[loop.accumulator] = loop.step.run(frame);
  return true;
}

function overList(loop: Loop, list: List): undefined {
  for (let i = 0; i < list.size; i++) {
    const value = list.get(i);
    if (!turn(loop, loop.isPair ? BigInt(i) : value, value)) return;
  }
}

function overDict(loop: Loop, dict: Dict): undefined {
  for (const key of dict.keys()) {
    if (!turn(loop, key, loop.isPair ? (dict.find(key) ?? null) : null)) return;
  }
}
