/**
 * Writes JSON without white space, with the keys of every object in code-unit order and without `undefined` members. Equal values give
 * equal text, whatever the order of their keys. Everything else is as JSON.stringify writes it. The value must be a JSON value without
 * cycles.
 *
 * Stored objects mostly have their keys in order already, and then JSON.stringify writes the text. By hand because libraries sort every
 * object, even one in order.
 */
export function canonicalJson(value: unknown): string {
  return isCanonical(value) ? (JSON.stringify(value) ?? 'null') : write(value);
}

/**
 * Whether JSON.stringify writes the keys in order. JavaScript enumerates keys like "10" and "9" as numbers, so the order must be checked.
 */
function isCanonical(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isCanonical);
  const object = value as Record<string, unknown>;
  let previous: string | undefined;
  for (const key of Object.keys(object)) {
    if (previous !== undefined && previous > key) return false;
    previous = key;
    const member = object[key];
    if (typeof member === 'object' && member !== null && !isCanonical(member)) return false;
  }
  return true;
}

function write(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? writeArray(value) : writeObject(value);
    default:
      return JSON.stringify(value) ?? 'null';
  }
}

function writeArray(values: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < values.length; i++) text += i === 0 ? write(values[i]) : `,${write(values[i])}`;
  return `${text}]`;
}

function writeObject(object: object): string {
  if ('toJSON' in object && typeof object.toJSON === 'function') return write(object.toJSON());
  const members = object as Record<string, unknown>;
  let text = '{';
  for (const key of inOrder(Object.keys(members))) {
    const value = members[key];
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    text += text.length === 1 ? `${quote(key)}:${write(value)}` : `,${quote(key)}:${write(value)}`;
  }
  return `${text}}`;
}

/** Sorts by code unit, the default order. Most objects have few keys, already in order, and a check is cheaper than a sort. */
function inOrder(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  }
  return keys;
}

// Matches what JSON may escape: control characters, quotes, backslashes and lone surrogates. It also matches paired surrogates, which
// only take the slower path.
const needsEscape = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

function quote(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}
