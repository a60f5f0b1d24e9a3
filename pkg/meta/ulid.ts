import { ulid } from 'ulid';

export interface UlidSources {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** From 0 to below 1; cryptographically random by default. */
  readonly random?: () => number;
}

/** Makes uids for kinds that generate them: ULIDs of 26 characters, which sort by their millisecond, in lower case to be valid names. */
export function ulidGenerator({ now = Date.now, random }: UlidSources = {}): () => string {
  return () => ulid(now(), random).toLowerCase();
}
