import { RE2JS, RE2JSException } from 're2js';

/** Characters. Kubernetes has no limit, but a longer pattern would block the event loop for too long. */
const LONGEST = 10_000;

/** What is wrong with a pattern of RE2, in Go's words. `undefined`: nothing. */
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
