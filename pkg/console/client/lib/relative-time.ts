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

/** How long ago, such as "5 minutes ago", or "in 5 minutes". */
export function relativeTime(at: Date, now = Date.now()): string {
  const seconds = Math.round((at.getTime() - now) / 1000);
  const [unit, length] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
  // Minus zero is "0 seconds ago".
  return WORDS.format(Math.trunc(seconds / length) || -0, unit);
}
