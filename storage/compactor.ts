import type { Backend } from './backend.js';

export interface CompactorOptions {
  /** Milliseconds of history to keep (`storage.history`). */
  readonly history: number;
  readonly onError: (error: unknown) => void;
  /** Where several servers share a store, only one needs to. */
  readonly isElected?: () => boolean;
}

/** Forgets history that is older than `history` by the store's clock, a tenth of that after it came of age. Returns how to stop it. */
export function startCompactor(
  backend: Backend,
  { history, onError, isElected = () => true }: CompactorOptions,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(
    () => {
      if (!isElected()) return;
      // One at a time, and none waits: a store that is slow or away is asked again at the next turn.
      running ??= compactOnce(backend, history)
        .catch(onError)
        .finally(() => {
          running = undefined;
        });
    },
    Math.max(1000, history / 10),
  ).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function compactOnce(backend: Backend, history: number): Promise<void> {
  const through = await backend.revisionBefore(history);
  if (through > (await backend.compacted())) await backend.compact(through);
}
