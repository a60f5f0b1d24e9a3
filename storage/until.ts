import { setMaxListeners } from 'node:events';

/**
 * Makes items until one of two signals aborts. AbortSignal.any would leave something behind in both of them for each
 * call, as long as they live, and one of them often lives as long as the server.
 */
export async function* untilEither<T>(
  signals: readonly [AbortSignal, AbortSignal],
  make: (stop: AbortSignal) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  // Any number of readers may follow the log at the same time. Node would warn of more than ten.
  setMaxListeners(0, ...signals);
  for (const signal of signals) signal.addEventListener('abort', abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  try {
    yield* make(stop.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}
