const WORDS = new Intl.RelativeTimeFormat('en');
/** From the longest, with the seconds of each. */
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Nearer times than so many seconds are now. */
const NOW = 10;

/** How long ago, such as "5 minutes ago", or "in 5 minutes". */
export function relativeTime(at: Date, now = Date.now()): string {
  const seconds = Math.round((at.getTime() - now) / 1000);
  const [unit, length] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
  if (unit === 'second' && Math.abs(seconds) < NOW) return 'just now';
  return WORDS.format(Math.trunc(seconds / length), unit);
}
