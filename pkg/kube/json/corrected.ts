import type { z } from 'zod';
import { meaningOfNull } from './go-null.js';
import { type Outcome, parseSchema, type RawIssue } from './parse-schema.js';

/**
 * Parses a value that a client sent. As in Kubernetes, a null that the schema refuses is what Go makes of it: a member
 * that is not set, or the zero value in a map or a list. YAML has nulls for empty values, and clients written in Go for
 * empty lists and times.
 */
export function parseSent(schema: z.ZodType, value: unknown): Outcome {
  const outcome = parseSchema(schema, value);
  if (!outcome.issues.some(isNull)) return outcome;
  return parseSchema(schema, corrected(schema, value, outcome.issues.filter(isNull)));
}

/** Whether the issue is a null that the schema does not accept. */
export function isNull(issue: RawIssue): boolean {
  return issue.input === null && pathOf(issue).length > 0;
}

export function pathOf({ path }: RawIssue): readonly PropertyKey[] {
  return path ?? [];
}

/** The names of an issue about unknown members. */
export function keysOf(issue: RawIssue): readonly string[] {
  return issue.code === 'unrecognized_keys' ? (issue['keys'] as readonly string[]) : [];
}

/**
 * A copy without the unknown members that the issues name, and with the meaning of the nulls that they name. Values
 * without them are shared with the original.
 */
export function corrected(schema: z.ZodType, whole: unknown, issues: readonly RawIssue[]): unknown {
  const copy = new PartialCopy(whole);
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') copy.remove(pathOf(issue), keysOf(issue));
    else if (isNull(issue)) correctNull(copy, schema, pathOf(issue));
  }
  return copy.whole;
}

function correctNull(copy: PartialCopy, schema: z.ZodType, path: readonly PropertyKey[]): void {
  const meaning = meaningOfNull(schema, path);
  const last = path.at(-1);
  if (meaning !== undefined) copy.set(path, meaning);
  else if (typeof last === 'string') copy.remove(path.slice(0, -1), [last]);
}

type Copy = Record<PropertyKey, unknown>;

/** A value of which only the parts that change are copied. */
class PartialCopy {
  readonly #copies = new Set<unknown>();
  readonly #root: Copy;

  constructor(whole: unknown) {
    this.#root = { whole };
  }

  get whole(): unknown {
    return this.#root['whole'];
  }

  set(path: readonly PropertyKey[], value: unknown): void {
    const [last = 'whole', ...above] = ['whole', ...path].toReversed();
    this.#at(above.toReversed())[last] = value;
  }

  remove(path: readonly PropertyKey[], keys: readonly PropertyKey[]): void {
    const steps = ['whole', ...path];
    const holder = this.#at(steps.slice(0, -1));
    const last = steps.at(-1) ?? 'whole';
    this.#replace(holder, last, omit(holder[last] as Copy, keys));
  }

  #at(steps: readonly PropertyKey[]): Copy {
    return steps.reduce<Copy>((holder, step) => {
      const value = holder[step] as Copy;
      return this.#copies.has(value) ? value : this.#replace(holder, step, shallowCopy(value));
    }, this.#root);
  }

  #replace(holder: Copy, step: PropertyKey, copy: Copy): Copy {
    this.#copies.add(copy);
    holder[step] = copy;
    return copy;
  }
}

function shallowCopy(value: Copy): Copy {
  return Array.isArray(value) ? ([...value] as unknown as Copy) : { ...value };
}

/** A copy of an object without some of its keys. There may be many, so it copies what is left and deletes nothing. */
function omit(members: Copy, keys: readonly PropertyKey[]): Copy {
  const kept: Copy = {};
  // Mostly, the keys come in the order of the members. Then no set of them is needed.
  let next = 0;
  for (const key of Object.keys(members)) {
    if (key === keys[next]) next++;
    else kept[key] = members[key];
  }
  return next === keys.length ? kept : omitInAnyOrder(members, new Set(keys));
}

function omitInAnyOrder(members: Copy, keys: ReadonlySet<PropertyKey>): Copy {
  return Object.fromEntries(Object.entries(members).filter(([key]) => !keys.has(key)));
}
