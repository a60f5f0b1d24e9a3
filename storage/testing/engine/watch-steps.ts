import { setImmediate } from 'node:timers/promises';
import type { Cacher } from '../../cacher/cacher.js';
import { Watch } from '../../cacher/watch.js';
import type { WatchOptions, WatchStep } from '../../cacher/watch-step.js';

/** The steps of a watch, by waiting for them. Ends when the signal aborts or the cache closes. */
export async function* watch(cacher: Cacher, options: WatchOptions): AsyncGenerator<WatchStep, void, undefined> {
  const { signal } = options;
  const steps = new Watch(cacher, options);
  let isReady = false;
  let wake = (): void => undefined;
  const ready = (): void => {
    isReady = true;
    wake();
  };
  steps.onReady = ready;
  signal.addEventListener('abort', ready);
  try {
    while (!signal.aborted && !cacher.closed) {
      isReady = false;
      const step = steps.take();
      if (step !== undefined) yield step;
      if (step !== undefined && step.through === undefined) await setImmediate();
      else if (!isReady && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal.removeEventListener('abort', ready);
    steps.close();
  }
}
