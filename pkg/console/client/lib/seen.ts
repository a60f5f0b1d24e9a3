/** Milliseconds that a page may be hidden before its watches end, so that a short look at another page ends none. */
const GRACE = 3000;

interface Seen {
  /** Is aborted when `signal` is, and when the page was hidden for `GRACE` milliseconds. */
  readonly signal: AbortSignal;
  forget(): void;
}

export function whileSeen(signal: AbortSignal): Seen {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => controller.abort(), GRACE);
  };
  document.addEventListener('visibilitychange', look);
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    forget: () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    },
  };
}

/** Waits until the page can be seen, or the signal is aborted. */
export async function beSeen(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted)
    await new Promise<void>((resolve) => {
      const go = (): void => {
        document.removeEventListener('visibilitychange', go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      document.addEventListener('visibilitychange', go);
      signal.addEventListener('abort', go);
    });
}
