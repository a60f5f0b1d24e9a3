const SECOND = 1_000_000_000n;
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};

const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
const LARGEST = 2n ** 63n - 1n;

/** The nanoseconds of a text such as `1h30m`, as Go's time.ParseDuration. Undefined if it is not one. */
export function goDuration(text: string): bigint | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const rest = text.slice(sign.length);
  if (rest === '0') return 0n;
  if (rest === '' || rest.length > 400) return undefined;
  let nanos = 0n;
  for (let at = 0; at < rest.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const match = PART.exec(rest);
    if (match === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = match;
    if (whole === '' && fraction === '') return undefined;
    const size = UNITS[unit] ?? 0n;
    nanos += BigInt(whole === '' ? 0 : whole) * size + fractionOf(fraction, size);
    if (nanos > LARGEST + 1n) return undefined;
  }
  const total = sign === '-' ? -nanos : nanos;
  return total > LARGEST ? undefined : total;
}

function fractionOf(digits: string, size: bigint): bigint {
  if (digits === '') return 0n;
  const used = digits.slice(0, 18);
  return (BigInt(used) * size) / 10n ** BigInt(used.length);
}
