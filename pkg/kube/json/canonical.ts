/**
 * JSON with the keys of every object in code-unit order, without white space and without members that are undefined.
 * Equal values give equal text, in whatever order their keys were set. Otherwise the text is that of JSON.stringify.
 * The value must be a JSON value without cycles. By hand because libraries sort every object, even one whose keys are
 * in order.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const ordered = inOrder(value);
  return ordered === undefined ? write(value) : JSON.stringify(ordered);
}

const INDEX_OR_PROTO = /^(?:[0-9]|__proto__$)/;

/**
 * The value with the keys of every object in order: the value itself if they are, otherwise a copy. `undefined` if no
 * plain object can have its keys in order: keys such as "10" always come first, as numbers, and `__proto__` cannot be
 * set.
 */
function inOrder(value: object): object | undefined {
  if (Array.isArray(value)) return elementsInOrder(value);
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members);
  let previous = '';
  let isSorted = true;
  for (const key of keys) {
    if (previous > key) isSorted = false;
    previous = key;
  }
  if (!isSorted && keys.some((key) => INDEX_OR_PROTO.test(key))) return undefined;
  let result: Record<string, unknown> | undefined = isSorted ? undefined : {};
  for (const key of isSorted ? keys : sorted(keys)) {
    const member = members[key];
    const ordered = typeof member === 'object' && member !== null ? inOrder(member) : member;
    if (ordered === undefined && member !== undefined) return undefined;
    if (ordered !== member) result ??= { ...members };
    if (result !== undefined) result[key] = ordered;
  }
  return result ?? value;
}

const FEW = 32;

/**
 * Sorts in place. Few keys are inserted one by one, because the sort of V8 would copy them, and most objects have few.
 */
function sorted(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let at = i;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

function elementsInOrder(value: readonly unknown[]): readonly unknown[] | undefined {
  let result: unknown[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const element = value[i];
    if (typeof element !== 'object' || element === null) continue;
    const ordered = inOrder(element);
    if (ordered === undefined) return undefined;
    if (ordered === element) continue;
    result ??= [...value];
    result[i] = ordered;
  }
  return result ?? value;
}

/** The slow way, for objects whose keys cannot be put in order. */
function write(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON());
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  const members = value as Record<string, unknown>;
  const texts = Object.keys(members)
    .filter((key) => !['undefined', 'function', 'symbol'].includes(typeof members[key]))
    .sort()
    .map((key) => `${JSON.stringify(key)}:${write(members[key])}`);
  return `{${texts.join(',')}}`;
}
