/** Folds a text for comparisons that ignore case. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/**
 * Whether two addresses differ only in the case of ASCII letters. By `fold`, those with other letters may also be
 * equal, such as `K` and the Kelvin sign.
 */
export function isSameAddress(one: string, other: string): boolean {
  return asciiLower(one) === asciiLower(other);
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
