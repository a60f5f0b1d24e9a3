import type { Steps } from '../../../system/yielding/steps.js';
import type { Resolution } from '../check/checker.js';
import { CONVERSION_NAMES } from '../library/conversions.js';
import { callCost, dependsOnResult } from '../library/costs.js';
import { compilePattern, PATTERN_USES } from '../library/regex.js';
import { keyOf } from '../values/dict.js';
import { valuesOf } from '../values/list.js';
import { charge, work } from '../values/meter.js';
import { isError, List, NO_OVERLOAD, noOverload, Optional, Uint, type Value } from '../values/value.js';
import { type Frame, ifLoops, type Plan, stepped } from './plan.js';

/** An expression that is known to fail before it is run. */
export class PlanProblem extends Error {}

/** The frame for what is computed during compilation. */
export function emptyFrame(): Frame {
  const [limit, mostWork] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  return { cost: 0, limit, work: 0, mostWork, slots: [], due: 0 };
}

export function andPlan(terms: readonly Plan[]): Plan {
  return logicPlan(terms, false);
}

export function orPlan(terms: readonly Plan[]): Plan {
  return logicPlan(terms, true);
}

function logicPlan(terms: readonly Plan[], decides: boolean): Plan {
  return {
    run: (frame) => logic(frame, terms, decides),
    ...ifLoops(terms, (frame) => logicSteps(frame, terms, decides)),
  };
}

function* logicSteps(frame: Frame, terms: readonly Plan[], decides: boolean): Steps<Value> {
  let failed: Value | undefined;
  for (const term of terms) {
    const value = yield* stepped(term, frame);
    if (value === decides) return value;
    if (typeof value !== 'boolean') failed ??= noOverload(value);
  }
  return failed ?? !decides;
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
  const chosen = (value: Value): Value | undefined => {
    if (!(value instanceof Optional)) return isError(value) ? value : NO_OVERLOAD;
    return isValue || value.value === undefined ? value.value : value;
  };
  return {
    run: (frame) => {
      const value = chosen(first.run(frame));
      return value === undefined ? second.run(frame) : value;
    },
    ...ifLoops([first, second], function* (frame) {
      const value = chosen(yield* stepped(first, frame));
      return value === undefined ? yield* stepped(second, frame) : value;
    }),
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
  const ofPattern = patternCall(fn.name, args);
  const call = chargedCall(ofPattern ?? fn.call, callCost(fn.name, overload), dependsOnResult(fn.name, overload));
  if (args.length === 2 && ofPattern === undefined && fn.name !== 'format')
    return binaryPlan(args as readonly [Plan, Plan], call);
  const acceptsErrors = fn.name === '@not_strictly_false';
  const result = (frame: Frame, values: readonly Value[]): Value => {
    const last = values.at(-1) ?? null;
    if (!isError(last) || acceptsErrors) return call(values, frame, overload);
    // A call whose arguments are all known is counted, even if the last of them failed.
    return values.length === args.length ? call(values, frame, overload, last) : last;
  };
  return {
    run: (frame) => {
      const values: Value[] = [];
      for (const arg of args) {
        const value = arg.run(frame);
        values.push(value);
        if (isError(value) && !acceptsErrors) break;
      }
      return result(frame, values);
    },
    ...ifLoops(args, function* (frame) {
      return result(frame, yield* argumentSteps(frame, args, acceptsErrors));
    }),
  };
}

/** The values in order. The first error is the last of them. */
export function* argumentSteps(frame: Frame, plans: readonly Plan[], acceptsErrors = false): Steps<readonly Value[]> {
  const values: Value[] = [];
  for (const plan of plans) {
    const value = yield* stepped(plan, frame);
    values.push(value);
    if (isError(value) && !acceptsErrors) break;
  }
  return values;
}

type Call = Resolution['fn']['call'];
/** Adds its cost. `failed` is the result if an argument is an error. */
type ChargedCall = (args: readonly Value[], frame: Frame, overload?: string, failed?: Value) => Value;

/** What a call costs is known before it, unless it depends on the result. So a call that costs too much is not made. */
function chargedCall(call: Call, cost: ReturnType<typeof callCost>, dependsOnResult: boolean): ChargedCall {
  if (!dependsOnResult)
    return (args, frame, overload, failed) => {
      charge(frame, cost(args, null, frame));
      return failed ?? call(args, frame, overload);
    };
  return (args, frame, overload, failed) => {
    const result = failed ?? call(args, frame, overload);
    charge(frame, cost(args, result, frame));
    return result;
  };
}

/** Both sides are computed, even if the first fails: so does cel-go. */
function binaryPlan([left, right]: readonly [Plan, Plan], call: ChargedCall): Plan {
  const result = (frame: Frame, a: Value, b: Value): Value =>
    call([a, b], frame, undefined, isError(a) ? a : isError(b) ? b : undefined);
  return {
    run: (frame) => result(frame, left.run(frame), right.run(frame)),
    ...ifLoops([left, right], function* (frame) {
      const a = yield* stepped(left, frame);
      return result(frame, a, yield* stepped(right, frame));
    }),
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
  const isIn = (value: Value): Value => (isError(value) ? value : known.has(keyOf(value) ?? value));
  return {
    run: (frame) => isIn(item.run(frame)),
    ...ifLoops([item], function* (frame) {
      return isIn(yield* stepped(item, frame));
    }),
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
    return use(pattern, text, rest, meter);
  };
}

function compiled(source: string): ReturnType<typeof compilePattern> {
  try {
    return compilePattern(source);
  } catch (error) {
    throw new PlanProblem(error instanceof Error ? error.message : String(error));
  }
}
