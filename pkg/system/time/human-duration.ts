const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** For ages below `below` seconds: the count of `unit`, followed by the count of `rest` if it is not zero. */
interface Step {
  readonly below: number;
  readonly unit: readonly [seconds: number, suffix: string];
  readonly rest?: readonly [seconds: number, suffix: string];
}

/** A small count has a second unit. A large count has none. */
const STEPS: readonly Step[] = [
  { below: 2 * MINUTE, unit: [1, 's'] },
  { below: 10 * MINUTE, unit: [MINUTE, 'm'], rest: [1, 's'] },
  { below: 3 * HOUR, unit: [MINUTE, 'm'] },
  { below: 8 * HOUR, unit: [HOUR, 'h'], rest: [MINUTE, 'm'] },
  { below: 2 * DAY, unit: [HOUR, 'h'] },
  { below: 8 * DAY, unit: [DAY, 'd'], rest: [HOUR, 'h'] },
  { below: 2 * YEAR, unit: [DAY, 'd'] },
  { below: 8 * YEAR, unit: [YEAR, 'y'], rest: [DAY, 'd'] },
  { below: Number.POSITIVE_INFINITY, unit: [YEAR, 'y'] },
];

/**
 * A duration in at most two units, as kubectl shows ages: `5m10s`, `3d4h`. No package is used, because packages that
 * format durations round differently from kubectl.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  return seconds < -1 ? '<invalid>' : render(Math.max(seconds, 0));
}

function render(seconds: number): string {
  const step = STEPS.find(({ below }) => seconds < below) as Step;
  const [size, suffix] = step.unit;
  const head = `${Math.floor(seconds / size)}${suffix}`;
  const rest = step.rest === undefined ? 0 : Math.floor((seconds % size) / step.rest[0]);
  return rest === 0 ? head : `${head}${rest}${step.rest?.[1]}`;
}
