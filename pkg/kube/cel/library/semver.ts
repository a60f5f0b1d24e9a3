import { compareStrings } from '../values/compare.js';
import { CelError, Opaque, type Value } from '../values/value.js';

export interface Semver {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly pre: readonly (bigint | string)[];
}

const UINT_MAX = 2n ** 64n - 1n;
const NAMES = ['Major', 'Minor', 'Patch'] as const;
const IDENTIFIER = /^[0-9A-Za-z-]+$/;
const DIGITS = /^\d+$/;

/** A version as github.com/blang/semver reads it, with its errors. */
export function parseSemver(text: string): Semver | CelError {
  if (text === '') return new CelError('Version string empty');
  const parts = splitThree(text);
  if (parts.length !== 3) return new CelError('No Major.Minor.Patch elements found');
  const [major = '', minor = '', last = ''] = parts;
  const plus = last.indexOf('+');
  const build = plus < 0 ? undefined : last.slice(plus + 1);
  const version = plus < 0 ? last : last.slice(0, plus);
  const dash = version.indexOf('-');
  const pre = dash < 0 ? undefined : version.slice(dash + 1);
  const numbers = [major, minor, dash < 0 ? version : version.slice(0, dash)];
  const read = numbers.map((number, i) => numberOf(NAMES[i] ?? 'Major', number));
  const wrong = read.find((value) => value instanceof CelError) ?? problemOf(pre, build);
  if (wrong instanceof CelError) return wrong;
  const identifiers = (pre?.split('.') ?? []).map((part) => (DIGITS.test(part) ? BigInt(part) : part));
  return { numbers: read as [bigint, bigint, bigint], pre: identifiers };
}

function splitThree(text: string): readonly string[] {
  const [major, minor, ...rest] = text.split('.');
  return rest.length === 0 ? text.split('.') : [major ?? '', minor ?? '', rest.join('.')];
}

function numberOf(name: string, text: string): bigint | CelError {
  const quoted = JSON.stringify(text);
  if (!/^\d*$/.test(text)) return new CelError(`Invalid character(s) found in ${name.toLowerCase()} number ${quoted}`);
  if (text.length > 1 && text.startsWith('0'))
    return new CelError(`${name} number must not contain leading zeroes ${quoted}`);
  const value = text === '' || text.length > 100 ? UINT_MAX + 1n : BigInt(text);
  if (value <= UINT_MAX) return value;
  return new CelError(`strconv.ParseUint: parsing ${quoted}: ${text === '' ? 'invalid syntax' : 'value out of range'}`);
}

function problemOf(pre: string | undefined, build: string | undefined): CelError | undefined {
  for (const part of pre?.split('.') ?? []) {
    if (part === '') return new CelError('Prerelease is empty');
    if (DIGITS.test(part) && part.length > 1 && part.startsWith('0')) {
      return new CelError(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`);
    }
    if (!IDENTIFIER.test(part)) return new CelError(`Invalid character(s) found in prerelease ${JSON.stringify(part)}`);
  }
  for (const part of build?.split('.') ?? []) {
    if (part === '') return new CelError('Build meta data is empty');
    if (!IDENTIFIER.test(part))
      return new CelError(`Invalid character(s) found in build meta data ${JSON.stringify(part)}`);
  }
  return undefined;
}

/** Like `parseSemver`, but it also accepts `v1`, `1.2` and `01.2.3`. */
export function parseTolerantSemver(text: string): Semver | CelError {
  const parts = splitThree(text.startsWith('v') ? text.slice(1) : text).map(withoutZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    return new CelError('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parseSemver(parts.join('.'));
}

function withoutZeros(part: string): string {
  if (part.length <= 1) return part;
  const cut = part.replace(/^0+/, '');
  return /^\d/.test(cut) ? cut : `0${cut}`;
}

export function compareSemver(a: Semver, b: Semver): bigint {
  for (const [i, number] of a.numbers.entries()) {
    const other = b.numbers[i] ?? 0n;
    if (number !== other) return number > other ? 1n : -1n;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return BigInt(Number(a.pre.length === 0) - Number(b.pre.length === 0));
  return comparePre(a.pre, b.pre);
}

function comparePre(a: Semver['pre'], b: Semver['pre']): bigint {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x = 0n, y = 0n] = [a[i], b[i]];
    if (x === y) continue;
    if (typeof x === 'string') return typeof y === 'string' ? BigInt(compareStrings(x, y)) : 1n;
    return typeof y === 'bigint' && x > y ? 1n : -1n;
  }
  return BigInt(Math.sign(a.length - b.length));
}

/** Equal versions have one key. The build is not a part of it. */
export function semverValue(version: Semver): Opaque<Semver> {
  return new Opaque('kubernetes.Semver', version, `${version.numbers.join('.')}-${version.pre.join('.')}`);
}

export function semverOf(value: Value | undefined): Semver | undefined {
  return value instanceof Opaque && value.type === 'kubernetes.Semver' ? (value.content as Semver) : undefined;
}
