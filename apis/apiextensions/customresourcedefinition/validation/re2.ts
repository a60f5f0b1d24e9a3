import { RE2JS, RE2JSException } from 're2js';

/** Characters. Kubernetes has no limit, but a longer pattern would keep the event loop for more than a moment. */
const LONGEST = 10_000;

/** Why a pattern is none of RE2, in Go's words. `undefined` if it is one. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > LONGEST) return `error parsing regexp: expression is longer than ${LONGEST} characters`;
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}
