import { ApiError } from '../../../lib/api.js';

/** The caller may not ask, or there is nothing to ask about: no such kind, no account, nothing remembered. */
const NONE: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** Handles an error which means that there is nothing for the caller, and throws others. */
export function orNone<Value>(none: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof ApiError && NONE.has(error.code)) return none;
    throw error;
  };
}
