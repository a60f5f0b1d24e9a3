import { humanDuration } from '../../pkg/system/time/human-duration.js';

/** The time since `timestamp`, as kubectl prints ages. Clients print the cells of date columns unchanged. */
export function ageOf(timestamp: string | undefined, now: Date): string {
  const then = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now.getTime() - then);
}
