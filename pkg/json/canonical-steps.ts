import type { Steps } from '../structural/work.js';
import { canonicalJson } from './canonical.js';

/** Values that are written in one step, which takes about a millisecond. */
const STEP_VALUES = 4000;

/** The text of `canonicalJson`, written in steps. A value that is small is written at once. `write` writes a part. */
export function* canonicalSteps(
  value: unknown,
  write: (part: unknown) => string = canonicalJson,
  weight = weightOf(value),
): Steps<string> {
  if (weight < STEP_VALUES || typeof value !== 'object' || value === null) return write(value);
  const texts = Array.isArray(value) ? yield* elementTexts(value, write) : yield* memberTexts(value, write);
  const text = texts.join(',');
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}

/** The number of values in a value, or `STEP_VALUES` if there are more. */
function weightOf(value: unknown, most = STEP_VALUES): number {
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const key in value) {
    if (weight >= most) return most;
    weight += weightOf((value as Readonly<Record<string, unknown>>)[key], most - weight);
  }
  return Math.min(weight, most);
}

/** Small elements are written together. */
function* elementTexts(list: readonly unknown[], write: (part: unknown) => string): Steps<readonly string[]> {
  const texts: string[] = [];
  let from = 0;
  let weight = 0;
  const flush = (end: number): void => {
    if (end > from) texts.push(write(list.slice(from, end)).slice(1, -1));
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
      texts.push(yield* canonicalSteps(list[at], write, more));
      from = at + 1;
    }
  }
  flush(list.length);
  return texts;
}

function* memberTexts(object: object, write: (part: unknown) => string): Steps<readonly string[]> {
  const members = object as Readonly<Record<string, unknown>>;
  const texts: string[] = [];
  let weight = 0;
  for (const key of Object.keys(members).sort()) {
    const value = members[key];
    if (value === undefined) continue;
    const more = weightOf(value);
    weight += more;
    if (weight >= STEP_VALUES) {
      yield;
      weight = 0;
    }
    texts.push(`${JSON.stringify(key)}:${yield* canonicalSteps(value, write, more)}`);
  }
  return texts;
}
