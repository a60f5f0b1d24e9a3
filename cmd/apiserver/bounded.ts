import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for `work`, but at most `bound` milliseconds. Returns false if it has not ended; it then continues. */
export async function endsWithin(work: Promise<unknown>, bound: number): Promise<boolean> {
  const enough = new AbortController();
  const late = sleep(bound, false, { signal: enough.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    enough.abort();
  }
}
