import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

export interface UlidSources {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** From 0 to below 1; cryptographically random by default. */
  readonly random?: () => number;
}

/**
 * Makes uids for kinds that generate them: ULIDs of 26 characters, which sort by their millisecond, in lower case to be
 * valid names.
 */
export function ulidGenerator({ now = Date.now, random = randomByte }: UlidSources = {}): () => string {
  return () => ulid(now(), random).toLowerCase();
}

const bytes = Buffer.allocUnsafeSlow(4096);
let used = bytes.length;

/**
 * A random byte as a fraction. Bytes are drawn many at once, because the package asks for each character, and the
 * system takes long to answer.
 */
function randomByte(): number {
  if (used === bytes.length) {
    randomFillSync(bytes);
    used = 0;
  }
  return (bytes[used++] ?? 0) / 256;
}
