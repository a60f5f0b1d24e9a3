import { finished, type Steps } from '../../structural/work.js';

/** The same function, with all its steps done. */
export function atOnce<Args extends readonly unknown[], Result>(
  steps: (...args: Args) => Steps<Result>,
): (...args: Args) => Result {
  return (...args) => finished(steps(...args));
}
