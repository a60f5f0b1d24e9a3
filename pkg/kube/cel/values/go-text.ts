/** A double as Go's %g (exponents from 1e+06) or %v (from 1e+21) prints it. */
export function goDouble(value: number, firstExponent = 21): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  if (value === 0) return '0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  const count = digits.replace(/[-.]/g, '').length;
  const limit = firstExponent === 6 && count > 6 && count >= exponent + 1 ? count : firstExponent;
  if (exponent >= -4 && exponent < limit) return plain(value);
  const size = Math.abs(exponent);
  return `${digits}e${exponent < 0 ? '-' : '+'}${size < 10 ? '0' : ''}${size}`;
}

/** A double without an exponent, as Go's strconv.FormatFloat(value, 'f', -1, 64). */
export function plain(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [digits = '', power = '0'] = text.split('e');
  const negative = digits.startsWith('-');
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const exponent = Number(power);
  const sign = negative ? '-' : '';
  if (exponent > 0) return `${sign}${whole}${fraction.padEnd(exponent, '0')}`;
  return `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
}
