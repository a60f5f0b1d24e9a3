import { getRandomValues } from 'node:crypto';
import { ulid } from 'ulid';

export interface UlidSources {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 up to, without, 1. */
  readonly random: () => number;
}

const TWO_TO_32 = 2 ** 32;

/** The system's clock and its cryptographic randomness. */
const SYSTEM: UlidSources = {
  now: () => Date.now(),
  random: () => (getRandomValues(new Uint32Array(1))[0] ?? 0) / TWO_TO_32,
};

/** Makes uids where a kind generates them: ULIDs in lower case, 26 characters, sorting by their millisecond. */
export function ulidGenerator({ now, random }: UlidSources = SYSTEM): () => string {
  return () => ulid(now(), random).toLowerCase();
}
