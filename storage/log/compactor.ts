import type { Backend } from '../backend.js';

export interface CompactorOptions {
  /** How many milliseconds of history are kept (`storage.history`). */
  readonly history: number;
  readonly onError: (error: unknown) => void;
  /** If several servers share a store, only the elected one compacts. */
  readonly isElected?: () => boolean;
}

/**
 * Regularly removes history that is older than `history` by the store's clock. The period is a tenth of `history`. Returns a function that
 * stops it.
 */
export function startCompactor(
  backend: Backend,
  { history, onError, isElected = () => true }: CompactorOptions,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(
    () => {
      if (!isElected()) return;
      // One compaction at a time, and none is queued: if the store is slow or unavailable, the next period tries again.
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
