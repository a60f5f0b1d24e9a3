import type { Steps } from '../structural/work.js';
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

/** The text of a value, written in steps. A value that is small is written at once. */
export function* jsonSteps(value: unknown, style: Style, weight = weightOf(value)): Steps<string> {
  if (weight < STEP_VALUES || typeof value !== 'object' || value === null) return style.write(value);
  const texts = Array.isArray(value) ? yield* elementTexts(value, style) : yield* memberTexts(value, style);
  const text = texts.join(',');
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
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

/** Small elements are written together. */
function* elementTexts(list: readonly unknown[], style: Style): Steps<readonly string[]> {
  const texts: string[] = [];
  let from = 0;
  let weight = 0;
  const flush = (end: number): void => {
    if (end > from) texts.push(style.write(list.slice(from, end)).slice(1, -1));
    from = end;
    weight = 0;
  };
  for (let at = 0; at < list.length; at++) {
    const more = weightOf(list[at]);
    weight += more;
    if (weight < STEP_VALUES) continue;
    flush(at);
    yield;
    if (more < STEP_VALUES) weight = more;
    else {
      texts.push(yield* jsonSteps(list[at], style, more));
      from = at + 1;
    }
  }
  flush(list.length);
  return texts;
}

function* memberTexts(object: object, style: Style): Steps<readonly string[]> {
  const members = object as Readonly<Record<string, unknown>>;
  const texts: string[] = [];
  let weight = 0;
  for (const key of style.names(members)) {
    const value = members[key];
    if (value === undefined) continue;
    const more = weightOf(value);
    weight += more;
    if (weight >= STEP_VALUES) {
      yield;
      weight = 0;
    }
    texts.push(`${JSON.stringify(key)}:${yield* jsonSteps(value, style, more)}`);
  }
  return texts;
}
