import type { Checked } from '../check/checker.js';
import { characters, sizeOf } from '../library/sizes.js';
import type { Shape } from '../schema/shape.js';
import type { CallExpr, Expr, FoldExpr } from '../syntax/ast.js';
import type { CelType } from '../types/type.js';
import { inOptional } from '../types/type.js';
import { estimateCall, type Operand } from './call-estimates.js';
import { either, exactly, ONE, plus, type Range, times, total, UNKNOWN, ZERO } from './range.js';

/** The sizes of the keys and the values of a list or a map that an expression makes. */
interface Entries {
  readonly isList: boolean;
  readonly keys: Range;
  readonly values: Range;
}

interface Local {
  readonly path: Path | undefined;
  readonly size: Range | undefined;
  readonly entries: Entries | undefined;
}

/** The steps from a variable of the rule to a part of its value. */
type Path = readonly string[];

interface Estimator {
  readonly checked: Checked;
  readonly shape: Shape;
  readonly locals: Map<string, Local[]>;
  readonly paths: Map<Expr, Path>;
  readonly sizes: Map<Expr, Range>;
  readonly entries: Map<Expr, Entries>;
}

/** The highest cost that an expression can have with values of the shape, as cel-go and Kubernetes estimate it. */
export function estimatedCost(checked: Checked, shape: Shape): number {
  const e: Estimator = { checked, shape, locals: new Map(), paths: new Map(), sizes: new Map(), entries: new Map() };
  return costOf(e, checked.expr).max;
}

function costOf(e: Estimator, expr: Expr): Range {
  if (e.checked.typeNames.has(expr)) {
    e.paths.set(expr, ['type']);
    return ONE;
  }
  switch (expr.kind) {
    case 'ident':
      e.paths.set(expr, localOf(e, expr.name)?.path ?? (localOf(e, expr.name) === undefined ? [expr.name] : []));
      return ONE;
    case 'select':
      return selectCost(e, expr);
    case 'call':
      return callCost(e, expr);
    case 'list': {
      const costs = expr.elements.map((element) => costOf(e, element));
      const sizes = expr.elements.map((element) => sizeOrUnknown(e, element));
      e.entries.set(expr, { isList: true, keys: ONE, values: sizes.length === 0 ? ZERO : sizes.reduce(either) });
      return plus(total(costs), exactly(10));
    }
    case 'map': {
      const costs = expr.entries.map(({ key, value }) => plus(costOf(e, key), costOf(e, value)));
      const keys = expr.entries.map(({ key }) => sizeOrUnknown(e, key));
      const values = expr.entries.map(({ value }) => sizeOrUnknown(e, value));
      const union = (sizes: readonly Range[]) => (sizes.length === 0 ? ZERO : sizes.reduce(either));
      e.entries.set(expr, { isList: false, keys: union(keys), values: union(values) });
      return plus(total(costs), exactly(30));
    }
    case 'fold':
      return foldCost(e, expr);
    default:
      return ZERO;
  }
}

function localOf(e: Estimator, name: string): Local | undefined {
  return e.locals.get(name)?.at(-1);
}

function push(e: Estimator, name: string, local: Local): void {
  e.locals.set(name, [...(e.locals.get(name) ?? []), local]);
}

function pop(e: Estimator, name: string): void {
  e.locals.get(name)?.pop();
}

function pathOf(e: Estimator, expr: Expr): Path {
  if (expr.kind === 'ident') {
    const local = localOf(e, expr.name);
    if (local !== undefined) return local.path ?? [];
  }
  return e.paths.get(expr) ?? [];
}

function selectCost(e: Estimator, expr: Extract<Expr, { kind: 'select' }>): Range {
  const operand = costOf(e, expr.operand);
  if (expr.test) return operand;
  e.paths.set(expr, [...pathOf(e, expr.operand), expr.field]);
  const { kind } = e.checked.typeOf(expr.operand);
  return kind === 'map' || kind === 'struct' ? plus(operand, ONE) : operand;
}

function callCost(e: Estimator, expr: CallExpr): Range {
  const resolution = e.checked.calls.get(expr);
  const costs = expr.args.map((arg) => costOf(e, arg));
  if (resolution === undefined) return ZERO;
  const { fn, overloads, isNamespaced } = resolution;
  if (fn.name === 'dyn') return plus(ONE, copied(e, expr, expr.args[0] as Expr, costs[0] ?? ZERO));
  if (fn.name === '_&&_' || fn.name === '_||_') return { min: costs[0]?.min ?? 0, max: total(costs).max };
  if (fn.name === '_?_:_') return conditionalCost(e, expr, costs);
  const target = isNamespaced ? undefined : expr.target;
  const targetCost = target === undefined ? ZERO : costOf(e, target);
  const operands = expr.args.map((arg) => operandOf(e, arg));
  const targetOperand = target === undefined ? undefined : operandOf(e, target);
  let own: Range | undefined;
  let size: Range | undefined;
  for (const overload of overloads) {
    const estimate = estimateCall(fn.name, targetOperand, operands, overload);
    own = own === undefined ? estimate.cost : either(own, estimate.cost);
    if (estimate.size !== undefined) size = size === undefined ? estimate.size : either(size, estimate.size);
    if (overload === 'index_list' || overload === 'index_map') {
      const [container] = expr.args as readonly [Expr, Expr];
      size = e.entries.get(container)?.values ?? entriesOf(e, container)?.values;
      e.paths.set(expr, [...pathOf(e, container), overload === 'index_list' ? '@items' : '@values']);
    }
    if (overload.startsWith('add_')) joinEntries(e, expr);
    size ??= sizeOfExpr(e, expr);
  }
  if (size !== undefined) e.sizes.set(expr, size);
  return plus(targetCost, plus(own ?? ZERO, total(costs)));
}

function copied(e: Estimator, expr: Expr, from: Expr, cost: Range): Range {
  const size = sizeOfExpr(e, from);
  const entries = entriesOf(e, from);
  if (size !== undefined) e.sizes.set(expr, size);
  if (entries !== undefined) e.entries.set(expr, entries);
  return cost;
}

function conditionalCost(e: Estimator, expr: CallExpr, costs: readonly Range[]): Range {
  const [, yes, no] = expr.args as readonly [Expr, Expr, Expr];
  const [test = ZERO, first = ZERO, second = ZERO] = costs;
  unite(e, expr, yes, no);
  e.sizes.set(expr, either(sizeOrUnknown(e, yes), sizeOrUnknown(e, no)));
  return plus(test, either(first, second));
}

function joinEntries(e: Estimator, expr: CallExpr): void {
  const [a, b] = expr.args;
  if (a !== undefined && b !== undefined) unite(e, expr, a, b);
}

function unite(e: Estimator, expr: Expr, a: Expr, b: Expr): void {
  const x = entriesOf(e, a);
  const y = entriesOf(e, b);
  if (x === undefined || y === undefined) return;
  e.entries.set(expr, { isList: x.isList, keys: either(x.keys, y.keys), values: either(x.values, y.values) });
}

function foldCost(e: Estimator, expr: FoldExpr): Range {
  const before = plus(costOf(e, expr.range), costOf(e, expr.init));
  push(e, expr.accumulator, {
    path: pathOf(e, expr.init),
    size: sizeOfExpr(e, expr.init),
    entries: entriesOf(e, expr.init),
  });
  if (isBinding(expr)) {
    const cost = plus(before, costOf(e, expr.result));
    pop(e, expr.accumulator);
    return copied(e, expr, expr.result, cost);
  }
  pushVariables(e, expr);
  const turn = plus(costOf(e, expr.condition), costOf(e, expr.step));
  pop(e, expr.variable);
  if (expr.second !== undefined) pop(e, expr.second);
  const result = costOf(e, expr.result);
  pop(e, expr.accumulator);
  const count = sizeOrUnknown(e, expr.range);
  setResultSize(e, expr, count);
  return plus(plus(before, result), times(count, turn));
}

/** Whether it only gives a name to a value, and is not a loop. */
function isBinding({ range, condition }: FoldExpr): boolean {
  return (
    range.kind === 'list' && range.elements.length === 0 && condition.kind === 'literal' && condition.value === false
  );
}

function pushVariables(e: Estimator, { range, variable, second }: FoldExpr): void {
  const entries = entriesOf(e, range);
  const isList = entries?.isList ?? e.checked.typeOf(range).kind === 'list';
  const path = pathOf(e, range);
  const values = { path: [...path, isList ? '@items' : '@values'], size: entries?.values, entries: undefined };
  const keys = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.keys, entries: undefined };
  if (second === undefined) {
    push(e, variable, isList ? values : keys);
    return;
  }
  push(e, variable, keys);
  push(e, second, values);
}

function setResultSize(e: Estimator, expr: FoldExpr, count: Range): void {
  if (expr.init.kind === 'literal') {
    const size = sizeOfExpr(e, expr.init);
    if (size !== undefined) e.sizes.set(expr, size);
  } else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
    e.sizes.set(expr, count);
    const entries = entriesOf(e, expr.step);
    if (entries !== undefined) e.entries.set(expr, entries);
  }
}

function entriesOf(e: Estimator, expr: Expr): Entries | undefined {
  const own = e.entries.get(expr);
  return own ?? (expr.kind === 'ident' ? localOf(e, expr.name)?.entries : undefined);
}

function sizeOrUnknown(e: Estimator, expr: Expr): Range {
  return sizeOfExpr(e, expr) ?? UNKNOWN;
}

function sizeOfExpr(e: Estimator, expr: Expr): Range | undefined {
  const known =
    e.sizes.get(expr) ?? literalSize(expr) ?? shapeSize(e, pathOf(e, expr)) ?? typeSize(e.checked.typeOf(expr));
  return known ?? (expr.kind === 'ident' ? localOf(e, expr.name)?.size : undefined);
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return exactly(expr.elements.length);
  if (expr.kind === 'map') return exactly(expr.entries.length);
  if (expr.kind !== 'literal') return undefined;
  return exactly(typeof expr.value === 'string' ? characters(expr.value) : (sizeOf(expr.value) ?? 1));
}

const SCALARS = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function typeSize(type: CelType): Range | undefined {
  const inner = inOptional(type);
  if (inner !== undefined) return typeSize(inner);
  return SCALARS.has(type.kind) ? ONE : undefined;
}

/** The size of the part of the object that the path leads to. */
function shapeSize(e: Estimator, path: Path): Range | undefined {
  if (path.length === 0) return undefined;
  let shape: Shape | undefined = e.shape;
  for (const name of path.slice(1)) {
    if (name === '@items' || name === '@values') shape = shape.element;
    else if (name === '@keys') return shape.kind === 'map' ? { min: 0, max: 0 } : undefined;
    else shape = shape.fields?.get(name);
    if (shape === undefined) return undefined;
  }
  return { min: 0, max: shape.max };
}

function operandOf(e: Estimator, expr: Expr): Operand {
  const path = pathOf(e, expr);
  return {
    size: sizeOrUnknown(e, expr),
    type: e.checked.typeOf(expr),
    literal: expr.kind === 'literal' ? expr.value : undefined,
    elements: () => (path.length === 0 ? UNKNOWN : (shapeSize(e, [...path, '@items']) ?? UNKNOWN)),
  };
}
