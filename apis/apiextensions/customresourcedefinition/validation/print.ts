import { isNumber } from '../../../../pkg/kube/json/exact.js';

/**
 * Prints values as Kubernetes prints them in errors: as the JSON of its internal types. These have all members, with
 * other names than the API. Without empty members, two values are equal if their texts are.
 */

/** Longer texts are cut: a schema can have megabytes, and each error can quote it. */
const LONGEST = 32_768;

export interface Output {
  text: string;
  /** Characters. */
  readonly longest: number;
  /** Without members that are empty. */
  readonly isSparse: boolean;
}

export interface Shape {
  readonly print: (value: unknown, out: Output) => void;
  readonly isEmpty: (value: unknown) => boolean;
}

/** The name of the member in Kubernetes' type, that in the API, and its shape. */
export type Member = readonly [printed: string, name: string, shape: () => Shape];

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

export function printed(shape: Shape, value: unknown): string {
  const out: Output = { text: '', longest: LONGEST, isSparse: false };
  shape.print(value, out);
  return cut(out.text);
}

/** Equal values have equal texts. */
export function identity(shape: Shape, value: unknown): string {
  const out: Output = { text: '', longest: Number.POSITIVE_INFINITY, isSparse: true };
  shape.print(value, out);
  return out.text;
}

/** JSON as Go writes it: with sorted members, and escapes for the characters that HTML interprets. */
export function jsonText(value: unknown): string {
  return printed(json, value);
}

export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

function writeText(text: string, out: Output): void {
  const rest = out.longest - out.text.length;
  const part = text.length > rest ? text.slice(0, Math.max(0, rest + 1)) : text;
  out.text += JSON.stringify(part).replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char] ?? char);
}

const isFull = (out: Output): boolean => out.text.length > out.longest;

export const text: Shape = {
  print: (value, out) => writeText(typeof value === 'string' ? value : '', out),
  isEmpty: (value) => isAbsent(value) || value === '',
};

export const flag: Shape = {
  print: (value, out) => {
    out.text += value === true ? 'true' : 'false';
  },
  isEmpty: (value) => value !== true,
};

export const number: Shape = {
  print: (value, out) => {
    out.text += isNumber(value) ? String(value) : '0';
  },
  isEmpty: (value) => isAbsent(value) || value === 0,
};

export const json: Shape = { print: writeJson, isEmpty: isAbsent };

function writeJson(value: unknown, out: Output): void {
  if (isFull(out)) return;
  if (typeof value === 'string') writeText(value, out);
  else if (Array.isArray(value)) writeList(value, out, writeJson);
  else if (typeof value === 'object' && value !== null) writeMap(value, out, writeJson);
  else out.text += isAbsent(value) ? 'null' : String(value);
}

function writeList(values: readonly unknown[], out: Output, write: Shape['print']): void {
  let separator = '[';
  for (const value of values) {
    if (isFull(out)) return;
    out.text += separator;
    separator = ',';
    write(value, out);
  }
  out.text += separator === '[' ? '[]' : ']';
}

function writeMap(value: object, out: Output, write: Shape['print']): void {
  let separator = '{';
  for (const [key, member] of Object.entries(value).sort(byKey)) {
    if (isFull(out)) return;
    out.text += separator;
    separator = ',';
    writeText(key, out);
    out.text += ':';
    write(member, out);
  }
  out.text += separator === '{' ? '{}' : '}';
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A value that may be absent, and then is null. */
export function pointer(shape: Shape): Shape {
  return {
    print: (value, out) => {
      if (isAbsent(value)) out.text += 'null';
      else shape.print(value, out);
    },
    isEmpty: isAbsent,
  };
}

export function listOf(shape: Shape): Shape {
  return {
    print: (value, out) => {
      if (Array.isArray(value)) writeList(value, out, shape.print);
      else out.text += 'null';
    },
    isEmpty: (value) => !Array.isArray(value) || value.length === 0,
  };
}

export function mapOf(shape: () => Shape): Shape {
  return {
    print: (value, out) => {
      if (typeof value === 'object' && value !== null) writeMap(value, out, shape().print);
      else out.text += 'null';
    },
    isEmpty: (value) => typeof value !== 'object' || value === null || Object.keys(value).length === 0,
  };
}

/** The members of a value that are not empty, in the order of the type. */
function present(value: unknown, indexes: ReadonlyMap<string, number>, members: readonly Member[]): readonly Member[] {
  if (typeof value !== 'object' || value === null) return [];
  const found: number[] = [];
  for (const [name, member] of Object.entries(value)) {
    const index = indexes.get(name);
    const shape = index === undefined ? undefined : members[index]?.[2]();
    if (index !== undefined && shape?.isEmpty(member) === false) found.push(index);
  }
  return found.sort((a, b) => a - b).flatMap((index) => members.slice(index, index + 1));
}

export function struct(...members: readonly Member[]): Shape {
  const indexes = new Map(members.map(([, name], i) => [name, i]));
  const print: Shape['print'] = (value, out) => {
    let separator = '{';
    for (const [name, key, shape] of out.isSparse ? present(value, indexes, members) : members) {
      if (isFull(out)) return;
      const member = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
      out.text += `${separator}"${name}":`;
      separator = ',';
      shape().print(member, out);
    }
    out.text += separator === '{' ? '{}' : '}';
  };
  return { print, isEmpty: () => false };
}
