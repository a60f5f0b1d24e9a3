import { setTimeout as sleep } from 'node:timers/promises';

/** The least of some waits. Absent: none of them ends by itself. */
export function earliest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Waits so many milliseconds, or until one of the promises is fulfilled. Absent: only for these. */
export async function resting(milliseconds: number | undefined, wakers: readonly Promise<void>[]): Promise<void> {
  const over = new AbortController();
  const pause = milliseconds === undefined ? [] : [sleep(milliseconds, undefined, { signal: over.signal, ref: false })];
  await Promise.race([...wakers, ...pause.map((one) => one.catch(() => undefined))]);
  over.abort();
}
