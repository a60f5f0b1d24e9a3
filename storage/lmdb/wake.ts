/** Lets readers wait for the next commit of this process, which is the only one that writes. */
export interface Wake {
  /** Resolves at the next `all` or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
  all(): void;
}

export function wake(): Wake {
  const waiting = new Set<() => void>();
  return {
    wait: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        if (signal.aborted) return resolve();
        waiting.add(done);
        signal.addEventListener('abort', done);
      }),
    all: () => {
      for (const done of [...waiting]) done();
    },
  };
}
