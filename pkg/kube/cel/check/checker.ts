import type { FunctionDef, Overload } from '../library/declare.js';
import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from '../syntax/ast.js';
import type { Problem } from '../syntax/source.js';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  inOptional,
  listType,
  mapType,
  NULL,
  optionalType,
  STRING,
  sameType,
  signatureText,
  typeText,
  UINT,
} from '../types/type.js';
import {
  areAssignable,
  freshType,
  isAssignable,
  isDynOrError,
  moreGeneral,
  newSubstitutions,
  renamed,
  type Substitutions,
  substituted,
} from '../types/unify.js';

/** What expressions may name. */
export interface Environment {
  readonly variables: ReadonlyMap<string, CelType>;
  /** Names of types, as `int`, and what they are: `type(int)`. */
  readonly types: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, FunctionDef>;
}

/** The function that a call names, and which of its overloads may be meant. */
export interface Resolution {
  readonly fn: FunctionDef;
  readonly overloads: readonly string[];
  /** The target is a part of the name of the function, as in `optional.of(x)`. */
  readonly isNamespaced: boolean;
}

/** An expression, and what is known of its parts. */
export interface Checked {
  readonly expr: Expr;
  readonly type: CelType;
  readonly problems: readonly Problem[];
  typeOf(e: Expr): CelType;
  readonly calls: ReadonlyMap<CallExpr, Resolution>;
  /** The names of types, as values. */
  readonly typeNames: ReadonlyMap<Expr, CelType>;
  /** The variables of the environment that the expression uses. */
  readonly used: ReadonlySet<string>;
}

interface Checker {
  readonly env: Environment;
  readonly types: Map<Expr, CelType>;
  readonly calls: Map<CallExpr, Resolution>;
  readonly typeNames: Map<Expr, CelType>;
  readonly used: Set<string>;
  readonly problems: Problem[];
  readonly s: Substitutions;
  /** The variables of the loops around. */
  readonly locals: Map<string, CelType>[];
}

/** Finds the types of an expression, and what does not fit together. */
export function check(expr: Expr, env: Environment): Checked {
  const c: Checker = {
    env,
    types: new Map(),
    calls: new Map(),
    typeNames: new Map(),
    used: new Set(),
    problems: [],
    s: newSubstitutions(),
    locals: [],
  };
  checkExpr(c, expr);
  const typeOf = (e: Expr) => substituted(c.s, typeSoFar(c, e), true);
  return {
    expr,
    type: typeOf(expr),
    problems: c.problems,
    typeOf,
    calls: c.calls,
    typeNames: c.typeNames,
    used: c.used,
  };
}

function typeSoFar(c: Checker, e: Expr): CelType {
  return c.types.get(e) ?? ERROR;
}

function report(c: Checker, at: number, message: string): CelType {
  c.problems.push({ at, message });
  return ERROR;
}

function checkExpr(c: Checker, e: Expr): CelType {
  const type = typeOfExpr(c, e);
  c.types.set(e, type);
  return type;
}

function typeOfExpr(c: Checker, e: Expr): CelType {
  switch (e.kind) {
    case 'literal':
      return literalType(e.value);
    case 'ident':
      return identType(c, e.name, e) ?? undeclared(c, e.at, e.name);
    case 'select':
      return selectType(c, e);
    case 'call':
      return callType(c, e);
    case 'list':
      return createdList(c, e);
    case 'map':
      return createdMap(c, e);
    case 'fold':
      return foldType(c, e);
    case 'struct':
      return undeclared(c, e.at, e.name);
  }
}

function undeclared(c: Checker, at: number, name: string): CelType {
  return report(c, at, `undeclared reference to '${name}' (in container '')`);
}

function literalType(value: unknown): CelType {
  if (value === null) return NULL;
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'bigint') return INT;
  if (typeof value === 'number') return DOUBLE;
  if (typeof value === 'string') return STRING;
  return value instanceof Uint8Array ? BYTES : UINT;
}

function identType(c: Checker, name: string, e: Expr): CelType | undefined {
  for (let i = c.locals.length - 1; i >= 0; i--) {
    const local = c.locals[i]?.get(name);
    if (local !== undefined) return local;
  }
  const bare = name.startsWith('.') ? name.slice(1) : name;
  const variable = c.env.variables.get(bare);
  if (variable !== undefined) {
    c.used.add(bare);
    return variable;
  }
  const type = c.env.types.get(bare);
  if (type !== undefined) c.typeNames.set(e, type);
  return type;
}

/** `a.b.c` if the expression is only names. */
function qualifiedName(e: Expr): string | undefined {
  const names: string[] = [];
  let rest = e;
  for (; rest.kind === 'select' && !rest.test; rest = rest.operand) names.push(rest.field);
  return rest.kind === 'ident' ? [rest.name, ...names.reverse()].join('.') : undefined;
}

function selectType(c: Checker, e: SelectExpr): CelType {
  const name = e.test ? undefined : qualifiedName(e);
  const type = name === undefined ? undefined : c.env.types.get(name);
  if (type !== undefined) {
    c.typeNames.set(e, type);
    return type;
  }
  const result = fieldType(c, e.at, e.operand, e.field, false);
  return e.test ? BOOL : substituted(c.s, result, false);
}

function fieldType(c: Checker, at: number, operand: Expr, field: string, isOptional: boolean): CelType {
  const operandType = substituted(c.s, checkExpr(c, operand), false);
  const inner = inOptional(operandType);
  const result = memberType(c, at, inner ?? operandType, field);
  return isOptional || inner !== undefined ? optionalType(result) : result;
}

function memberType(c: Checker, at: number, target: CelType, field: string): CelType {
  if (target.kind === 'map') return target.params[1] as CelType;
  if (target.kind === 'struct') return target.fields?.get(field) ?? report(c, at, `undefined field '${field}'`);
  if (target.kind === 'param') {
    isAssignable(c.s, DYN, target);
    return DYN;
  }
  if (!isDynOrError(target)) report(c, at, `type '${typeText(target)}' does not support field selection`);
  return DYN;
}

function callType(c: Checker, e: CallExpr): CelType {
  if (e.name === '_?._') {
    const [operand, field] = e.args as readonly [Expr, Expr];
    const name = field.kind === 'literal' ? String(field.value) : '';
    c.types.set(field, STRING);
    const type = substituted(c.s, fieldType(c, e.at, operand, name, true), false);
    const fn = c.env.functions.get(e.name);
    if (fn !== undefined) c.calls.set(e, { fn, overloads: ['select_optional_field'], isNamespaced: false });
    return type;
  }
  for (const arg of e.args) checkExpr(c, arg);
  if (e.target === undefined) {
    const fn = c.env.functions.get(e.name.startsWith('.') ? e.name.slice(1) : e.name);
    return fn === undefined ? undeclared(c, e.at, e.name) : resolve(c, e, fn, false);
  }
  const prefix = qualifiedName(e.target);
  const namespaced = prefix === undefined ? undefined : c.env.functions.get(`${prefix}.${e.name}`);
  if (namespaced !== undefined) return resolve(c, e, namespaced, true);
  checkExpr(c, e.target);
  const fn = c.env.functions.get(e.name);
  return fn === undefined ? undeclared(c, e.at, e.name) : resolve(c, e, fn, false);
}

function resolve(c: Checker, e: CallExpr, fn: FunctionDef, isNamespaced: boolean): CelType {
  const target = isNamespaced ? undefined : e.target;
  const exprs = target === undefined ? e.args : [target, ...e.args];
  const args = exprs.map((arg) => typeSoFar(c, arg));
  if (fn.name === '_&&_' || fn.name === '_||_') return logicType(c, e, fn, args);
  let result: CelType | undefined;
  const overloads: string[] = [];
  for (const overload of fn.overloads) {
    if (overload.isMethod !== (target !== undefined)) continue;
    const matched = match(c, overload, args);
    if (matched === undefined) continue;
    overloads.push(overload.id);
    if (result === undefined) result = matched;
    else if (result.kind !== 'dyn' && !sameType(matched, result)) result = DYN;
  }
  if (result === undefined) {
    const texts = args.map((arg) => substituted(c.s, arg, true));
    const signature = signatureText(texts, target !== undefined);
    return report(c, e.at, `found no matching overload for '${fn.name}' applied to '${signature}'`);
  }
  c.calls.set(e, { fn, overloads, isNamespaced });
  return result;
}

/** The result of the overload, if the arguments fit. */
function match(c: Checker, overload: Overload, args: readonly CelType[]): CelType | undefined {
  const names = new Map(overload.params.map((name) => [name, freshType(c.s)]));
  const wanted = overload.args.map((arg) => renamed(arg, names));
  if (!areAssignable(c.s, args, wanted)) return undefined;
  return substituted(c.s, renamed(overload.result, names), false);
}

function logicType(c: Checker, e: CallExpr, fn: FunctionDef, args: readonly CelType[]): CelType {
  let isFine = true;
  for (const [i, arg] of args.entries()) {
    if (isAssignable(c.s, arg, BOOL)) continue;
    isFine = false;
    mismatch(c, e.args[i] as Expr, BOOL, arg);
  }
  c.calls.set(e, { fn, overloads: [fn.overloads[0]?.id ?? ''], isNamespaced: false });
  return isFine ? BOOL : ERROR;
}

function mismatch(c: Checker, e: Expr, expected: CelType, actual: CelType): CelType {
  return report(c, e.at, `expected type '${typeText(expected)}' but found '${typeText(actual)}'`);
}

function createdList(c: Checker, e: ListExpr): CelType {
  let joined: CelType | undefined;
  for (const [i, element] of e.elements.entries()) {
    const type = checkExpr(c, element);
    joined = join(c, joined, e.optional[i] === true ? unwrapped(c, element, type) : type);
  }
  return listType(joined ?? freshType(c.s));
}

/** The type of `?e`, which must be optional. */
function unwrapped(c: Checker, e: Expr, type: CelType): CelType {
  const inner = inOptional(type);
  if (inner === undefined && type.kind !== 'dyn') mismatch(c, e, optionalType(type), type);
  return inner ?? type;
}

/**
 * A literal with elements of several types has elements of any type. `literalProblems` refuses it where it is not
 * allowed.
 */
function join(c: Checker, previous: CelType | undefined, current: CelType): CelType {
  if (previous === undefined) return current;
  if (isAssignable(c.s, previous, current)) return moreGeneral(previous, current);
  return DYN;
}

function createdMap(c: Checker, e: MapExpr): CelType {
  let keys: CelType | undefined;
  let values: CelType | undefined;
  for (const { key, value, optional } of e.entries) {
    keys = join(c, keys, checkExpr(c, key));
    const type = checkExpr(c, value);
    values = join(c, values, optional ? unwrapped(c, value, type) : type);
  }
  return mapType(keys ?? freshType(c.s), values ?? freshType(c.s));
}

function foldType(c: Checker, e: FoldExpr): CelType {
  checkExpr(c, e.range);
  const accumulated = checkExpr(c, e.init);
  const range = substituted(c.s, typeSoFar(c, e.range), false);
  const [first, second] = loopTypes(c, e, range);
  c.locals.push(new Map([[e.accumulator, accumulated]]));
  const variables: [string, CelType][] = [[e.variable, first]];
  if (e.second !== undefined) variables.push([e.second, second]);
  c.locals.push(new Map(variables));
  assertType(c, e.condition, BOOL);
  assertType(c, e.step, accumulated);
  c.locals.pop();
  const result = checkExpr(c, e.result);
  c.locals.pop();
  return substituted(c.s, result, false);
}

function assertType(c: Checker, e: Expr, type: CelType): void {
  const actual = checkExpr(c, e);
  if (!isAssignable(c.s, type, actual)) mismatch(c, e, type, actual);
}

/** The types of the variables of a loop. */
function loopTypes(c: Checker, e: FoldExpr, range: CelType): readonly [CelType, CelType] {
  const isPair = e.second !== undefined;
  const [a = DYN, b = DYN] = range.params;
  if (range.kind === 'list') return isPair ? [INT, a] : [a, a];
  if (range.kind === 'map') return [a, b];
  if (range.kind === 'param' || isDynOrError(range)) {
    isAssignable(c.s, DYN, range);
    return [DYN, DYN];
  }
  const message = `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
  report(c, e.range.at, message);
  return [ERROR, ERROR];
}
