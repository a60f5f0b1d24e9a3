const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Does work that can tidy up when the operator or the system ends the program. A second signal ends it at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
    forget();
  };
  const forget = (): void => {
    for (const name of SIGNALS) process.off(name, stop);
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    forget();
  }
}
