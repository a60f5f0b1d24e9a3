import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  NULL,
  opaqueType,
  optionalType,
  paramType,
  STRING,
  structType,
  TIMESTAMP,
  typeType,
  UINT,
} from '../types/type.js';
import type { Meter } from '../values/meter.js';
import type { Value } from '../values/value.js';

/** One way to call a function. */
export interface Overload {
  /** The id in cel-go. Costs depend on it. */
  readonly id: string;
  readonly isMethod: boolean;
  /** The target is the first. */
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Names of the type parameters in `args` and `result`. */
  readonly params: readonly string[];
}

/**
 * Computes the result of a function, in time that its cost allows. Values are not errors, but may be of any type.
 * `overload` is given if only one is possible.
 */
export type Implementation = (args: readonly Value[], meter: Meter, overload?: string) => Value;

export interface FunctionDef {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly call: Implementation;
}

/**
 * A function with its overloads: `id: (string, int) -> bool`, or `id: string.(int) -> bool` for a method. Types are
 * those of CEL, and capital letters are type parameters.
 */
export function define(name: string, overloads: readonly string[], call: Implementation): FunctionDef {
  return { name, overloads: overloads.map(overload), call };
}

function overload(text: string): Overload {
  const colon = text.indexOf(': ');
  const arrow = text.lastIndexOf(' -> ');
  const signature = text.slice(colon + 2, arrow);
  const isMethod = !signature.startsWith('(');
  const open = isMethod ? signature.indexOf('.(') + 1 : 0;
  const list = signature.slice(open + 1, -1);
  const target = isMethod ? [parseType(signature.slice(0, open - 1))] : [];
  const args = [...target, ...(list === '' ? [] : splitTypes(list).map(parseType))];
  const result = parseType(text.slice(arrow + 4));
  const params = [...new Set([...args, result].flatMap(paramsOf))];
  return { id: text.slice(0, colon), isMethod, args, result, params };
}

function paramsOf(type: CelType): readonly string[] {
  return type.kind === 'param' ? [type.name] : type.params.flatMap(paramsOf);
}

export const URL_TYPE = structType('kubernetes.URL');
export const QUANTITY_TYPE = structType('kubernetes.Quantity');
export const FORMAT_TYPE = structType('kubernetes.NamedFormat');
export const SEMVER_TYPE = structType('kubernetes.Semver');
export const IP_TYPE = opaqueType('net.IP');
export const CIDR_TYPE = opaqueType('net.CIDR');

const NAMED: Readonly<Record<string, CelType>> = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  null: NULL,
  dyn: DYN,
  timestamp: TIMESTAMP,
  duration: DURATION,
  url: URL_TYPE,
  quantity: QUANTITY_TYPE,
  format: FORMAT_TYPE,
  semver: SEMVER_TYPE,
  ip: IP_TYPE,
  cidr: CIDR_TYPE,
};

function parseType(text: string): CelType {
  const open = text.indexOf('(');
  if (open < 0) return NAMED[text] ?? paramType(text);
  const params = splitTypes(text.slice(open + 1, -1)).map(parseType) as [CelType, CelType];
  switch (text.slice(0, open)) {
    case 'list':
      return listType(params[0]);
    case 'map':
      return mapType(...params);
    case 'type':
      return typeType(params[0]);
    default:
      return optionalType(params[0]);
  }
}

/** Splits at the commas that are not in parentheses. */
function splitTypes(text: string): readonly string[] {
  const results: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')') depth--;
    if (text[i] === ',' && depth === 0) {
      results.push(text.slice(start, i));
      start = i + 2;
    }
  }
  return [...results, text.slice(start)];
}
