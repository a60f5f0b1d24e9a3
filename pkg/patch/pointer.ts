/** A JSON pointer (RFC 6901), parsed. */
export interface Pointer {
  readonly text: string;
  readonly tokens: readonly string[];
}

/** What an operation does not find as it needs it. */
export class Unfit extends Error {}

export type Container = unknown[] | Record<string, unknown>;

const INDEX = /^(?:0|[1-9][0-9]{0,8})$/;

/** `undefined` for a text that is no pointer. */
export function parsePointer(text: string): Pointer | undefined {
  if (text !== '' && !text.startsWith('/')) return undefined;
  if (/~(?![01])/.test(text)) return undefined;
  const tokens = text
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { text, tokens };
}

/** Whether `inner` points to something within what `outer` points to. */
export function isWithin(inner: Pointer, outer: Pointer): boolean {
  return inner.tokens.length > outer.tokens.length && outer.tokens.every((token, i) => token === inner.tokens[i]);
}

/** Own members and existing elements only. Throws Unfit. */
export function valueAt(container: Container, tokens: readonly string[]): unknown {
  let value: unknown = container;
  for (const token of tokens) {
    if (Array.isArray(value) && INDEX.test(token) && Number(token) < value.length) value = value[Number(token)];
    else if (isObject(value) && Object.hasOwn(value, token)) value = value[token];
    else throw new Unfit(`there is no ${JSON.stringify(token.slice(0, 100))} on the way`);
  }
  return value;
}

/** Where a new value would go: a container that exists and, in an array, a place that is not beyond its end. Throws Unfit. */
export function placeFor(container: Container, tokens: readonly string[]): Container {
  const parent = valueAt(container, tokens.slice(0, -1));
  const token = tokens.at(-1) ?? '';
  if (isObject(parent)) return parent;
  if (!Array.isArray(parent)) throw new Unfit('what it would lie in is neither an object nor an array');
  if (token === '-' || (INDEX.test(token) && Number(token) <= parent.length)) return parent;
  throw new Unfit(`${JSON.stringify(token.slice(0, 100))} is no index of an array of ${parent.length}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
