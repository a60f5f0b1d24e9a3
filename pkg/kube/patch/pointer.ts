import { isObject } from '../../system/object/is-object.js';

/** A parsed JSON Pointer (RFC 6901). By hand because libraries follow inherited members, and do not check indexes. */
export interface Pointer {
  readonly text: string;
  readonly tokens: readonly string[];
}

/** An operation cannot be applied to the document. */
export class Unfit extends Error {}

export type Container = unknown[] | Record<string, unknown>;

const INDEX = /^(?:0|[1-9][0-9]{0,8})$/;
/** As Kubernetes' library reads an index. */
const SIGNED = /^[-+]?[0-9]{1,9}$/;

/** Returns undefined if the text is not a pointer. As in Kubernetes, `~` without 0 or 1 stands for itself. */
export function parsePointer(text: string): Pointer | undefined {
  if (text !== '' && !text.startsWith('/')) return undefined;
  const tokens = text
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { text, tokens };
}

/** Whether `inner` points into the value of `outer`. */
export function isWithin(inner: Pointer, outer: Pointer): boolean {
  return inner.tokens.length > outer.tokens.length && outer.tokens.every((token, i) => token === inner.tokens[i]);
}

/**
 * The path with indexes as RFC 6901 writes them. As in Kubernetes, an index may count from the end: -1 is the last
 * element, or, where an element is inserted, the place behind it.
 */
export function resolved(container: Container, tokens: readonly string[], isInsertion = false): readonly string[] {
  let value: unknown = container;
  return tokens.map((token, i) => {
    const own = Array.isArray(value) ? indexIn(value.length, token, isInsertion && i === tokens.length - 1) : token;
    value = memberOf(value, own);
    return own;
  });
}

function indexIn(length: number, token: string, isInsertion: boolean): string {
  if (!SIGNED.test(token)) return token;
  const index = Number(token);
  return String(index < 0 ? index + length + (isInsertion ? 1 : 0) : index);
}

/** Own members and existing elements only. */
function memberOf(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return INDEX.test(token) ? value[Number(token)] : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** The value at a path whose last member may be absent: then it is undefined. Throws Unfit. */
export function valueOrAbsent(container: Container, tokens: readonly string[]): unknown {
  const parent = valueAt(container, tokens.slice(0, -1));
  const last = tokens.at(-1) ?? '';
  if (isObject(parent) && !Array.isArray(parent)) return memberOf(parent, last);
  return valueAt(container, tokens);
}

/** The value at a path. Follows only own members and existing elements. Throws Unfit. */
export function valueAt(container: Container, tokens: readonly string[]): unknown {
  let value: unknown = container;
  for (const token of tokens) {
    if (Array.isArray(value) && INDEX.test(token) && Number(token) < value.length) value = value[Number(token)];
    else if (isObject(value) && Object.hasOwn(value, token)) value = value[token];
    else throw new Unfit(`${JSON.stringify(token.slice(0, 100))} does not exist`);
  }
  return value;
}

/** The container of a new value. It must exist, and an index must not be beyond the end of its array. Throws Unfit. */
export function parentFor(container: Container, tokens: readonly string[]): Container {
  const parent = valueAt(container, tokens.slice(0, -1));
  const token = tokens.at(-1) ?? '';
  if (isObject(parent)) return parent;
  if (!Array.isArray(parent)) throw new Unfit('the parent is neither an object nor an array');
  if (token === '-' || (INDEX.test(token) && Number(token) <= parent.length)) return parent;
  throw new Unfit(`${JSON.stringify(token.slice(0, 100))} is not an index of an array with ${parent.length} elements`);
}
