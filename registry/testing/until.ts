import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds. The timeout of the test ends it otherwise. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(2);
}
