/**
 * Work that can pause: after each step, the caller may let others work. A step takes at most some milliseconds. The
 * generator returns the result.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all steps without a pause. */
export function runSteps<Result>(steps: Iterator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
