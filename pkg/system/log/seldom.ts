import { LRUCache } from 'lru-cache';

/** Milliseconds in which the same message is logged once. */
const PAUSE = 60_000;
const MOST_KNOWN = 100;

/**
 * Logs each message at most once in `pause` milliseconds, a minute by default. It is for messages that strangers can
 * cause. `now` gives milliseconds.
 */
export function seldom<Details extends readonly unknown[] = []>(
  log: (message: string, ...details: Details) => void,
  now: () => number,
  pause = PAUSE,
): (message: string, ...details: Details) => void {
  const logged = new LRUCache<string, number>({ max: MOST_KNOWN });
  return (message, ...details) => {
    const at = logged.get(message);
    if (at !== undefined && now() < at + pause) return;
    logged.set(message, now());
    log(message, ...details);
  };
}
