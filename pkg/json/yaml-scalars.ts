import { badRequest } from '../status/errors.js';

/** A JSON value that is no object and no array. */
export type Scalar = string | number | boolean | null;

const CORE = 'tag:yaml.org,2002:';

const NULL = /^(?:~|null|Null|NULL)?$/;
const TRUE = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const INTEGERS = [
  [/^([-+]?)0b([01_]+)$/, 2],
  [/^([-+]?)0([0-7_]+)$/, 8],
  [/^([-+]?)([0-9][0-9_]*)$/, 10],
  [/^([-+]?)0x([0-9a-fA-F_]+)$/, 16],
] as const;
const FLOAT = /^[-+]?(?:[0-9][0-9_]*\.?|\.(?=[0-9_]))[0-9_]*(?:[eE][-+]?[0-9]+)?$/;
/** What YAML writes for numbers that are not finite. */
export const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * The value of a plain scalar by the rules of YAML 1.1. It may be NaN or infinite. Dates and base-60 numbers are texts: as a number, `12:30` would be
 * 750.
 */
export function plainValue(text: string): Scalar {
  return wellKnown(text) ?? numberOf(text) ?? (NULL.test(text) ? null : text);
}

/** The value of a scalar with a tag such as `!!int`. Throws 400 for tags without a JSON form. Tags of applications are ignored. */
export function taggedValue(text: string, tag: string): Scalar {
  const name = coreName(tag);
  if (name === undefined || name === 'str') return text;
  const value = plainValue(text);
  if (TYPES[name]?.(value) === true) return value;
  const shown = JSON.stringify(text.slice(0, 100));
  throw badRequest(`the body is not valid YAML: ${shown} cannot be read as !!${name.slice(0, 100)}`);
}

const TYPES: Readonly<Record<string, (value: Scalar) => boolean>> = {
  null: (value) => value === null,
  bool: (value) => typeof value === 'boolean',
  int: (value) => Number.isInteger(value),
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
  for (const [pattern, radix] of INTEGERS) {
    const [, sign, found] = pattern.exec(text) ?? [];
    if (found === undefined) continue;
    return (sign === '-' ? -1 : 1) * Number.parseInt(digits(found), radix);
  }
  if (NOT_FINITE.test(text)) return /nan/i.test(text) ? Number.NaN : Number.POSITIVE_INFINITY;
  return FLOAT.test(text) ? Number.parseFloat(digits(text)) : undefined;
}

const digits = (text: string): string => text.replaceAll('_', '');
