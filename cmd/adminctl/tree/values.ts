import { z } from 'zod';
import { member } from '../../../pkg/dashboards/model.js';

/** A text in a file. Empty if it is absent, null, or no text. */
export function text(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === 'string' ? found.trim() : '';
}

/** A number in a file, also a large one. */
export function integer(value: unknown, name: string): number | undefined {
  const found = member(value, name);
  if (typeof found === 'bigint') return Number(found);
  return Number.isSafeInteger(found) ? (found as number) : undefined;
}

/** What zod says of a value, with its path: `items.3.permission: …`. */
export function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  return [path, issue?.message ?? z.prettifyError(error)].filter(Boolean).join(': ');
}
