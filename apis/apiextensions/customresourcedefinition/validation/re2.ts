import { RE2JS, RE2JSException } from 're2js';

/** Why a pattern is none of RE2, in Go's words. `undefined` if it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}
