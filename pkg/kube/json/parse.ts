import { scanJson } from './scan.js';

/**
 * A number at its place in JSON with so many digits that JSON.parse may round it. Texts in strings may look so, too.
 */
const LARGE = /[:,[\s-][1-9][0-9]{15}/;
const LARGE_ALONE = /^[1-9][0-9]{15}/;

/**
 * JSON.parse with exact integers: one that a double would change is a bigint. For text of this server, or of its own
 * clients. Bodies of requests are decoded by `decodeJson`, which knows their limits.
 */
export function parseJson(text: string): unknown {
  return LARGE.test(text) || LARGE_ALONE.test(text) ? parseExactly(text) : JSON.parse(text);
}

/** The same for a text of which is known that it has such an integer. */
export function parseExactly(text: string): unknown {
  const { fault, value } = scanJson(text);
  return fault === undefined ? value : JSON.parse(text);
}
