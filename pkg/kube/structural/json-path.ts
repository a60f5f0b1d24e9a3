import { isObject } from '../../system/object/is-object.js';
import { compared } from './json-path-filter.js';
import { type Bound, JsonPathError, type Path, type PathNode } from './json-path-nodes.js';
import { parsePath } from './json-path-parser.js';

/**
 * The simple paths of printer columns, scales and field selectors, as Kubernetes evaluates them
 * (k8s.io/client-go/util/jsonpath): `.spec.replicas`, `.status.conditions[?(@.type=="Ready")].status`, `.items[0]`,
 * `.items[-2:]`, `.spec['a\.b']`, `.spec.*` and `..name`.
 */
export interface JsonPath {
  /**
   * The values that the path names: none where members are missing. `undefined` if the path does not fit the value,
   * such as an index of a text.
   */
  readonly find: (value: unknown) => readonly unknown[] | undefined;
}

/** More values than this are not collected, because `..` finds values again and again. */
const MOST = 100_000;

/** Throws JsonPathError if the text is no path. The text has no braces around it. */
export function compileJsonPath(text: string): JsonPath {
  const path = parsePath(text);
  return { find: (value) => matchedValues(evaluated(path, [value], { left: MOST })) };
}

/** Values, and whether the path did not fit. A filter that asks whether something exists takes the values even then. */
interface Matches {
  readonly values: readonly unknown[];
  readonly isWrong: boolean;
}

interface Budget {
  left: number;
}

const matched = (values: readonly unknown[]): Matches => ({ values, isWrong: false });
const mismatched = (values: readonly unknown[]): Matches => ({ values, isWrong: true });
const matchedValues = ({ values, isWrong }: Matches): readonly unknown[] | undefined => (isWrong ? undefined : values);

function evaluated(path: Path, input: readonly unknown[], budget: Budget): Matches {
  let values = input;
  for (const node of path) {
    const next = step(node, values, budget);
    budget.left -= next.values.length + 1;
    if (next.isWrong || budget.left < 0) return mismatched(next.values);
    values = next.values;
  }
  return matched(values);
}

function step(node: PathNode, input: readonly unknown[], budget: Budget): Matches {
  switch (node.type) {
    case 'field':
      return matched(
        input.flatMap((value) => (isObject(value) && Object.hasOwn(value, node.name) ? [value[node.name]] : [])),
      );
    case 'wildcard':
      return matched(input.flatMap(partsOf));
    case 'recursive':
      return descended(input, budget);
    case 'literal':
      // A text is found even if nothing was found before it.
      return matched(typeof node.value === 'string' ? [node.value] : input.map(() => node.value));
    case 'array':
      return sliced(node, input);
    case 'union':
      return united(node.paths, input, budget);
    case 'filter':
      return filtered(node, input, budget);
    case 'unknown':
      return mismatched(input);
  }
}

/** The parts of a text are its bytes, as in Go. */
function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...Buffer.from(value.slice(0, MOST))];
  return isObject(value) ? Object.values(value) : [];
}

/** The values that have parts, and those in them: each before its parts. */
function descended(input: readonly unknown[], budget: Budget): Matches {
  const values: unknown[] = [];
  const waiting = [...input].reverse();
  while (waiting.length > 0) {
    const value = waiting.pop();
    const parts = partsOf(value);
    if (parts.length === 0) continue;
    budget.left -= parts.length;
    if (budget.left < 0) return mismatched(values);
    values.push(value);
    if (typeof value === 'object') for (let i = parts.length - 1; i >= 0; i--) waiting.push(parts[i]);
  }
  return matched(values);
}

function sliced(
  node: { readonly start: Bound; readonly end: Bound; readonly step: Bound },
  input: readonly unknown[],
): Matches {
  const values: unknown[] = [];
  const every = node.step.value ?? 1;
  for (const value of input) {
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) return mismatched(input);
    const [start, end] = limits(node.start, node.end, value.length);
    if (start === end) return matched(values);
    if (start < 0 || start >= value.length || end < 0 || end > value.length || start > end || every <= 0) {
      return mismatched(input);
    }
    for (let i = start; i < end; i += every) values.push(value[i]);
  }
  return matched(values);
}

/** Negative numbers count from the end. */
function limits(start: Bound, end: Bound, length: number): readonly [number, number] {
  const from = start.value ?? 0;
  const to = end.value ?? length;
  const isFromEnd = to < 0 || (to === 0 && end.isDerived === true);
  return [from < 0 ? from + length : from, isFromEnd ? to + length : to];
}

function united(paths: readonly Path[], input: readonly unknown[], budget: Budget): Matches {
  const values: unknown[] = [];
  for (const path of paths) {
    const part = evaluated(path, input, budget);
    if (part.isWrong) return mismatched(input);
    for (const value of part.values) values.push(value);
  }
  return matched(values);
}

type Filter = Extract<PathNode, { readonly type: 'filter' }>;

function filtered(node: Filter, input: readonly unknown[], budget: Budget): Matches {
  const values: unknown[] = [];
  for (const list of input) {
    if (!Array.isArray(list)) return mismatched(input);
    for (const item of list) {
      const passes = matches(node, item, budget);
      if (passes === undefined) return mismatched(input);
      if (passes) values.push(item);
    }
  }
  return matched(values);
}

/** `undefined` if the filter does not fit the item. */
function matches({ left, operator, right: other }: Filter, item: unknown, budget: Budget): boolean | undefined {
  const lefts = evaluated(left, [item], budget);
  if (operator === 'exists') return budget.left < 0 ? undefined : lefts.values.length > 0;
  if (lefts.isWrong) return undefined;
  if (lefts.values.length !== 1) return lefts.values.length === 0 ? false : undefined;
  const rights = evaluated(other, [item], budget);
  if (rights.isWrong) return undefined;
  if (rights.values.length !== 1) return rights.values.length === 0 ? false : undefined;
  const isFloat = (path: Path): boolean => path.some((item) => item.type === 'literal' && item.isFloat === true);
  return compared(operator, lefts.values[0], rights.values[0], isFloat(left), isFloat(other));
}

export { JsonPathError };
