/** How long something lasts: `signal` aborts at its end. */
export interface Lifetime {
  readonly signal: AbortSignal;
  /** Ends it now, and lets go of what it waits for. */
  end(): void;
}

/**
 * Lasts until `outer` aborts, and no longer than so many milliseconds. The timer is held by the event loop: one of AbortSignal.timeout that
 * only AbortSignal.any knows is collected with its garbage, and never fires.
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
