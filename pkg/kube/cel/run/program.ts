import type { Steps } from '../../../system/yielding/steps.js';
import type { Checked } from '../check/checker.js';
import { LIST_COST, MAP_COST } from '../library/costs.js';
import type { CallExpr, Expr, ListExpr, MapExpr } from '../syntax/ast.js';
import { dictOf } from '../values/dict.js';
import { listOf } from '../values/list.js';
import { CostExceeded, charge, WORK_LIMIT } from '../values/meter.js';
import { typeNameOf, valueText } from '../values/type-name.js';
import { CelError, isError, Optional, TypeValue, type Value } from '../values/value.js';
import { andPlan, argumentSteps, callPlan, emptyFrame, orElsePlan, orPlan } from './calls.js';
import { foldPlan } from './folds.js';
import { extended, pathOf, pathPlan, sourceOf } from './paths.js';
import { type Evaluator, type Frame, ifLoops, type Plan, type Planner, slotOf, stepped } from './plan.js';

/** An expression that is ready to run. Running it changes nothing. */
export interface Program {
  /**
   * Returns the value, and sets the cost of `meter`. Undefined if this takes too long at once. Throws CostExceeded.
   * `variables` are in the order of their names in `programOf`.
   */
  run(variables: Variables, meter: CostMeter): Value | undefined;
  /** The same in steps. Each takes some milliseconds. */
  steps(variables: Variables, meter: CostMeter): Steps<Value>;
}

export type Variables = readonly (Value | undefined)[];

export interface CostMeter {
  cost: number;
  readonly limit: number;
}

/**
 * The cost, and the work, that are done at once. It takes some milliseconds. Nearly all rules need less, and are faster
 * without steps.
 */
const AT_ONCE = 4000;

/** Compiles an expression without problems. Throws PlanProblem. */
export function programOf(checked: Checked, variables: readonly string[]): Program {
  const count = { slots: variables.length };
  const scope = new Map(variables.map((name, index) => [name, { index }]));
  const plan = planExpr({ checked, scopes: [scope], count }, checked.expr);
  const frameOf = (values: Variables, limit: number, mostWork: number): Frame => {
    const slots: (Value | undefined)[] = new Array(count.slots);
    for (let i = 0; i < values.length; i++) slots[i] = values[i];
    return { cost: 0, limit, work: 0, mostWork, slots, due: 0 };
  };
  const isShort = plan.steps === undefined;
  return {
    run: (values, meter) => {
      const frame = isShort ? frameOf(values, meter.limit, WORK_LIMIT) : frameOf(values, AT_ONCE, AT_ONCE);
      try {
        return plan.run(frame);
      } catch (error) {
        if (isShort || !(error instanceof CostExceeded)) throw error;
        return undefined;
      } finally {
        meter.cost = frame.cost;
      }
    },
    *steps(values, meter) {
      const frame = frameOf(values, meter.limit, WORK_LIMIT);
      try {
        return yield* stepped(plan, frame);
      } finally {
        meter.cost = frame.cost;
      }
    },
  };
}

function planExpr(p: Planner, e: Expr): Plan {
  switch (e.kind) {
    case 'literal':
      return constantPlan(e.value);
    case 'ident':
      return typePlan(p, e) ?? identPlan(p, e.name);
    case 'select': {
      const type = typePlan(p, e);
      if (type !== undefined) return type;
      const path = pathOf(planExpr(p, e.operand));
      return pathPlan(extended(path, { key: { run: () => e.field }, isOptional: false, isTest: e.test }));
    }
    case 'call':
      return planCall(p, e);
    case 'list':
      return listPlan(p, e);
    case 'map':
      return mapPlan(p, e);
    case 'fold':
      return foldPlan(p, e, planExpr);
    default:
      return constantPlan(new CelError('unknown type'));
  }
}

function constantPlan(constant: Value): Plan {
  return { run: () => constant, constant };
}

function typePlan(p: Planner, e: Expr): Plan | undefined {
  const type = p.checked.typeNames.get(e)?.params[0];
  if (type === undefined) return undefined;
  const names: Readonly<Record<string, string>> = {
    timestamp: 'google.protobuf.Timestamp',
    duration: 'google.protobuf.Duration',
    null: 'null_type',
  };
  return constantPlan(new TypeValue(names[type.name] ?? type.name));
}

function identPlan(p: Planner, name: string): Plan {
  const slot = slotOf(p, name) ?? slotOf(p, name.replace(/^\./, ''));
  if (slot === undefined) return constantPlan(new CelError(`no such attribute(s): ${name}`));
  const { index, init } = slot;
  const missing = new CelError(`no such attribute(s): ${name}`);
  const start: Evaluator = {
    run: (frame) => {
      const value = frame.slots[index];
      if (value !== undefined) return value;
      return init === undefined ? missing : set(frame, index, init.run(frame));
    },
    ...ifLoops([init], function* (frame) {
      const value = frame.slots[index];
      if (value !== undefined) return value;
      return init === undefined ? missing : set(frame, index, yield* stepped(init, frame));
    }),
  };
  return pathPlan({ kind: 'from', start, steps: [] });
}

function set(frame: Frame, index: number, value: Value): Value {
  frame.slots[index] = value;
  return value;
}

function planCall(p: Planner, e: CallExpr): Plan {
  const resolution = p.checked.calls.get(e);
  if (resolution === undefined) return constantPlan(new CelError(`unknown function ${e.name}`));
  const exprs = e.target === undefined || resolution.isNamespaced ? e.args : [e.target, ...e.args];
  const args = exprs.map((arg) => planExpr(p, arg));
  const [first, second, third] = [args[0], args[1], args[2]] as [Plan, Plan, Plan];
  switch (resolution.fn.name) {
    case '_&&_':
      return andPlan(args);
    case '_||_':
      return orPlan(args);
    case '_?_:_':
      return pathPlan({ kind: 'either', test: first, yes: pathOf(second), no: pathOf(third) });
    case '_[_]':
      return indexPlan(first, second, false);
    case '_[?_]':
    case '_?._':
      return indexPlan(first, second, true);
    case 'or':
      return orElsePlan(first, second, false);
    case 'orValue':
      return orElsePlan(first, second, true);
    default:
      return callPlan(resolution, args);
  }
}

function indexPlan(operand: Plan, key: Plan, isOptional: boolean): Plan {
  const { path } = key;
  // A path that is a key does not cost the unit of a path.
  const read = path === undefined ? key : sourceOf(path);
  return pathPlan(extended(pathOf(operand), { key: read, isOptional, isTest: false }));
}

function listPlan(p: Planner, e: ListExpr): Plan {
  const plans = e.elements.map((element) => planExpr(p, element));
  const listFrom = (part: (index: number) => Value): Value => {
    const values: Value[] = [];
    for (let i = 0; i < plans.length; i++) {
      const value = part(i);
      if (isError(value)) return value;
      if (e.optional[i] !== true) values.push(value);
      else if (!(value instanceof Optional)) return notOptional('list element', value);
      else if (value.value !== undefined) values.push(value.value);
    }
    return listOf(values);
  };
  return partsPlan(plans, listFrom, LIST_COST);
}

/** The plan of a list or a map, which is made from its parts in order, up to the first error. */
function partsPlan(plans: readonly Plan[], make: (part: (index: number) => Value) => Value, cost: number): Plan {
  const run = (frame: Frame): Value => make((index) => plans[index]?.run(frame) ?? null);
  if (plans.every(({ constant }) => constant !== undefined)) return constantPlan(run(emptyFrame()));
  return {
    run: (frame) => charged(frame, run(frame), cost),
    ...ifLoops(plans, function* (frame) {
      const values = yield* argumentSteps(frame, plans);
      const made = make((index) => values[index] ?? null);
      return charged(frame, made, cost);
    }),
  };
}

function notOptional(what: string, value: Value): CelError {
  return new CelError(`cannot initialize optional ${what} from non-optional value ${valueText(value)}`);
}

function charged(frame: Frame, value: Value, cost: number): Value {
  charge(frame, cost);
  return value;
}

function mapPlan(p: Planner, e: MapExpr): Plan {
  const plans = e.entries.flatMap(({ key, value }) => [planExpr(p, key), planExpr(p, value)]);
  const mapFrom = (part: (index: number) => Value): Value => {
    const entries: [Value, Value][] = [];
    for (const [i, { optional }] of e.entries.entries()) {
      const key = part(2 * i);
      if (isError(key)) return key;
      const value = part(2 * i + 1);
      if (isError(value)) return value;
      if (!optional) entries.push([key, value]);
      else if (!(value instanceof Optional)) return notOptional(`entry '${valueText(key)}'`, value);
      else if (value.value !== undefined) entries.push([key, value.value]);
    }
    const wrong = entries.find(([key]) => !isKey(key));
    return wrong === undefined ? dictOf(entries) : new CelError(`unsupported key type: ${typeNameOf(wrong[0])}`);
  };
  return partsPlan(plans, mapFrom, MAP_COST);
}

function isKey(key: Value): boolean {
  return key !== null && (typeof key !== 'object' || typeNameOf(key) === 'uint');
}
