import type { Steps } from '../../../system/yielding/steps.js';
import type { Checked } from '../check/checker.js';
import type { Meter } from '../values/meter.js';
import type { Value } from '../values/value.js';

/** The state of an evaluation. */
export interface Frame extends Meter {
  /** The variables of the environment and of loops. Undefined if a value is not computed yet. */
  readonly slots: (Value | undefined)[];
  /** The cost and the work at which the next step of the evaluation begins. */
  due: number;
}

/** How a value is computed. */
export interface Evaluator {
  readonly run: (frame: Frame) => Value;
  /** The same in steps. Absent if there is no loop in it: then it takes little time. */
  readonly steps?: ((frame: Frame) => Steps<Value>) | undefined;
}

/** A compiled expression. */
export interface Plan extends Evaluator {
  /** The value, if it is known before the evaluation. */
  readonly constant?: Value | undefined;
  /** Set if it reads a variable or a part of something. */
  readonly path?: Path | undefined;
}

/** One step from a value to a part of it. */
export interface Step {
  readonly key: Evaluator;
  /** The step gives an optional value. */
  readonly isOptional: boolean;
  /** The step only says whether there is such a part. */
  readonly isTest: boolean;
}

/**
 * Steps from a value, or with `?:` from one of two. cel-go plans paths in the same way, so costs along them are the
 * same.
 */
export type Path =
  | { readonly kind: 'from'; readonly start: Evaluator; readonly steps: readonly Step[] }
  | { readonly kind: 'either'; readonly test: Plan; readonly yes: Path; readonly no: Path };

/** What is known while an expression is compiled. */
export interface Planner {
  readonly checked: Checked;
  /** Where a variable is: in the environment or in a loop around. */
  readonly scopes: readonly ReadonlyMap<string, Slot>[];
  readonly count: { slots: number };
}

export interface Slot {
  readonly index: number;
  /** Computes the value when it is first read. */
  readonly init?: Evaluator | undefined;
}

export function slotOf(p: Planner, name: string): Slot | undefined {
  for (let i = p.scopes.length - 1; i >= 0; i--) {
    const slot = p.scopes[i]?.get(name);
    if (slot !== undefined) return slot;
  }
  return undefined;
}

/** Cost and work of a step. It takes a millisecond, or some. */
const STEP = 2000;

/** Whether the next step begins. */
export function isDue(frame: Frame): boolean {
  const done = frame.cost + frame.work;
  if (done < frame.due) return false;
  frame.due = done + STEP;
  return true;
}

/** Computes a value, in steps if there is a loop in it. */
export function* stepped(source: Evaluator, frame: Frame): Steps<Value> {
  return source.steps === undefined ? source.run(frame) : yield* source.steps(frame);
}

/** The steps of what consists of these parts, if there is a loop in one of them. */
export function ifLoops(
  parts: readonly (Evaluator | undefined)[],
  steps: (frame: Frame) => Steps<Value>,
): Pick<Evaluator, 'steps'> {
  return parts.some((part) => part?.steps !== undefined) ? { steps } : {};
}
