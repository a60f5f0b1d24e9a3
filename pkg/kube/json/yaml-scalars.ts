import { badRequest } from '../status/errors.js';

/** A JSON value that is no object and no array. */
export type Scalar = string | number | bigint | boolean | null;

const CORE = 'tag:yaml.org,2002:';

const NULL = /^(?:~|null|Null|NULL)?$/;
const TRUE = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
/** The forms of integers, without underscores. `0b-1` is what Go makes of it. */
const INTEGERS = [
  [/^([-+]?)(0|[1-9][0-9]*)$/, ''],
  [/^([-+]?)0o?([0-7]+)$/i, '0o'],
  [/^([-+]?)0x([0-9a-f]+)$/i, '0x'],
  [/^([-+]?)0b([01]+)$/i, '0b'],
  [/^0b([-+])([01]+)$/, '0b'],
] as const;
/** Digits of an integer that fits into 64 bits in any base. */
const MOST_DIGITS = 64;
const LEAST = -(2n ** 63n);
const LARGEST = 2n ** 64n - 1n;
const FLOAT = /^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/;
/** What YAML writes for numbers that are not finite. */
export const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * The value of a plain scalar, as the YAML library of Kubernetes' tools reads it: YAML 1.1, and octals as `0o17`. It
 * may be NaN or infinite. Dates and base-60 numbers are texts: as a number, `12:30` would be 750.
 */
export function plainValue(text: string): Scalar {
  return wellKnown(text) ?? numberOf(text) ?? (NULL.test(text) ? null : text);
}

/** A number of such a text in decimal digits, to see whether its value is exact. */
export function decimalOf(text: string): string {
  const plain = withoutUnderscores(text);
  return integerOf(plain)?.toString() ?? plain;
}

/**
 * The value of a scalar with a tag such as `!!int`. Throws 400 for tags without a JSON form. Tags of applications are
 * ignored.
 */
export function taggedValue(text: string, tag: string): Scalar {
  const name = coreName(tag);
  if (name === undefined || name === 'str') return text;
  const value = plainValue(text);
  if (TYPES[name]?.(value, text) === true) return value;
  const shown = JSON.stringify(text.slice(0, 100));
  throw badRequest(`the body is not valid YAML: ${shown} cannot be read as !!${name.slice(0, 100)}`);
}

const TYPES: Readonly<Record<string, (value: Scalar, text: string) => boolean>> = {
  null: (value) => value === null,
  bool: (value) => typeof value === 'boolean',
  int: (_, text) => integerOf(withoutUnderscores(text)) !== undefined,
  float: (value) => typeof value === 'number',
};

/** `int` for `!!int` and `!<tag:yaml.org,2002:int>`. */
function coreName(tag: string): string | undefined {
  if (tag.startsWith('!!')) return tag.slice(2);
  const verbatim = /^!<(.*)>$/.exec(tag)?.[1];
  return verbatim?.startsWith(CORE) === true ? verbatim.slice(CORE.length) : undefined;
}

function wellKnown(text: string): boolean | undefined {
  if (text.length > 5) return undefined;
  return TRUE.test(text) ? true : FALSE.test(text) ? false : undefined;
}

function numberOf(text: string): number | undefined {
  if (!/^[-+.0-9]/.test(text)) return undefined;
  if (NOT_FINITE.test(text)) return /nan/i.test(text) ? Number.NaN : Number.POSITIVE_INFINITY;
  const plain = withoutUnderscores(text);
  const integer = integerOf(plain);
  if (integer !== undefined) return integer === 0n && plain.startsWith('-') ? -0 : Number(integer);
  return FLOAT.test(plain) ? Number.parseFloat(plain) : undefined;
}

/** Undefined if the text is no integer, or if it does not fit into 64 bits. */
function integerOf(plain: string): bigint | undefined {
  if (plain.length > MOST_DIGITS + 3) return undefined;
  for (const [pattern, prefix] of INTEGERS) {
    const [, sign, found] = pattern.exec(plain) ?? [];
    if (found === undefined) continue;
    const value = BigInt(`${prefix}${found}`) * (sign === '-' ? -1n : 1n);
    return value < LEAST || value > LARGEST ? undefined : value;
  }
  return undefined;
}

/** A text that begins with a point keeps its underscores, and so is no number. */
const withoutUnderscores = (text: string): string => (text.startsWith('.') ? text : text.replaceAll('_', ''));
