import type { Checked } from '../check/checker.js';
import type { Meter } from '../values/meter.js';
import type { Value } from '../values/value.js';

/** The state of an evaluation. */
export interface Frame extends Meter {
  /** The variables of the environment and of loops. Undefined if a value is not computed yet. */
  readonly slots: (Value | undefined)[];
}

/** A compiled expression. */
export interface Plan {
  readonly run: (frame: Frame) => Value;
  /** The value, if it is known before the evaluation. */
  readonly constant?: Value | undefined;
  /** Set if it reads a variable or a part of something. */
  readonly path?: Path | undefined;
}

/** One step from a value to a part of it. */
export interface Step {
  readonly key: (frame: Frame) => Value;
  /** The step gives an optional value. */
  readonly isOptional: boolean;
  /** The step only says whether there is such a part. */
  readonly isTest: boolean;
}

/** Steps from a value, or with `?:` from one of two. cel-go plans paths in the same way, so costs along them are the same. */
export type Path =
  | { readonly kind: 'from'; readonly start: (frame: Frame) => Value; readonly steps: readonly Step[] }
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
  readonly init?: ((frame: Frame) => Value) | undefined;
}

export function slotOf(p: Planner, name: string): Slot | undefined {
  for (let i = p.scopes.length - 1; i >= 0; i--) {
    const found = p.scopes[i]?.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
