import { setTimeout as sleep } from 'node:timers/promises';
import { LegacyFailure, Unreachable } from './failure.js';
import type { LegacyLimits } from './server.js';

/** Waits some milliseconds, or until the signal ends it. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

export const waiting: Wait = (ms, signal) => sleep(ms, undefined, signal && { signal });

export interface RetriesOptions {
  readonly limits: Pick<LegacyLimits, 'attempts' | 'patience'>;
  readonly signal: AbortSignal | undefined;
  /** Told before each wait. */
  readonly onRetry: (error: Error, ms: number) => void;
  readonly wait: Wait;
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;

/** Sends requests again that failed. All of them wait while the server asks one of them to wait. */
export class Retries {
  readonly #options: RetriesOptions;
  /** No request is sent before this time. */
  #notBefore = 0;

  constructor(options: RetriesOptions) {
    this.#options = options;
  }

  /** `isIdempotent` says whether the request may be sent again if its outcome is not known. */
  async run<T>(attempt: () => Promise<T>, isIdempotent: boolean): Promise<T> {
    const { attempts, patience } = this.#options.limits;
    let waited = 0;
    for (let failures = 0; ; ) {
      await this.#pause();
      try {
        return await attempt();
      } catch (error) {
        const isAskedToWait = error instanceof LegacyFailure && error.status === 429;
        if (!isAskedToWait) failures++;
        const ms = pauseOf(error, failures);
        if (isAskedToWait) waited += ms;
        if (failures >= attempts || waited > patience || !mayRepeat(error, isIdempotent)) throw error;
        await this.#later(error as Error, ms, isAskedToWait);
      }
    }
  }

  async #later(error: Error, ms: number, isForAll: boolean): Promise<void> {
    const { onRetry, wait, signal } = this.#options;
    onRetry(error, ms);
    if (isForAll) this.#notBefore = Math.max(this.#notBefore, Date.now() + ms);
    await wait(ms, signal);
  }

  async #pause(): Promise<void> {
    const ms = this.#notBefore - Date.now();
    if (ms > 0) await this.#options.wait(ms, this.#options.signal);
  }
}

/** A request that was refused because of too many others was not carried out, and neither was one that was not sent. */
function mayRepeat(error: unknown, isIdempotent: boolean): boolean {
  if (error instanceof Unreachable) return error.isUnsent || isIdempotent;
  if (!(error instanceof LegacyFailure)) return false;
  return error.status === 429 || (isIdempotent && error.status >= 500);
}

/** What the server asks for, or twice as long after each failure, and not at the same moment as others. */
function pauseOf(error: unknown, failures: number): number {
  const asked = error instanceof LegacyFailure ? error.retryAfter : undefined;
  if (asked !== undefined) return asked * 1000;
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.max(0, failures - 1));
  return Math.round(pause * (0.5 + Math.random() / 2));
}
