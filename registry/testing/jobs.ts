import type { Job } from '../background/background.js';
import type { World } from './world.js';

export const GOES_ON = new AbortController().signal;

/** Runs the jobs as long as they write. */
export async function settle({ registry }: World, jobs: readonly Job[]): Promise<void> {
  for (let before = -1; before < registry.reader.revision; ) {
    before = registry.reader.revision;
    for (const job of jobs) await job.run(GOES_ON);
  }
}
