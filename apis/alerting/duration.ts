/** The units of a duration, in the order in which they are written, with their seconds. */
const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ['y', 365 * 86_400],
  ['w', 7 * 86_400],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
  ['ms', 0.001],
];

/**
 * A duration as Prometheus writes it: `5m`, `1h30m`, `0`. An empty text matches, too: clients in Go read this pattern,
 * and RE2 has no way to look ahead.
 */
export const DURATION = new RegExp(`^(?:0|${UNITS.map(([unit]) => `(?:([0-9]{1,9})${unit})?`).join('')})$`);

/** Returns 0 for a text that is no duration. */
export function secondsOf(duration: string): number {
  const [, ...amounts] = DURATION.exec(duration) ?? [];
  return UNITS.reduce((sum, [, seconds], index) => sum + Number(amounts[index] ?? 0) * seconds, 0);
}

/**
 * The shortest text for a number of whole seconds: `90` is `1m30s`. Days and longer units are not used, as in the API
 * that callers know.
 */
export function durationOf(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.slice(3, 6).map(([unit, length]) => {
    const amount = Math.floor(rest / length);
    rest -= amount * length;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}
