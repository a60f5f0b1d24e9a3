import { DONE } from '../../registry/legacy/answers.js';
import type { LegacyRoute } from '../../registry/legacy/router.js';

/**
 * What the documentation of a route says otherwise than this successful answer; undefined if they agree. Members that
 * the schema does not have are a difference, too.
 */
export function differenceOf({ answer = DONE }: Pick<LegacyRoute, 'answer'>, text: string): string | undefined {
  if (answer === 'none') return text === '' ? undefined : `an answer that should have no body: ${text.slice(0, 200)}`;
  const value: unknown = JSON.parse(text);
  const { data, error } = answer().safeParse(value);
  if (error !== undefined) return error.message;
  const [known, sent] = [sorted(data), sorted(value)];
  return known === sent ? undefined : `the schema has\n${known}\nand the answer\n${sent}`;
}

/** JSON with the members of all objects in one order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (item === null || typeof item !== 'object' || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
