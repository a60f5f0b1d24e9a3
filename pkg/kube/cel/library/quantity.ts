import { typeNameOf } from '../values/type-name.js';
import { CelError, INT_MAX, INT_MIN, Opaque, type Value } from '../values/value.js';

/** `unscaled * 10^exponent` */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  /** Whether Kubernetes keeps it as a decimal number, which it does not convert to an integer. */
  readonly isDecimal: boolean;
}

const WRONG = new CelError(
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
);
const SUFFIX = new CelError("unable to parse quantity's suffix");
const NUMERIC = new CelError('unable to parse numeric part of quantity');

const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;
const EXPONENT = /^[eE]([+-]?\d+)$/;
const NANO = -9;
const MAX_DIGITS = 18;
/** Longer numbers have no use, and would take too long. */
const MAX_LENGTH = 1000;
const MAX_EXPONENT = 1000;

export function parseQuantity(text: string): Quantity | CelError {
  const match = text.length > MAX_LENGTH ? null : SHAPE.exec(text);
  if (match === null || text === '') return WRONG;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const num = whole.replace(/^0+/, '') || '0';
  const power = powerOf(suffix);
  if (power === undefined) return SUFFIX;
  const digits = BigInt(`${num}${fraction}`) * 2n ** BigInt(power.binary);
  const exponent = power.decimal - fraction.length;
  const isLarge = !isSmall(num, fraction, power, exponent);
  // As in Kubernetes, a text without digits is 0, unless it is read as a decimal number.
  if (isLarge && whole === '' && fraction === '') return NUMERIC;
  const isDecimal = isLarge || digits > INT_MAX;
  const parsed = { unscaled: sign === '-' ? -digits : digits, exponent, isDecimal };
  return isDecimal ? rounded(parsed, power.binary > 0) : parsed;
}

interface Power {
  readonly decimal: number;
  readonly binary: number;
}

function powerOf(suffix: string): Power | undefined {
  if (Object.hasOwn(DECIMAL, suffix)) return { decimal: DECIMAL[suffix] ?? 0, binary: 0 };
  if (Object.hasOwn(BINARY, suffix)) return { decimal: 0, binary: BINARY[suffix] ?? 0 };
  const exponent = Number(EXPONENT.exec(suffix)?.[1]);
  return Math.abs(exponent) <= MAX_EXPONENT ? { decimal: exponent, binary: 0 } : undefined;
}

/** Whether Kubernetes keeps the number in 64 bits. */
function isSmall(num: string, fraction: string, { binary }: Power, exponent: number): boolean {
  if (binary === 0) return num.length + fraction.length <= MAX_DIGITS && exponent >= NANO;
  return fraction === '' && 15 - num.length - Math.trunc((binary * 3) / 10) - 1 >= 0;
}

/** Rounds to nanos, away from zero. A quantity with a binary suffix is at most the greatest integer. */
function rounded(quantity: Quantity, isBinary: boolean): Quantity {
  const cut = NANO - quantity.exponent;
  const divisor = 10n ** BigInt(Math.max(0, cut));
  const size = quantity.unscaled < 0n ? -quantity.unscaled : quantity.unscaled;
  const up = (size + divisor - 1n) / divisor;
  const exponent = Math.max(quantity.exponent, NANO);
  const capped =
    isBinary && exponent <= 0 && up > INT_MAX * 10n ** BigInt(-exponent) ? INT_MAX * 10n ** BigInt(-exponent) : up;
  return { ...quantity, unscaled: quantity.unscaled < 0n ? -capped : capped, exponent };
}

function aligned(a: Quantity, b: Quantity): readonly [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = (q: Quantity) => q.unscaled * 10n ** BigInt(q.exponent - exponent);
  return [scale(a), scale(b), exponent];
}

export function compareQuantities(a: Quantity, b: Quantity): bigint {
  const [x, y] = aligned(a, b);
  if (x === y) return 0n;
  return x < y ? -1n : 1n;
}

export function addQuantities(a: Quantity, b: Quantity, sign: 1n | -1n): Quantity {
  const [x, y, exponent] = aligned(a, b);
  const unscaled = x + sign * y;
  return { unscaled, exponent, isDecimal: a.isDecimal || b.isDecimal || unscaled > INT_MAX || unscaled < INT_MIN };
}

/** The value as an int of 64 bits, if it is one. */
export function wholeOf({ unscaled, exponent, isDecimal }: Quantity): bigint | undefined {
  if (isDecimal) return undefined;
  const divisor = 10n ** BigInt(Math.max(0, -exponent));
  const value = (unscaled * 10n ** BigInt(Math.max(0, exponent))) / divisor;
  const isExact = unscaled % divisor === 0n;
  return isExact && value <= INT_MAX && value >= INT_MIN ? value : undefined;
}

export function approximate({ unscaled, exponent }: Quantity): number {
  return exponent === 0 ? Number(unscaled) : Number(unscaled) * 10 ** exponent;
}

/** The quantity as a value. Equal ones have one key. */
export function quantityValue(quantity: Quantity): Opaque<Quantity> {
  let { unscaled, exponent } = quantity;
  while (unscaled !== 0n && unscaled % 10n === 0n) {
    unscaled /= 10n;
    exponent++;
  }
  return new Opaque('kubernetes.Quantity', quantity, unscaled === 0n ? '0' : `${unscaled}e${exponent}`);
}

export function quantityOf(value: Value | undefined): Quantity | undefined {
  return value instanceof Opaque && typeNameOf(value) === 'kubernetes.Quantity'
    ? (value.content as Quantity)
    : undefined;
}
