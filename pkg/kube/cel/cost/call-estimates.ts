import type { LiteralExpr } from '../syntax/ast.js';
import type { CelType } from '../types/type.js';
import { exactly, ONE, plus, type Range, scaled, times, UNKNOWN } from './range.js';

/** A value that a function gets. */
export interface Operand {
  readonly size: Range;
  readonly type: CelType;
  readonly literal?: LiteralExpr['value'] | undefined;
  /** The size of the elements of a list that is a part of the object. */
  readonly elements: () => Range;
}

export interface CallEstimate {
  readonly cost: Range;
  /** Of the result. */
  readonly size?: Range | undefined;
}

/** `target` is undefined for a function that is not a method. */
export type CallEstimator = (
  target: Operand | undefined,
  args: readonly Operand[],
  overload: string,
) => CallEstimate | undefined;

const PER_CHARACTER = 0.1;
const PER_PATTERN_CHARACTER = 0.25;
const FORMAT_PATTERN = 128;
const LIST = 10;

const fixed: CallEstimator = () => ({ cost: ONE });
const scanOf = (operand: Operand | undefined, factor = 1) => scaled(operand?.size ?? UNKNOWN, factor * PER_CHARACTER);
const scanArg: CallEstimator = (_, [a]) => ({ cost: scanOf(a) });
const scanTarget: CallEstimator = (target) =>
  target === undefined ? undefined : { cost: scanOf(target), size: target.size };

/** One comparison for each element. It costs more if texts are longer. */
const traversal: CallEstimator = (target) => {
  if (target === undefined) return undefined;
  const [element] = target.type.params;
  if (element === undefined) return { cost: scanOf(target) };
  const isText = element.kind === 'string' || element.kind === 'bytes';
  const cost = isText ? plus(ONE, scaled(target.elements(), PER_CHARACTER)) : ONE;
  return { cost: times(target.size, cost) };
};

const pattern: CallEstimator = (target, [source]) => {
  if (target === undefined || source === undefined) return undefined;
  const cost = times(scaled(plus(target.size, ONE), PER_CHARACTER), scaled(source.size, PER_PATTERN_CHARACTER));
  return { cost, size: { min: 0, max: target.size.max } };
};

const replace: CallEstimator = (target, [old, to]) => {
  if (target === undefined || old === undefined || to === undefined) return undefined;
  const { size } = target;
  const most = old.size.min === 0 ? size.max + 1 : to.size.max <= old.size.min ? 0 : Math.ceil(size.max / old.size.min);
  const least =
    old.size.max === 0 ? size.min + 1 : old.size.max <= to.size.min ? 0 : Math.ceil(size.min / old.size.max);
  const keptMost = old.size.min === 0 || to.size.max <= old.size.min ? size.max : 0;
  const keptLeast = old.size.max === 0 || old.size.max <= to.size.min ? size.min : 0;
  const result = plus(times({ min: least, max: most }, to.size), { min: keptLeast, max: keptMost });
  return { cost: scanOf(target, 2), size: result };
};

const split: CallEstimator = (target, [, limit]) => {
  if (target === undefined) return undefined;
  const max = typeof limit?.literal === 'bigint' ? Number(BigInt.asUintN(64, limit.literal)) : target.size.max;
  return { cost: scanOf(target, 2), size: { min: 0, max } };
};

const join: CallEstimator = (target, [separator]) => {
  if (target === undefined) return undefined;
  const list = target.size;
  const texts = times(list, target.elements());
  const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const size = separator === undefined ? texts : plus(texts, times(separator.size, gaps));
  return { cost: scaled(size, PER_CHARACTER), size };
};

const address = { min: 4, max: 16 };

const containsIp: CallEstimator = (_, [other], overload) => {
  const both = scaled(plus(address, address), PER_CHARACTER);
  return { cost: overload === 'cidr_contains_ip_string' ? plus(both, scanOf(other)) : both };
};

const containsCidr: CallEstimator = (_, [other], overload) => {
  const both = plus(plus(scaled(plus(address, address), PER_CHARACTER), scaled(address, PER_CHARACTER)), ONE);
  return { cost: overload === 'cidr_contains_cidr_string' ? plus(both, scanOf(other)) : both };
};

const FIXED_EQUALITY = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);

const equality: CallEstimator = (_, [a, b]) => {
  if (a === undefined || b === undefined) return undefined;
  if (a.type.name === b.type.name) {
    if (FIXED_EQUALITY.has(a.type.name)) return { cost: ONE };
    if (a.type.name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1, max: 64 }, PER_CHARACTER) };
    if (a.type.name === 'kubernetes.URL')
      return { cost: scaled({ min: 1, max: Math.max(1, b.size.max === UNKNOWN.max ? 1 : b.size.max) }, PER_CHARACTER) };
  }
  return smaller(a, b);
};

function smaller(a: Operand, b: Operand): CallEstimate {
  const max = Math.min(a.size.max, b.size.max);
  return { cost: scaled({ min: max > 0 ? 1 : 0, max }, PER_CHARACTER) };
}

const comparison: CallEstimator = (_, [a, b]) => (a === undefined || b === undefined ? undefined : smaller(a, b));

const joined: CallEstimator = (_, [a, b], overload) => {
  if (a === undefined || b === undefined) return undefined;
  const size = plus(a.size, b.size);
  return { cost: overload === 'add_list' ? ONE : scaled(size, PER_CHARACTER), size };
};

/** The cost of making a list, and its elements. */
function listCall(factor: number, size: Range): CallEstimate {
  return { cost: plus(plus(scaled(size, factor), ONE), exactly(LIST)), size };
}

const literalSize = (operand: Operand | undefined, otherwise: number) =>
  typeof operand?.literal === 'bigint' ? Math.max(0, Number(operand.literal)) : otherwise;

const squared = (size: Range, isText: boolean) => listCall(isText ? 2 + PER_CHARACTER : 2, times(size, size));

const sets =
  (factor: number): CallEstimator =>
  (_, [a, b]) => ({ cost: plus(scaled(times(a?.size ?? UNKNOWN, b?.size ?? UNKNOWN), factor), ONE) });

const BY_OVERLOAD: Readonly<Record<string, CallEstimator>> = {
  list_sets_contains_list: sets(1),
  list_sets_intersects_list: sets(1),
  list_sets_equivalent_list: sets(2),
  list_slice: (target, [start, end]) =>
    listCall(1, exactly(Math.max(0, literalSize(end, target?.size.max ?? UNKNOWN.max) - literalSize(start, 0)))),
  lists_range: (_, [n]) => listCall(1, exactly(literalSize(n, UNKNOWN.max))),
  list_reverse: (target) => listCall(1, target?.size ?? UNKNOWN),
  list_flatten: (target) => listCall(1, target?.size ?? UNKNOWN),
  list_flatten_int: (target, [depth]) => listCall(literalSize(depth, UNKNOWN.max), target?.size ?? UNKNOWN),
  list_distinct: (target) => squared(target?.size ?? UNKNOWN, false),
  string_format: (target) => ({ cost: scanOf(target) }),
  string_to_bytes: (_, [a]) => ({
    cost: scanOf(a),
    size: { min: a?.size.min ?? 0, max: (a?.size.max ?? UNKNOWN.max) * 4 },
  }),
  bytes_to_string: (_, [a]) => ({
    cost: scanOf(a),
    size: { min: Math.floor((a?.size.min ?? 0) / 4), max: a?.size.max ?? UNKNOWN.max },
  }),
  strings_quote: (_, [a]) => ({
    cost: scanOf(a),
    size: { min: (a?.size.min ?? 0) + 2, max: (a?.size.max ?? UNKNOWN.max) * 2 + 2 },
  }),
  starts_with_string: scanArg,
  ends_with_string: scanArg,
  in_list: (_, [, list]) => ({ cost: list?.size ?? UNKNOWN }),
  matches_string: (target, args, overload) => withoutSize(pattern(target, args, overload)),
  matches: (_, [text, source], overload) => withoutSize(pattern(text, source === undefined ? [] : [source], overload)),
  contains_string: (target, [part]) => ({ cost: times(scanOf(target), scanOf(part)) }),
  add_string: joined,
  add_bytes: joined,
  add_list: joined,
  not_equals: comparison,
};

function withoutSize(estimate: CallEstimate | undefined): CallEstimate | undefined {
  return estimate === undefined ? undefined : { cost: estimate.cost };
}

function all(names: string, estimator: CallEstimator): Readonly<Record<string, CallEstimator>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, estimator]));
}

const BY_NAME: Readonly<Record<string, CallEstimator>> = {
  ...all('isSorted sum max min indexOf lastIndexOf', traversal),
  url: (_, [a]) => ({ cost: scanOf(a), size: a?.size }),
  ...all('lowerAscii upperAscii substring trim', scanTarget),
  replace,
  split,
  join,
  find: pattern,
  findAll: pattern,
  ...all('cidr isIP isCIDR quantity isQuantity semver isSemver', scanArg),
  ip: (target, args, overload) => (overload === 'cidr_ip' ? { cost: ONE } : scanArg(target, args, overload)),
  'ip.isCanonical': (_, [a]) => ({ cost: scanOf(a, 2) }),
  containsIP: containsIp,
  containsCIDR: containsCidr,
  validate: (_, [text]) => ({ cost: scaled(scanOf(text), FORMAT_PATTERN * PER_PATTERN_CHARACTER) }),
  '_==_': equality,
};

const COMPARED = /^(?:less|greater)(?:_equals)?_(?:string|bytes)$/;

/** What a call costs beside its arguments, and how large its result is. */
export const estimateCall = (
  name: string,
  target: Operand | undefined,
  args: readonly Operand[],
  overload: string,
): CallEstimate => {
  if (/^list_\w+_sort$/.test(overload)) return squared(target?.size ?? UNKNOWN, isTextSort(overload));
  if (overload.endsWith('_sortByAssociatedKeys')) return squared(args[0]?.size ?? UNKNOWN, isTextSort(overload));
  const estimator =
    (Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined) ??
    (Object.hasOwn(BY_OVERLOAD, overload) ? BY_OVERLOAD[overload] : undefined) ??
    (COMPARED.test(overload) ? comparison : fixed);
  return estimator(target, args, overload) ?? { cost: ONE };
};

function isTextSort(overload: string): boolean {
  return /^list_(?:string|bytes)_/.test(overload);
}
