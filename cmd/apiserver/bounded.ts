import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for `work`, but no longer than `bound` milliseconds: false if it is still going on then. It is not stopped by that. */
export async function endsWithin(work: Promise<unknown>, bound: number): Promise<boolean> {
  const enough = new AbortController();
  const late = sleep(bound, false, { signal: enough.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    enough.abort();
  }
}
