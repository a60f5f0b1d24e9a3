import type { Steps } from '../../system/yielding/steps.js';
import type { Work } from '../../system/yielding/work.js';
import { canonicalJson } from '../json/canonical.js';
import { decodeJson } from '../json/decode.js';
import { compareNumbers, isNumber } from '../json/exact.js';
import { parseJson } from '../json/parse.js';
import { byBytes } from '../structural/go-text.js';

/** A problem with the value that a manager applies, or with the fields that a client says it manages. */
export class FieldsError extends Error {}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The path element of a member: `f:title`. */
export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The path element of an item in a set: `v:"a"`. */
export function valueElement(value: unknown): string {
  return `v:${goJson(value)}`;
}

/** The path element of an item in a map: `k:{"name":"a"}`. */
export function keyElement(keys: JsonObject): string {
  return `k:${goJson(keys)}`;
}

/** The same with one key, which most lists have. It makes no object of it, because lists are long. */
export function soleKeyElement(name: string, value: unknown): string {
  return `k:{${goJson(name)}:${goJson(value)}}`;
}

/** JSON as Go writes it: with sorted keys, and with `<`, `>` and `&` escaped. Equal values have equal text. */
export function goJson(value: unknown): string {
  return canonicalJson(value).replace(/[<>&\u2028\u2029]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The name of the member, if the element is one. */
export function memberName(element: string): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/** Whether the element is an item of a map. */
export function isKeyed(element: string): boolean {
  return element.startsWith('k:');
}

/** An element that a client sent, in the form in which it is stored. Throws FieldsError. */
export function normalized(element: string): string {
  const content = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'f:':
      return element;
    case 'v:':
      return valueElement(parsed(element));
    case 'k:':
      return keyElement(keysOf(element));
    case 'i:':
      if (/^-?\d{1,9}$/.test(content)) return `i:${Number(content)}`;
  }
  throw new FieldsError(`${JSON.stringify(element.slice(0, 100))} is not a path element of FieldsV1`);
}

function keysOf(element: string): JsonObject {
  const value = parsed(element);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new FieldsError(`${JSON.stringify(element.slice(0, 100))} has no keys`);
}

/** Reads JSON that is not deeper than a body may be, because later code is recursive. */
function parsed(element: string): unknown {
  try {
    return decodeJson(Buffer.from(element.slice(2))).value;
  } catch {
    throw new FieldsError(`${JSON.stringify(element.slice(0, 100))} is not followed by JSON`);
  }
}

/** A path as people read it: `.spec.items[name="x"].v`. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('');
}

function elementText(element: string): string {
  const content = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'k:': {
      const keys = Object.entries(parseJson(content) as JsonObject);
      return `[${keys.map(([name, value]) => `${name}=${valueText(value)}`).join(',')}]`;
    }
    case 'v:':
      return `[=${valueText(parseJson(content))}]`;
    case 'i:':
      return `[${content}]`;
    default:
      return `.${content}`;
  }
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, one]) => `${key}=${valueText(one)}`)
    .join('');
}

const KINDS = ['f:', 'k:', 'v:', 'i:'];

/** A path element with what its place in the order depends on. */
interface Placed {
  readonly element: string;
  readonly kind: number;
  readonly value: unknown;
}

function placed(element: string): Placed {
  const content = element.slice(2);
  const value = element.startsWith('f:') ? content : parseJson(content);
  return { element, kind: KINDS.indexOf(element.slice(0, 2)), value };
}

/** The first of many path elements, in steps. Their order: members, items of maps, items of sets, indexes. */
export function* firstElements(elements: readonly string[], most: number, work: Work): Steps<readonly string[]> {
  const first: Placed[] = [];
  for (const element of elements) {
    if (work.count()) yield;
    const cause = placed(element);
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comparePlaced(first[middle] ?? cause, cause) > 0) high = middle;
      else low = middle + 1;
    }
    if (low < most) first.splice(low, 0, cause);
    if (first.length > most) first.pop();
  }
  return first.map(({ element }) => element);
}

function comparePlaced(a: Placed, b: Placed): number {
  if (a.kind !== b.kind) return a.kind - b.kind;
  const [left, right] = [a.value, b.value];
  return a.element.startsWith('k:') ? compareKeys(left as JsonObject, right as JsonObject) : compareValues(left, right);
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [[leftKey, leftValue], [rightKey, rightValue]] = [left[i] ?? ['', 0], right[i] ?? ['', 0]];
    const order = byBytes(leftKey, rightKey) || compareValues(leftValue, rightValue);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const TYPES = ['number', 'string', 'boolean', 'object'];

const typeIndex = (value: unknown): number => TYPES.indexOf(isNumber(value) ? 'number' : typeof value);

function compareValues(a: unknown, b: unknown): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  const types = typeIndex(a) - typeIndex(b);
  if (types !== 0) return types;
  return byBytes(typeof a === 'string' ? a : goJson(a), typeof b === 'string' ? b : goJson(b));
}
