import { noSuchKey } from '../library/operators.js';
import { isDict } from '../values/dict.js';
import { charge } from '../values/meter.js';
import { typeNameOf, valueText } from '../values/type-name.js';
import { CelError, isError, List, NONE, noOverload, Optional, Uint, type Value } from '../values/value.js';
import type { Frame, Path, Plan, Step } from './plan.js';

/** The plan of a path. It costs one unit beside its steps, unless it ends in `has` or is a `?:`. */
export function pathPlan(path: Path): Plan {
  if (path.kind === 'either') return { run: (frame) => resolve(frame, path), path };
  const isTest = path.steps.at(-1)?.isTest === true;
  return {
    path,
    run: (frame) => {
      const value = resolve(frame, path);
      if (!isTest) charge(frame, 1);
      return value;
    },
  };
}

/** The path one step further. */
export function extended(path: Path, step: Step): Path {
  if (path.kind === 'from') return { ...path, steps: [...path.steps, step] };
  return { ...path, yes: extended(path.yes, step), no: extended(path.no, step) };
}

export function pathOf(plan: Plan): Path {
  return plan.path ?? { kind: 'from', start: plan.run, steps: [] };
}

/** The value at the end of the path, without the unit of the path itself. */
export function resolve(frame: Frame, path: Path): Value {
  if (path.kind === 'from') return follow(frame, path.start(frame), path.steps);
  const test = path.test.run(frame);
  if (test === true) return resolve(frame, path.yes);
  return test === false ? resolve(frame, path.no) : noOverload(test);
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
    const key = step.key(frame);
    const found = isError(key) ? key : find(value, key, isOptional || step.isTest);
    if (!isOptional || (found !== undefined && !isError(found))) charge(frame, 1);
    else if (step.isTest) charge(frame, 1);
    if (found !== undefined && isError(found)) return found;
    if (step.isTest) return found !== undefined;
    if (found === undefined) return NONE;
    value = found;
  }
  return isOptional ? new Optional(value) : value;
}

/** The part of a value. Undefined if there is none, or an error if it must be there. */
function find(value: Value, key: Value, mayMiss: boolean): Value | undefined {
  if (isDict(value)) {
    const found = value.find(key);
    return found !== undefined || mayMiss ? found : noSuchKey(key);
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
