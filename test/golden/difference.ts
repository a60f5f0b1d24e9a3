import { isDeepStrictEqual } from 'node:util';

/** A message about the first member in which two JSON values differ. `undefined` if they are equal. */
export function firstDifference(got: unknown, recorded: unknown, path = 'answer'): string | undefined {
  if (isDeepStrictEqual(got, recorded)) return undefined;
  if (!isObject(got) || !isObject(recorded)) return `${path} is ${text(got)}, but was ${text(recorded)}`;
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(got)])) {
    const difference = firstDifference(got[name], recorded[name], `${path}.${name}`);
    if (difference !== undefined) return difference;
  }
  return `${path} is ${text(got)}, but was ${text(recorded)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function text(value: unknown): string {
  const json = JSON.stringify(value) ?? 'absent';
  return json.length > 2000 ? `${json.slice(0, 2000)}…` : json;
}
