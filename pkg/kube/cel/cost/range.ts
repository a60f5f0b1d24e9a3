/** The smallest and the largest size or cost. They end at 2^64, as numbers of 64 bits in Go. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const END = 2 ** 64;

export const UNKNOWN: Range = { min: 0, max: END };
export const ZERO: Range = { min: 0, max: 0 };
export const ONE: Range = { min: 1, max: 1 };

export function exactly(value: number): Range {
  return { min: value, max: value };
}

export function plus(a: Range, b: Range): Range {
  return { min: Math.min(END, a.min + b.min), max: Math.min(END, a.max + b.max) };
}

export function times(a: Range, b: Range): Range {
  return { min: Math.min(END, a.min * b.min), max: Math.min(END, a.max * b.max) };
}

/** Both ends are rounded up. */
export function scaled(a: Range, factor: number): Range {
  return { min: Math.min(END, Math.ceil(a.min * factor)), max: Math.min(END, Math.ceil(a.max * factor)) };
}

/** From the least of both to the most of both. */
export function either(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

export function total(ranges: readonly Range[]): Range {
  return ranges.reduce(plus, ZERO);
}
