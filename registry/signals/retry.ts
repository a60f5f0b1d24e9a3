import pLimit from 'p-limit';
import { serviceUnavailable } from '../../pkg/kube/status/errors.js';
import type { Cancellation } from '../../storage/engine/transaction.js';

/** What an attempt waited for is kept until this is called. */
export type Release = () => void;

/**
 * Code that cannot wait throws this when it cannot go on: who called it waits, and begins again. It is no ApiError, so
 * that nobody takes it for an answer.
 */
export class Retry extends Error {
  /**
   * Makes what is missing, which then stays until it is released. `undefined` if nothing is missing, but the request
   * was read by a definition that is no longer in force. Then only who reads the request can begin again. After the
   * signal is cancelled, it makes nothing more.
   */
  readonly ready: ((signal?: Cancellation) => Promise<Release>) | undefined;

  constructor(message: string, ready?: (signal?: Cancellation) => Promise<Release>) {
    super(message);
    this.ready = ready;
  }
}

/** What is made once, and stays without being held. */
export function keptAnyway(work: Promise<unknown>): () => Promise<Release> {
  return () => work.then(() => () => undefined);
}

/** So many missing things are made at the same time. */
const AT_ONCE = 16;

/** What is missing for several objects of a request, so that it begins again once for all of them. */
export class Retries {
  readonly #retries: Retry[] = [];

  /**
   * Takes the error of the work on one object. After the first Retry it takes all errors, because they may be about an
   * object that could not be written yet.
   */
  take(error: unknown): boolean {
    if (error instanceof Retry) this.#retries.push(error);
    return this.#retries.length > 0;
  }

  /** Throws one Retry for all, if there are any. What is missing is made a few at a time. */
  throwAll(): void {
    const retries = this.#retries;
    const outdated = retries.find(({ ready }) => ready === undefined);
    if (outdated !== undefined) throw outdated;
    if (retries[0] !== undefined) throw new Retry(retries[0].message, (signal) => allReady(retries, signal));
  }
}

async function allReady(retries: readonly Retry[], signal: Cancellation | undefined): Promise<Release> {
  const releases: Release[] = [];
  const releaseAll = (): void => {
    for (const release of releases) release();
  };
  const errors: unknown[] = [];
  const make = async ({ ready }: Retry): Promise<void> => {
    // The work fails, so it needs nothing more.
    if (errors.length > 0) return;
    try {
      if (signal?.aborted === true) throw signal.reason;
      const release = await ready?.(signal);
      if (release !== undefined) releases.push(release);
    } catch (error) {
      errors.push(error);
    }
  };
  await pLimit(AT_ONCE).map(retries, make);
  if (errors.length === 0) return releaseAll;
  releaseAll();
  throw errors[0];
}

/**
 * How often something begins again. An update needs a few results one after the other, and more if others change the
 * object meanwhile.
 */
export const MOST_RETRIES = 24;

const TOO_OFTEN = 'what the request needs changes faster than it can be made; please try again';

export interface Retrying {
  /** Whether this attempt can begin again after it. Without it: always. */
  readonly accepts?: (retry: Retry) => boolean;
  /** Whoever waits for the answer has given up. Nothing more is made then. */
  readonly signal?: Cancellation | undefined;
  /** Is called before the last attempt. */
  readonly onLast?: () => void;
}

/**
 * Makes attempts until one does not throw Retry. Each finds what those before it waited for. After the last one, the
 * answer is 503 with Retry-After, so an attempt must change nothing before it throws.
 */
export function retrying<Result>(
  attempt: () => Result | Promise<Result>,
  options: Retrying = {},
): Result | Promise<Result> {
  try {
    const result = attempt();
    return result instanceof Promise ? result.catch((error: unknown) => retried(error, attempt, options)) : result;
  } catch (error) {
    if (error instanceof Retry) return retried(error, attempt, options);
    throw error;
  }
}

/** `first` is what the first attempt threw. */
async function retried<Result>(
  first: unknown,
  attempt: () => Result | Promise<Result>,
  { accepts = () => true, onLast, signal }: Retrying,
): Promise<Result> {
  const releases: Release[] = [];
  let error = first;
  try {
    for (let retries = 1; error instanceof Retry && accepts(error); retries++) {
      if (retries > MOST_RETRIES) throw serviceUnavailable(TOO_OFTEN, error, 1);
      if (error.ready !== undefined) releases.push(await error.ready(signal));
      if (retries === MOST_RETRIES) onLast?.();
      try {
        return await attempt();
      } catch (next) {
        error = next;
      }
    }
    throw error;
  } finally {
    for (const release of releases) release();
  }
}
