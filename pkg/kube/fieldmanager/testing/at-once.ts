import { runSteps, type Steps } from '../../../system/yielding/steps.js';

/** The same function, with all its steps done. */
export function atOnce<Args extends readonly unknown[], Result>(
  steps: (...args: Args) => Steps<Result>,
): (...args: Args) => Result {
  return (...args) => runSteps(steps(...args));
}
