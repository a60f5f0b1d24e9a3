import { clausesOf, FormatProblem, typeProblem } from '../library/format-clauses.js';
import { compilePattern } from '../library/regex.js';
import { type CallExpr, children, type Expr, type ListExpr } from '../syntax/ast.js';
import type { Problem } from '../syntax/source.js';
import { type CelType, inOptional, sameType, typeText } from '../types/type.js';
import { parseDuration, parseTimestamp } from '../values/time.js';
import { Timestamp } from '../values/value.js';
import type { Checked } from './checker.js';

/** Literals that cannot be values: times, durations, patterns and formats. */
export function literalProblems(checked: Checked): readonly Problem[] {
  const calls: CallExpr[] = [];
  collect(checked.expr, calls);
  return [
    ...calls.flatMap((call) => literalArgument(call, 'duration', (text) => parseDuration(text) !== undefined)),
    ...calls.flatMap((call) => literalArgument(call, 'timestamp', (text) => parseTimestamp(text) instanceof Timestamp)),
    ...calls.flatMap((call) => literalArgument(call, 'matches', isPattern)),
    ...mixedLiterals(checked, checked.expr),
    ...calls.flatMap((call) => formatProblems(checked, call)),
  ];
}

/** Lists and maps with elements of several types. Only the values of a format may differ. */
function mixedLiterals(checked: Checked, e: Expr): readonly Problem[] {
  if (e.kind === 'call' && e.name === 'format') return e.target === undefined ? [] : mixedLiterals(checked, e.target);
  const below = children(e).flatMap((child) => mixedLiterals(checked, child));
  if (e.kind === 'list') return [...below, ...mixed(checked, e.elements, e.optional).slice(0, 1)];
  if (e.kind !== 'map') return below;
  const optional = e.entries.map((entry) => entry.optional);
  const keys = e.entries.map(({ key }) => key);
  const values = e.entries.map(({ value }) => value);
  return [...below, ...mixed(checked, keys, []), ...mixed(checked, values, optional)];
}

/** The parts whose type is not that of the first. */
function mixed(checked: Checked, parts: readonly Expr[], optional: readonly boolean[]): readonly Problem[] {
  const types = parts.map((part, i) => {
    const type = checked.typeOf(part);
    return optional[i] === true ? (inOptional(type) ?? type) : type;
  });
  const [first] = types;
  return parts.flatMap((part, i) => {
    const type = types[i];
    if (first === undefined || type === undefined || sameType(first, type)) return [];
    return [{ at: part.at, message: `expected type '${typeText(first)}' but found '${typeText(type)}'` }];
  });
}

function collect(e: Expr, into: CallExpr[]): void {
  if (e.kind === 'call') into.push(e);
  for (const child of children(e)) collect(child, into);
}

function literalArgument(call: CallExpr, name: string, isFine: (text: string) => boolean): readonly Problem[] {
  const [arg] = call.args;
  if (call.name !== name || arg?.kind !== 'literal' || typeof arg.value !== 'string' || isFine(arg.value)) return [];
  return [{ at: arg.at, message: `invalid ${name} argument` }];
}

function isPattern(source: string): boolean {
  try {
    compilePattern(source);
    return true;
  } catch {
    return false;
  }
}

function formatProblems(checked: Checked, call: CallExpr): readonly Problem[] {
  const { target, args, at } = call;
  const [list] = args;
  if (call.name !== 'format' || target?.kind !== 'literal' || typeof target.value !== 'string') return [];
  if (list?.kind !== 'list' || args.length !== 1) return [];
  try {
    return clauseProblems(checked, target.value, list, at);
  } catch (error) {
    if (!(error instanceof FormatProblem)) throw error;
    return [{ at, message: error.message }];
  }
}

function clauseProblems(checked: Checked, format: string, list: ListExpr, at: number): readonly Problem[] {
  const verbs = clausesOf(format, list.elements.length).flatMap((clause) => ('verb' in clause ? [clause.verb] : []));
  for (const [i, verb] of verbs.entries()) {
    const element = list.elements[i] as Expr;
    const wrong = wrongPart(checked, verb, element);
    if (wrong !== undefined)
      return [{ at: wrong.at, message: typeProblem(verb, typeName(checked.typeOf(wrong))).message }];
  }
  const seen = verbs.length;
  if (list.elements.length <= seen) return [];
  const got = list.elements.length;
  return [{ at, message: `too many arguments supplied to string.format (expected ${seen}, got ${got})` }];
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
};

/** The part that the verb cannot print. */
function wrongPart(checked: Checked, verb: string, e: Expr): Expr | undefined {
  const { kind } = checked.typeOf(e);
  if (kind !== 'dyn' && ALLOWED[verb]?.includes(kind) !== true) return e;
  if (verb !== 's' || (e.kind !== 'list' && e.kind !== 'map')) return undefined;
  for (const child of children(e)) {
    const wrong = wrongPart(checked, verb, child);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function typeName({ kind, name }: CelType): string {
  if (kind === 'timestamp') return 'google.protobuf.Timestamp';
  if (kind === 'duration') return 'google.protobuf.Duration';
  return kind === 'null' ? 'null_type' : name;
}
