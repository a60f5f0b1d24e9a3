/** A document, and the elements of one of its arrays. */
export interface Elements {
  /** The document with an empty array in the place of the array. */
  readonly rest: Uint8Array;
  /** The text of each element. */
  readonly elements: readonly Uint8Array[];
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Divides the text of a JSON document at the elements of the array at `path`, so that a long array can be decoded in
 * steps. Returns undefined if there is no array at this path. If there are several, the first is divided. Nothing is
 * decoded here, so the parts may not be JSON. Throws `most.error()` if there are more elements.
 */
export function splitElements(
  bytes: Uint8Array,
  path: readonly string[],
  most: { readonly elements: number; error(): Error },
): Elements | undefined {
  const start = arrayAt(bytes, path);
  if (start === undefined) return undefined;
  const elements: Uint8Array[] = [];
  let depth = 0;
  let from = start + 1;
  const take = (end: number): void => {
    elements.push(bytes.subarray(from, end));
    if (elements.length > most.elements) throw most.error();
    from = end + 1;
  };
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === COMMA && depth === 1) take(at);
    else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && --depth === 0) {
      if (elements.length > 0 || !isBlank(bytes.subarray(from, at))) take(at);
      return { rest: Buffer.concat([bytes.subarray(0, start + 1), bytes.subarray(at)]), elements };
    }
  }
  return undefined;
}

/** The offset of the array at a path of members. */
function arrayAt(bytes: Uint8Array, path: readonly string[]): number | undefined {
  const keys = path.map((key) => Buffer.from(JSON.stringify(key)));
  let depth = 0;
  /** How many keys of the path lead to the object that the walk is in. */
  let found = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--;
      if (depth <= found) found = Math.min(found, Math.max(depth - 1, 0));
    } else if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      const key = keys[found];
      const value = depth === found + 1 ? valueOfKey(bytes, end) : undefined;
      if (value !== undefined && key?.equals(bytes.subarray(at, end + 1)) === true) {
        const opens = bytes[value];
        if (found + 1 === keys.length) return opens === OPEN_ARRAY ? value : undefined;
        if (opens === OPEN_OBJECT) found++;
      }
      at = end;
    }
  }
  return undefined;
}

/** The offset of the closing quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Where the value begins, if the string that ends here is a key. */
function valueOfKey(bytes: Uint8Array, end: number): number | undefined {
  const colon = afterBlanks(bytes, end + 1);
  return bytes[colon] === COLON ? afterBlanks(bytes, colon + 1) : undefined;
}

function afterBlanks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isBlankByte(bytes[at])) at++;
  return at;
}

function isBlank(bytes: Uint8Array): boolean {
  return afterBlanks(bytes, 0) === bytes.length;
}

function isBlankByte(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
