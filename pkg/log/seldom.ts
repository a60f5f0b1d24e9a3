import { LRUCache } from 'lru-cache';

/** Milliseconds in which the same message is logged once. */
const PAUSE = 60_000;
const MOST_KNOWN = 100;

/** Logs each message at most once a minute, where strangers can cause them. */
export function seldom(log: (message: string) => void, now: () => number): (message: string) => void {
  const logged = new LRUCache<string, number>({ max: MOST_KNOWN });
  return (message) => {
    const at = logged.get(message);
    if (at !== undefined && now() < at + PAUSE) return;
    logged.set(message, now());
    log(message);
  };
}
