import { createHash } from 'node:crypto';
import type { Answer } from '../harness/answer.js';

/**
 * Texts that nobody can guess. `mk…` is a part of the content of an object, and `nm…` is a name. Both are valid base64,
 * so that the data of a Secret can contain them.
 */
const MARKER = /(?:mk|nm)[0-9a-f]{18}/g;
/** Texts that may be base64, such as the token of the next page. */
const ENCODED = /[A-Za-z0-9+/_-]{24,}/g;

/** Makes markers. The same seed gives the same ones. */
export class Markers {
  readonly #seed: string;
  #made = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  content(): string {
    return `mk${this.#next()}`;
  }

  name(): string {
    return `nm${this.#next()}`;
  }

  /** The text with new content markers, so that the write of a caller has its own ones. Names stay. */
  renewed(text: string): string {
    return text.replaceAll(MARKER, (marker) => (marker.startsWith('nm') ? marker : this.content()));
  }

  #next(): string {
    return createHash('sha256')
      .update(`${this.#seed} ${this.#made++}`)
      .digest('hex')
      .slice(0, 18);
  }
}

export function markersIn(text: string): ReadonlySet<string> {
  return new Set(text.match(MARKER) ?? []);
}

/** The markers in the body and the headers of an answer, also in base64. */
export function markersOf({ text, headers }: Pick<Answer, 'text' | 'headers'>): ReadonlySet<string> {
  const whole = `${text} ${JSON.stringify(headers)}`;
  const decoded = [...whole.matchAll(ENCODED)].map(([run]) => Buffer.from(run, 'base64').toString('latin1'));
  return markersIn([whole, ...decoded].join(' '));
}
