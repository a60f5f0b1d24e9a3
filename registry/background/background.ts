import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';

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
/** Milliseconds in which jobs begin for a new kind, and end for one that is gone. */
const LOOK_EVERY = 1000;

/**
 * Milliseconds without any job after the database was set back. What is not there yet because a restore goes on must
 * not count as deleted.
 */
const HOLD = 60_000;

/** Milliseconds to wait after so many failures in a row. */
export function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
}

/**
 * Runs jobs side by side. Only the elected server needs to do them, but several servers may. Returns a function that
 * stops them.
 */
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

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

/** The kinds that have objects of their own. */
export function storedKinds({ kinds }: Pick<Registry, 'kinds'>): readonly Kind[] {
  return kinds.filter(({ conversion }) => conversion === undefined);
}

/** Makes the job of a kind. `since`: there was no such kind at this revision. Absent if that is not known. */
type JobOf = (kind: Kind, since: number | undefined) => Job;

/** Runs a job for each stored kind, as long as there is a kind of this name, whatever becomes of its definition. */
export function startJobsOfKinds(registry: Registry, jobOf: JobOf, options: BackgroundOptions): () => Promise<void> {
  const stop = new AbortController();
  const running = followKinds(registry, jobOf, options, stop.signal);
  return async () => {
    stop.abort();
    await running;
  };
}

async function followKinds(
  registry: Registry,
  jobOf: JobOf,
  options: BackgroundOptions,
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<string, () => Promise<void>>();
  const { cacher } = registry;
  let since: number | undefined;
  for (; !signal.aborted && !cacher.closed; await pause(LOOK_EVERY, signal)) {
    const { revision } = cacher.state;
    const kinds = new Map(storedKinds(registry).map((kind) => [kind.qualified, kind]));
    for (const [name, kind] of kinds) {
      if (!running.has(name)) running.set(name, startJobs(registry, [jobOf(kind, since)], options));
    }
    for (const [name, end] of running) {
      if (kinds.has(name)) continue;
      running.delete(name);
      void end();
    }
    since = revision;
  }
  await Promise.all([...running.values()].map((end) => end()));
}

async function follow(
  { cacher }: Registry,
  job: Job,
  signal: AbortSignal,
  { onError, isElected = () => true }: BackgroundOptions,
): Promise<void> {
  let { logId } = cacher;
  let heldUntil = 0;
  for (let failures = 0; !signal.aborted && !cacher.closed; ) {
    const { changed } = cacher.ring(job.wokenBy);
    // The wait starts before the work, so that no change in between is missed. It also ends about once a second.
    const woken = changed.waitOrAbort(signal);
    try {
      if (logId !== cacher.logId) heldUntil = performance.now() + HOLD;
      ({ logId } = cacher);
      if (isElected() && performance.now() >= heldUntil) await job.run(signal);
      else job.restart();
      failures = 0;
    } catch (error) {
      job.restart();
      if (signal.aborted || cacher.closed) return;
      onError(error);
      await pause(pauseAfter(++failures), signal);
    }
    await woken;
    // A commit wakes many jobs. They must not all begin in the step of the event loop that publishes it.
    await yieldToLoop();
  }
}
