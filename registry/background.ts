import { setMaxListeners } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from './registry.js';

/** Work that one server does in the background. */
export interface Job {
  /** The resource whose changes may give it work. */
  readonly wokenBy: string;
  /** It is called after each change and about once a second, so most calls must be cheap. */
  run(signal: AbortSignal): Promise<void>;
  /** This server did not do the work for a while, or it failed: the next call of `run` looks at everything. */
  restart(): void;
}

export interface BackgroundOptions {
  readonly onError: (error: unknown) => void;
  readonly isElected?: () => boolean;
}

/** Milliseconds after the first failure. The pause doubles with each further one. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

/** Milliseconds to wait after so many failures in a row. */
export function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
}

/** Runs jobs side by side. Only the elected server needs to do them, but several servers may. Returns a function that stops them. */
export function startJobs(registry: Registry, jobs: readonly Job[], options: BackgroundOptions): () => Promise<void> {
  const stop = new AbortController();
  // Each job and each of its writes listens.
  setMaxListeners(0, stop.signal);
  const running = jobs.map((job) => follow(registry, job, stop.signal, options));
  return async () => {
    stop.abort();
    await Promise.all(running);
  };
}

async function follow(
  { cacher }: Registry,
  job: Job,
  signal: AbortSignal,
  { onError, isElected = () => true }: BackgroundOptions,
): Promise<void> {
  for (let failures = 0; !signal.aborted && !cacher.closed; ) {
    const { changed } = cacher.ring(job.wokenBy);
    // The wait starts before the work, so that no change in between is missed. It also ends about once a second.
    const woken = changed.waitOrAbort(signal);
    try {
      if (isElected()) await job.run(signal);
      else job.restart();
      failures = 0;
    } catch (error) {
      job.restart();
      if (signal.aborted || cacher.closed) return;
      onError(error);
      await sleep(pauseAfter(++failures), undefined, { signal }).catch(() => undefined);
    }
    await woken;
    // A commit wakes many jobs. They must not all begin in the step of the event loop that publishes it.
    await setImmediate();
  }
}
