import type { Steps } from '../../../system/yielding/steps.js';
import { finished } from '../library/lists.js';
import type { FoldExpr } from '../syntax/ast.js';
import { growingDict, isDict } from '../values/dict.js';
import { GrowingList } from '../values/list.js';
import { work } from '../values/meter.js';
import { CelError, type Dict, isError, List, type Value } from '../values/value.js';
import { type Frame, ifLoops, isDue, type Plan, type Planner, type Slot, stepped } from './plan.js';

/** How the parts of a loop are compiled. */
export type PlanExpr = (p: Planner, e: FoldExpr['range']) => Plan;

/**
 * A loop. Its accumulator is computed when it is first read, so that `optMap` and `sortBy` compute only what they need.
 */
export function foldPlan(p: Planner, e: FoldExpr, plan: PlanExpr): Plan {
  const init = plan(p, e.init);
  const range = plan(p, e.range);
  const accumulator: Slot = { index: p.count.slots++, init: growingPlan(init) };
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
  const parts = { condition, step, accumulator: accumulator.index, first, second, isPair };
  return {
    run: (frame) => {
      const over = range.run(frame);
      if (isError(over)) return over;
      frame.slots[parts.accumulator] = undefined;
      const loop = { frame, ...parts };
      const problem = over instanceof List ? overList(loop, over) : isDict(over) ? overDict(loop, over) : noRange(over);
      if (problem !== undefined) return problem;
      return finished(result.run(frame));
    },
    *steps(frame) {
      const over = yield* stepped(range, frame);
      if (isError(over)) return over;
      frame.slots[parts.accumulator] = undefined;
      if (!(over instanceof List || isDict(over))) return noRange(over);
      yield* turns({ frame, ...parts }, over);
      return finished(yield* stepped(result, frame));
    },
  };
}

/** All turns, with a pause after some of them. */
function* turns(loop: Loop, over: List | Dict): Steps<void> {
  const { frame } = loop;
  const isLooping = loop.condition.steps !== undefined || loop.step.steps !== undefined;
  for (const [first, second] of pairsOf(over, loop.isPair)) {
    const goesOn = isLooping ? yield* turnSteps(loop, first, second) : turn(loop, first, second);
    if (!goesOn) return;
    if (isDue(frame)) yield;
  }
}

function* pairsOf(over: List | Dict, isPair: boolean): Generator<readonly [Value, Value], void, undefined> {
  if (over instanceof List) {
    for (let i = 0; i < over.size; i++) {
      const value = over.get(i);
      yield [isPair ? BigInt(i) : value, value];
    }
  } else {
    for (const key of over.keys()) yield [key, isPair ? (over.find(key) ?? null) : null];
  }
}

function growingPlan(init: Plan): Plan {
  return {
    run: (frame) => growing(init.run(frame)),
    ...ifLoops([init], function* (frame) {
      return growing(yield* stepped(init, frame));
    }),
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

/** The same in steps. */
function* turnSteps(loop: Loop, first: Value, second: Value): Steps<boolean> {
  const { frame } = loop;
  work(frame, 1);
  frame.slots[loop.first] = first;
  frame.slots[loop.second] = second;
  const condition = loop.condition.constant ?? (yield* stepped(loop.condition, frame));
  if (condition === false) return false;
  frame.slots[loop.accumulator] = yield* stepped(loop.step, frame);
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
