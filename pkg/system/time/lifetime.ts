/** A period of time. `signal` aborts at its end. */
export interface Lifetime {
  readonly signal: AbortSignal;
  /** Ends it now, and releases its timer and listener. */
  end(): void;
}

/**
 * Starts a lifetime that ends when `outer` aborts, or after so many milliseconds. It has a timer of its own, because an
 * AbortSignal.timeout that only AbortSignal.any references is garbage-collected and never fires.
 */
export function lifetime(outer: AbortSignal, milliseconds: number): Lifetime {
  const controller = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
    controller.abort();
  };
  const timer = setTimeout(end, milliseconds).unref();
  outer.addEventListener('abort', end);
  if (outer.aborted) end();
  return { signal: controller.signal, end };
}
