/** The units of times that are relative to `now`, such as `now-6h`. */
export const UNITS = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  M: 'month',
  Q: 'quarter',
  y: 'year',
} as const;

export type Unit = keyof typeof UNITS;
