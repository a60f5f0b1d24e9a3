/** An IP address: its number, and how many bits it has. */
export interface Address {
  readonly value: bigint;
  readonly bits: 32 | 128;
}

/** Why a text is no address, in the words of Go's netip. */
export interface AddressProblem {
  readonly problem: string;
}

export function isProblem(value: Address | AddressProblem): value is AddressProblem {
  return 'problem' in value;
}

/** The address of a text without a zone. */
export function parseAddress(text: string): Address | AddressProblem {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return parseFour(text, text);
  if (first === ':') return parseSix(text);
  if (first === '%') return fail(text, 'missing IPv6 address');
  return fail(text, 'unable to parse IP');
}

function fail(text: string, message: string): AddressProblem {
  return { problem: `ParseAddr(${JSON.stringify(text)}): ${message}` };
}

function parseFour(text: string, whole: string): Address | AddressProblem {
  const fields = text.split('.');
  let value = 0n;
  for (const [i, field] of fields.entries()) {
    const strange = /[^0-9]/.exec(field);
    if (strange !== null)
      return fail(whole, `unexpected character (at ${JSON.stringify(text.slice(text.indexOf(strange[0])))})`);
    if (field === '') {
      const rest = JSON.stringify(
        fields.slice(i === 0 ? 0 : i).join('.') === '' ? '.' : `.${fields.slice(i + 1).join('.')}`,
      );
      return fail(whole, `IPv4 field must have at least one digit (at ${rest})`);
    }
    if (field.length > 1 && field.startsWith('0')) return fail(whole, 'IPv4 field has octet with leading zero');
    if (Number(field) > 255) return fail(whole, 'IPv4 field has value >255');
    value = value * 256n + BigInt(field);
    if (i > 3) return fail(whole, 'IPv4 address too long');
  }
  return fields.length < 4 ? fail(whole, 'IPv4 address too short') : { value, bits: 32 };
}

function parseSix(text: string): Address | AddressProblem {
  const halves = text.split('::');
  if (halves.length > 2) return fail(text, 'multiple :: in address');
  const [left, right] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...(left ?? []), ...(right ?? [])];
  const numbers: bigint[] = [];
  for (const [i, group] of groups.entries()) {
    if (i === groups.length - 1 && group.includes('.')) {
      const four = parseFour(group, text);
      if (isProblem(four)) return four;
      numbers.push(four.value >> 16n, four.value & 0xffffn);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(group)) numbers.push(BigInt(`0x${group}`));
    else return fail(text, group.length > 4 ? 'each group must have 4 or fewer digits' : 'unexpected character');
  }
  const missing = 8 - numbers.length;
  if (right === undefined ? missing !== 0 : missing < 1) {
    return fail(text, missing > 0 ? 'address string too short' : 'trailing garbage after address');
  }
  const start = (left ?? []).length;
  const all = [...numbers.slice(0, start), ...Array.from({ length: missing }, () => 0n), ...numbers.slice(start)];
  return { value: all.reduce((sum, number) => (sum << 16n) | number, 0n), bits: 128 };
}

/** The shortest form, with the longest row of zeros left out. */
export function addressText({ value, bits }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  const [start, length] = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly string[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (groups[end] === '0') end++;
    if (end - i > best[1]) best = [i, end - i];
  }
  return best;
}

/** Whether it is an address of IPv4 that is written as one of IPv6. */
export function isMapped({ value, bits }: Address): boolean {
  return bits === 128 && value >> 32n === 0xffffn;
}

/** The first `prefix` bits of the address. The others are 0. */
export function maskedValue({ value, bits }: Address, prefix: number): bigint {
  const rest = BigInt(bits - prefix);
  return (value >> rest) << rest;
}
