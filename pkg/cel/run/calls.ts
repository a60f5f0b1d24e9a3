import type { Resolution } from '../check/checker.js';
import { CONVERSION_NAMES } from '../library/conversions.js';
import { callCost } from '../library/costs.js';
import { compilePattern, PATTERN_USES } from '../library/regex.js';
import { keyOf } from '../values/dict.js';
import { valuesOf } from '../values/list.js';
import { charge, work } from '../values/meter.js';
import { isError, List, NO_OVERLOAD, noOverload, Optional, Uint, type Value } from '../values/value.js';
import type { Frame, Plan } from './plan.js';

/** An expression that is known to fail before it is run. */
export class PlanProblem extends Error {}

/** The frame for what is computed during compilation. */
export function emptyFrame(): Frame {
  return { cost: 0, limit: Number.POSITIVE_INFINITY, work: 0, slots: [] };
}

export function andPlan(terms: readonly Plan[]): Plan {
  return { run: (frame) => logic(frame, terms, false) };
}

export function orPlan(terms: readonly Plan[]): Plan {
  return { run: (frame) => logic(frame, terms, true) };
}

/** The first term that decides, whatever failed before it. */
function logic(frame: Frame, terms: readonly Plan[], decides: boolean): Value {
  let failed: Value | undefined;
  for (const term of terms) {
    const value = term.run(frame);
    if (value === decides) return value;
    if (typeof value !== 'boolean') failed ??= noOverload(value);
  }
  return failed ?? !decides;
}

/** `a.or(b)` and `a.orValue(b)`, which look at the second only if the first is absent. */
export function orElsePlan(first: Plan, second: Plan, isValue: boolean): Plan {
  return {
    run: (frame) => {
      const value = first.run(frame);
      if (!(value instanceof Optional)) return isError(value) ? value : NO_OVERLOAD;
      if (value.value === undefined) return second.run(frame);
      return isValue ? value.value : value;
    },
  };
}

/** A call of any other function. Throws PlanProblem if its literal arguments are wrong. */
export function callPlan({ fn, overloads }: Resolution, args: readonly Plan[]): Plan {
  const overload = overloads.length === 1 ? overloads[0] : undefined;
  const known = constantCall(fn.name, args, () =>
    fn.call(
      args.map(({ constant = null }) => constant),
      emptyFrame(),
    ),
  );
  if (known !== undefined) return known;
  if (overload === 'in_list') {
    const membership = membershipPlan(args);
    if (membership !== undefined) return membership;
  }
  const cost = callCost(fn.name, overload);
  const ofPattern = patternCall(fn.name, args);
  const call = ofPattern ?? fn.call;
  if (args.length === 2 && ofPattern === undefined && fn.name !== 'format')
    return binaryPlan(args as readonly [Plan, Plan], call, cost);
  return {
    run: (frame) => {
      const values: Value[] = [];
      for (const arg of args) {
        const value = arg.run(frame);
        values.push(value);
        if (!isError(value) || fn.name === '@not_strictly_false') continue;
        // A call whose arguments are all known is counted, even if the last of them failed.
        if (values.length === args.length) charge(frame, cost(values, value, frame));
        return value;
      }
      const result = call(values, frame, overload);
      charge(frame, cost(values, result, frame));
      return result;
    },
  };
}

type Call = Resolution['fn']['call'];

/** Both sides are computed, even if the first fails: so does cel-go. */
function binaryPlan([left, right]: readonly [Plan, Plan], call: Call, cost: ReturnType<typeof callCost>): Plan {
  return {
    run: (frame) => {
      const a = left.run(frame);
      const b = right.run(frame);
      const values = [a, b];
      const result = isError(a) ? a : isError(b) ? b : call(values, frame);
      charge(frame, cost(values, result, frame));
      return result;
    },
  };
}

/** Conversions of literals are computed once, and cost nothing. */
function constantCall(name: string, args: readonly Plan[], compute: () => Value): Plan | undefined {
  const isKnown = CONVERSION_NAMES.has(name) && args.length === 1 && args[0]?.constant !== undefined;
  if (!isKnown) return undefined;
  const constant = compute();
  if (isError(constant)) throw new PlanProblem(constant.message);
  return { run: () => constant, constant };
}

/** `x in [literals]` needs one look-up, and costs nothing. */
function membershipPlan([item, container]: readonly Plan[]): Plan | undefined {
  const list = container?.constant;
  if (item === undefined || !(list instanceof List)) return undefined;
  const values = valuesOf(list);
  if (values.length === 0) return { run: () => false, constant: false };
  if (!values.every(isHashable)) return undefined;
  const known = new Set(values.map((value) => keyOf(value) ?? value));
  return {
    run: (frame) => {
      const value = item.run(frame);
      return isError(value) ? value : known.has(keyOf(value) ?? value);
    },
  };
}

function isHashable(value: Value): boolean {
  return value instanceof Uint || (value !== null && typeof value !== 'object');
}

/** A pattern that is a literal is compiled once. */
function patternCall(name: string, args: readonly Plan[]): Call | undefined {
  const use = PATTERN_USES.get(name);
  const source = args[1]?.constant;
  if (use === undefined || typeof source !== 'string') return undefined;
  const pattern = compiled(source);
  return ([text = null, _, ...rest], meter) => {
    if (typeof text !== 'string') return noOverload(text);
    work(meter, text.length / 2);
    return use(pattern, text, rest);
  };
}

function compiled(source: string): ReturnType<typeof compilePattern> {
  try {
    return compilePattern(source);
  } catch (error) {
    throw new PlanProblem(error instanceof Error ? error.message : String(error));
  }
}
