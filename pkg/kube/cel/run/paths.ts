import type { Steps } from '../../../system/yielding/steps.js';
import { noSuchKey } from '../library/operators.js';
import { isDict } from '../values/dict.js';
import { charge } from '../values/meter.js';
import { typeNameOf, valueText } from '../values/type-name.js';
import { CelError, isError, List, NONE, noOverload, Optional, Uint, type Value } from '../values/value.js';
import { type Evaluator, type Frame, type Path, type Plan, type Step, stepped } from './plan.js';

/** The plan of a path. It costs one unit beside its steps, unless it ends in `has` or is a `?:`. */
export function pathPlan(path: Path): Plan {
  const { run, steps } = sourceOf(path);
  if (path.kind === 'either') return { run, steps, path };
  const unit = path.steps.at(-1)?.isTest === true ? 0 : 1;
  return {
    path,
    run: (frame) => {
      const value = resolve(frame, path);
      charge(frame, unit);
      return value;
    },
    steps:
      steps &&
      function* (frame) {
        const value = yield* steps(frame);
        charge(frame, unit);
        return value;
      },
  };
}

/** What the path leads to, without the unit of the path itself. */
export function sourceOf(path: Path): Evaluator {
  return {
    run: (frame) => resolve(frame, path),
    steps: hasLoop(path) ? (frame) => resolveSteps(frame, path) : undefined,
  };
}

function hasLoop(path: Path): boolean {
  if (path.kind === 'either') return path.test.steps !== undefined || hasLoop(path.yes) || hasLoop(path.no);
  return path.start.steps !== undefined || path.steps.some(({ key }) => key.steps !== undefined);
}

/** The path one step further. */
export function extended(path: Path, step: Step): Path {
  if (path.kind === 'from') return { ...path, steps: [...path.steps, step] };
  return { ...path, yes: extended(path.yes, step), no: extended(path.no, step) };
}

export function pathOf(plan: Plan): Path {
  return plan.path ?? { kind: 'from', start: plan, steps: [] };
}

function resolve(frame: Frame, path: Path): Value {
  if (path.kind === 'from') return follow(frame, path.start.run(frame), path.steps);
  const test = path.test.run(frame);
  if (test === true) return resolve(frame, path.yes);
  return test === false ? resolve(frame, path.no) : noOverload(test);
}

function* resolveSteps(frame: Frame, path: Path): Steps<Value> {
  if (path.kind === 'either') {
    const test = yield* stepped(path.test, frame);
    if (test === true) return yield* resolveSteps(frame, path.yes);
    return test === false ? yield* resolveSteps(frame, path.no) : noOverload(test);
  }
  let value = yield* stepped(path.start, frame);
  let from = 0;
  for (const [i, step] of path.steps.entries()) {
    const { key } = step;
    if (key.steps === undefined) continue;
    value = follow(frame, value, path.steps.slice(from, i));
    if (isError(value) || value === NONE) return value;
    const keyValue = yield* key.steps(frame);
    value = follow(frame, value, [{ ...step, key: { run: () => keyValue } }]);
    from = i + 1;
  }
  return follow(frame, value, path.steps.slice(from));
}

function follow(frame: Frame, start: Value, steps: readonly Step[]): Value {
  if (steps.length === 0 || isError(start)) return start;
  let value: Value = start;
  let isOptional = false;
  if (start instanceof Optional) {
    if (start.value === undefined) return start;
    value = start.value;
    isOptional = true;
  }
  for (const step of steps) {
    isOptional = isOptional || step.isOptional;
    const key = step.key.run(frame);
    const member = isError(key) ? key : find(value, key, isOptional || step.isTest);
    if (!isOptional || (member !== undefined && !isError(member))) charge(frame, 1);
    else if (step.isTest) charge(frame, 1);
    if (member !== undefined && isError(member)) return member;
    if (step.isTest) return member !== undefined;
    if (member === undefined) return NONE;
    value = member;
  }
  return isOptional ? new Optional(value) : value;
}

/** The part of a value. Undefined if there is none, or an error if it must be there. */
function find(value: Value, key: Value, mayMiss: boolean): Value | undefined {
  if (isDict(value)) {
    const member = value.find(key);
    return member !== undefined || mayMiss ? member : noSuchKey(key);
  }
  if (value instanceof List) return element(value, key, mayMiss);
  if (isError(value)) return value;
  return mayMiss ? undefined : noSuchKey(key);
}

function element(list: List, key: Value, mayMiss: boolean): Value | undefined {
  const index = indexOf(key);
  if (typeof index !== 'number') return index;
  if (index >= 0 && index < list.size) return list.get(index);
  return mayMiss ? undefined : new CelError(`index out of bounds: ${valueText(key)}`);
}

function indexOf(key: Value): number | CelError {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof Uint) return Number(key.value);
  if (typeof key === 'number') {
    return Number.isInteger(key) ? key : new CelError(`unsupported index value ${valueText(key)} in list`);
  }
  return new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
}
