/** Undefined: it is done. Otherwise it is done when the promise resolves. */
export type Done = Promise<void> | undefined;

/** Calls a function after a step: at once if the step is done. */
export function after(done: Done, then: () => Done): Done {
  return done === undefined ? then() : done.then(then);
}
