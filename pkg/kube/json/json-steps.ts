import type { Steps } from '../../system/yielding/steps.js';
import { canonicalJson } from './canonical.js';

/** Values that are written in one step, which takes about a millisecond. */
const STEP_VALUES = 4000;

/** How JSON is written. */
export interface Style {
  /** The names of the members of an object, in their order. */
  readonly names: (object: object) => readonly string[];
  /** Writes a part at once, in the same order. */
  readonly write: (part: unknown) => string;
}

export const CANONICAL: Style = { names: (object) => Object.keys(object).sort(), write: canonicalJson };
/** As JSON.stringify writes it. */
export const PLAIN: Style = { names: Object.keys, write: (part) => JSON.stringify(part) };

/**
 * JSON of a value in steps: a text if one step is enough, otherwise its bytes. To put a large text together and to
 * encode it at once would be a long step of its own.
 */
export function* jsonSteps(value: unknown, style: Style): Steps<string | Buffer> {
  const weight = weightOf(value);
  if (weight < STEP_VALUES) return style.write(value);
  const writing = new Pieces(style).of(value, weight);
  const encoded: Buffer[] = [];
  for (let { value: text, done } = writing.next(); ; { value: text, done } = writing.next()) {
    if (done === true && encoded.length === 0) return text;
    encoded.push(Buffer.from(text));
    yield;
    if (done === true) return Buffer.concat(encoded);
  }
}

/** So many characters take as long as a value. */
const CHARACTERS = 256;

/** The number of values in a value, or `STEP_VALUES` if there are more. */
function weightOf(value: unknown, most = STEP_VALUES): number {
  if (typeof value === 'string') return Math.min(1 + Math.floor(value.length / CHARACTERS), most);
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const key in value) {
    if (weight >= most) return most;
    weight += weightOf((value as Readonly<Record<string, unknown>>)[key], most - weight);
  }
  return Math.min(weight, most);
}

/** Writes a text in pieces of about a step. */
class Pieces {
  readonly #style: Style;
  #text = '';

  constructor(style: Style) {
    this.#style = style;
  }

  /** The last piece is the result. */
  *of(value: unknown, weight: number): Generator<string, string, undefined> {
    yield* this.#value(value, weight);
    return this.#text;
  }

  /** A value that is small is written at once. */
  *#value(value: unknown, weight: number): Generator<string, void, undefined> {
    if (weight < STEP_VALUES || typeof value !== 'object' || value === null) this.#text += this.#style.write(value);
    else yield* Array.isArray(value) ? this.#elements(value) : this.#members(value);
  }

  *#end(): Generator<string, void, undefined> {
    yield this.#text;
    this.#text = '';
  }

  /** Small elements are written together. */
  *#elements(list: readonly unknown[]): Generator<string, void, undefined> {
    let [from, weight] = [0, 0];
    const write = (end: number): void => {
      if (end > from) this.#text += `${from > 0 ? ',' : ''}${this.#style.write(list.slice(from, end)).slice(1, -1)}`;
      [from, weight] = [end, 0];
    };
    this.#text += '[';
    for (let at = 0; at < list.length; at++) {
      const more = weightOf(list[at]);
      weight += more;
      if (weight < STEP_VALUES) continue;
      write(at);
      yield* this.#end();
      weight = more;
      if (more < STEP_VALUES) continue;
      if (at > 0) this.#text += ',';
      yield* this.#value(list[at], more);
      [from, weight] = [at + 1, 0];
    }
    write(list.length);
    this.#text += ']';
  }

  *#members(object: object): Generator<string, void, undefined> {
    const members = object as Readonly<Record<string, unknown>>;
    let [weight, comma] = [0, ''];
    this.#text += '{';
    for (const key of this.#style.names(members)) {
      const value = members[key];
      if (value === undefined) continue;
      const more = weightOf(value);
      weight += more;
      if (weight >= STEP_VALUES) {
        yield* this.#end();
        weight = 0;
      }
      this.#text += `${comma}${JSON.stringify(key)}:`;
      comma = ',';
      yield* this.#value(value, more);
    }
    this.#text += '}';
  }
}
