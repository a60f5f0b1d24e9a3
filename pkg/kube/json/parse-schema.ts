import { z } from 'zod';

/** One object for all calls: zod only reads it. `async` is what its own `safeParse` adds. */
const CONTEXT: z.core.ParseContextInternal = { reportInput: true, async: false };
const NONE: readonly never[] = [];
/** A body of 3 MiB may be wrong in each of its values, and a message takes longer than the check that failed. */
const MOST_ISSUES = 100;

/** An issue of zod before its message is made. */
export type RawIssue = z.core.$ZodRawIssue;

export interface Outcome {
  readonly data: unknown;
  /** All issues. Empty if the value fits the schema. */
  readonly issues: readonly RawIssue[];
}

/** What `safeParse` does, but without a message for each of the issues. */
export function parseSchema(schema: z.ZodType, value: unknown): Outcome {
  const result = schema._zod.run({ value, issues: [] }, CONTEXT);
  if (result instanceof Promise) throw new z.core.$ZodAsyncError();
  const { value: data, issues } = result;
  return issues.length === 0 ? { data, issues: NONE } : { data: undefined, issues };
}

/** The first hundred issues with their messages. */
export function issuesWithMessages(issues: readonly RawIssue[]): readonly z.core.$ZodIssue[] {
  return issues
    .slice(0, MOST_ISSUES)
    .map((issue) => z.core.util.finalizeIssue(inPlainWords(issue), CONTEXT, z.core.config()));
}

/** People who send a large number know no bigint. */
function inPlainWords(issue: RawIssue): RawIssue {
  if (issue.code !== 'invalid_type' || typeof issue.input !== 'bigint') return issue;
  const isNumber = issue['expected'] === 'number' || issue['expected'] === 'int';
  const why = isNumber
    ? `the number ${issue.input} is out of the range of this field`
    : `expected ${issue['expected']}, received number`;
  return { ...issue, message: `Invalid input: ${why}` };
}
