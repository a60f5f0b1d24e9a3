import { ESCAPED } from '../../structural/escapes.js';
import { listOf, valuesOf } from '../values/list.js';
import { type Meter, work, workOnText } from '../values/meter.js';
import { typeNameOf, valueText } from '../values/type-name.js';
import { CelError, List, NO_OVERLOAD, type Value } from '../values/value.js';
import { define, type FunctionDef, type Implementation } from './declare.js';
import { formatText } from './format.js';
import { characters, unitOf } from './sizes.js';

function overloadError(name: string, args: readonly Value[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

/** A function of a text and other values of the types. Those at the end may be left out. */
function onText(
  name: string,
  types: readonly string[],
  call: (text: string, args: readonly Value[], meter: Meter) => Value,
): Implementation {
  return (args, meter) => {
    const [text, ...rest] = args;
    const isFine = typeof text === 'string' && rest.every((arg, i) => typeNameOf(arg) === types[i]);
    return isFine ? call(text, rest, meter) : overloadError(name, args);
  };
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function charAt(text: string, index: bigint, meter: Meter): Value {
  const count = characters(text, meter);
  if (index < 0n || index > count) return outOfRange(index);
  const code = text.codePointAt(unitOf(text, Number(index), meter));
  return code === undefined ? '' : String.fromCodePoint(code);
}

function substring(text: string, start: bigint, end: bigint | undefined, meter: Meter): Value {
  const count = characters(text, meter);
  if (end !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > count) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > count)) return outOfRange(end);
  const last = end === undefined ? text.length : unitOf(text, Number(end), meter);
  return text.slice(unitOf(text, Number(start), meter), last);
}

function replace(text: string, [old, to, limit]: readonly Value[], meter: Meter): Value {
  const count = typeof limit === 'bigint' && limit >= 0n ? Number(limit) : Number.MAX_SAFE_INTEGER;
  const from = String(old);
  const next = String(to);
  const parts = from === '' ? ['', ...charactersOf(text, meter)] : partsOf(text, from, meter);
  if (from === '') parts.push('');
  const cuts = Math.min(count, parts.length - 1);
  work(meter, (text.length + cuts * next.length) / 10);
  const head = parts.slice(0, cuts + 1).join(next);
  return [head, ...parts.slice(cuts + 1)].join(from);
}

/** Steps that one part of a divided text takes. */
const PART = 0.5;

function partsOf(text: string, separator: string, meter: Meter): string[] {
  const most = Math.max(1, Math.floor((meter.mostWork - meter.work) / PART)) + 1;
  const parts = text.split(separator, Math.min(most, 2 ** 32 - 1));
  work(meter, parts.length * PART);
  return parts;
}

function charactersOf(text: string, meter: Meter): string[] {
  const count = characters(text, meter);
  work(meter, count * PART);
  return count === text.length ? text.split('') : [...text];
}

/** As Go's strings.SplitN. */
function split(text: string, separator: string, limit: bigint, meter: Meter): Value {
  if (limit === 0n) return listOf([]);
  const parts = separator === '' ? charactersOf(text, meter) : partsOf(text, separator, meter);
  if (limit < 0n || parts.length <= limit) return listOf(parts);
  const count = Number(limit);
  return listOf([...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)]);
}

function join(list: Value, separator: Value, meter: Meter): Value {
  if (!(list instanceof List)) return overloadError('join', [list]);
  if (typeof separator !== 'string') return overloadError('join', [list, separator]);
  work(meter, list.size);
  const values = valuesOf(list);
  const wrong = values.find((value) => typeof value !== 'string');
  for (const value of values) if (typeof value === 'string') workOnText(meter, value.length + separator.length);
  return wrong === undefined ? values.join(separator) : new CelError(`join: invalid input: ${valueText(wrong)}`);
}

/** What is written in another way between quotes: what has an escape, and halves of characters. */
const QUOTED = new RegExp(
  `[${[...ESCAPED.keys()].map((c) => `\\u{${c.charCodeAt(0).toString(16)}}`).join('')}\\p{Surrogate}]`,
  'gu',
);

function quote(text: string): string {
  return `"${text.replace(QUOTED, (c) => ESCAPED.get(c) ?? '\ufffd')}"`;
}

const lower = (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase());

/** What Go's unicode.IsSpace knows. */
const SPACE = new Set(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.has(text[start] ?? '')) start++;
  while (end > start && SPACE.has(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}

function search(name: string, id: string, found: (text: string, part: string) => boolean): FunctionDef {
  return define(name, [`${id}: string.(string) -> bool`], ([text = null, part = null]) =>
    typeof text === 'string' && typeof part === 'string' ? found(text, part) : NO_OVERLOAD,
  );
}

const text = (name: string, id: string, change: (text: string) => string) =>
  define(name, [`${id}: string.() -> string`], onText(name, [], change));

export const STRINGS: readonly FunctionDef[] = [
  search('contains', 'contains_string', (value, part) => value.includes(part)),
  search('startsWith', 'starts_with_string', (value, part) => value.startsWith(part)),
  search('endsWith', 'ends_with_string', (value, part) => value.endsWith(part)),
  define(
    'charAt',
    ['string_char_at_int: string.(int) -> string'],
    onText('charAt', ['int'], (value, [index], meter) => charAt(value, index as bigint, meter)),
  ),
  text('lowerAscii', 'string_lower_ascii', lower),
  text('upperAscii', 'string_upper_ascii', upper),
  text('trim', 'string_trim', trimmed),
  define(
    'replace',
    [
      'string_replace_string_string: string.(string, string) -> string',
      'string_replace_string_string_int: string.(string, string, int) -> string',
    ],
    onText('replace', ['string', 'string', 'int'], replace),
  ),
  define(
    'split',
    [
      'string_split_string: string.(string) -> list(string)',
      'string_split_string_int: string.(string, int) -> list(string)',
    ],
    onText('split', ['string', 'int'], (value, [separator, limit = -1n], meter) =>
      split(value, String(separator), limit as bigint, meter),
    ),
  ),
  define(
    'substring',
    ['string_substring_int: string.(int) -> string', 'string_substring_int_int: string.(int, int) -> string'],
    onText('substring', ['int', 'int'], (value, [start, end], meter) =>
      substring(value, start as bigint, end as bigint | undefined, meter),
    ),
  ),
  define(
    'join',
    ['list_join: list(string).() -> string', 'list_join_string: list(string).(string) -> string'],
    ([list = null, separator = ''], meter) => join(list, separator, meter),
  ),
  define('strings.quote', ['strings_quote: (string) -> string'], onText('strings.quote', [], quote)),
  define('format', ['string_format: string.(list(dyn)) -> string'], ([value = null, args = null], meter) =>
    typeof value === 'string' && args instanceof List
      ? formatText(value, args, meter)
      : overloadError('format', [value, args]),
  ),
];
