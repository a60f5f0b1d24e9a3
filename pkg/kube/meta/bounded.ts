import { z } from 'zod';

/**
 * An array of at most `most` elements. zod by itself looks at every element before it counts them, and makes several
 * issues of each wrong one: for 3 MiB of them it took seconds.
 */
export function arrayOf<T extends z.ZodType>(element: T, most: number) {
  return z.preprocess(atMost(most, 'array'), z.array(element).max(most));
}

/** An object with string keys and at most `most` members. */
export function recordOf<T extends z.ZodType>(member: T, most: number) {
  return z.preprocess(atMost(most, 'object'), z.record(z.string(), member));
}

function atMost(most: number, origin: 'array' | 'object') {
  return (value: unknown, context: z.RefinementCtx): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const length = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (length <= most) return value;
    const message = `Too many: must have at most ${most} items`;
    context.issues.push({ code: 'too_big', origin, maximum: most, inclusive: true, input: value, message });
    return z.NEVER;
  };
}
