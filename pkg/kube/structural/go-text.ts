import { integerOf } from '../json/exact.js';
import { ESCAPED } from './escapes.js';

/** Values as Go prints them. The messages of Kubernetes contain them. */

const PLAIN = /^[ !#-[\]-~]*$/;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** `%q` of a string. */
export function quoted(text: string): string {
  if (text.length < 1000 && PLAIN.test(text)) return `"${text}"`;
  let all = '"';
  for (const char of text) all += escaped(char);
  return `${all}"`;
}

/** What Go prints as it is: letters, marks, numbers, punctuation, symbols and the space. */
export function isPrintable(char: string): boolean {
  return PRINTABLE.test(char);
}

function escaped(char: string): string {
  const known = ESCAPED.get(char);
  if (known !== undefined) return known;
  if (isPrintable(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

const INT64_END = 2 ** 63;

/**
 * Whether Kubernetes reads this number of JSON as int64, and not as float64. It distinguishes 1.0 and 1. JavaScript
 * cannot: both are 1 here.
 */
export function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && value < INT64_END && value >= -INT64_END);
}

/** `%v` of a number that was read from JSON. */
export function printedNumber(value: number | bigint): string {
  return isInt64(value) ? integerOf(value).toString() : printedFloat(value);
}

/** `%v` of a float64: with an exponent from a million on, also if the number is an integer. */
export function printedFloat(number: number | bigint): string {
  const value = Number(number);
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** encoding/json of a map: members in the order of their names, and no characters that mean something in HTML. */
export function printedJson(value: unknown): string {
  return jsonOf(value, true);
}

/** encoding/json of a struct: the members in their order. */
export function printedStruct(value: unknown): string {
  return jsonOf(value, false);
}

function jsonOf(value: unknown, isMap: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => jsonOf(item, isMap)).join(',')}]`;
  if (typeof value === 'string') return jsonString(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = isMap ? Object.entries(value).sort(byName) : Object.entries(value);
  return `{${members.map(([name, member]) => `${jsonString(name)}:${jsonOf(member, isMap)}`).join(',')}}`;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return byBytes(a, b);
}

function jsonString(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${hex(char.charCodeAt(0), 4)}`);
}

/** `%v` of a value that was read from JSON. */
export function printedValue(value: unknown): string {
  if (typeof value === 'number') return printedNumber(value);
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(printedValue).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).sort(byName);
  return `map[${members.map(([name, member]) => `${name}:${printedValue(member)}`).join(' ')}]`;
}

/**
 * Go sorts the bytes of UTF-8, and JavaScript the units of UTF-16, where characters beyond U+FFFF come before those
 * from U+E000 on.
 */
export function byBytes(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
