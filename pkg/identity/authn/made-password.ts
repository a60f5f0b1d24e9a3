import { randomBytes } from 'node:crypto';

/** Without characters that look alike: 32 of them, so that each is equally likely. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const [GROUPS, GROUP] = [4, 5];

/** A random password of at least about 100 bits, which people can type. It has at least `minLength` characters. */
export function madePassword(minLength: number): string {
  const groups = Math.max(GROUPS, Math.ceil((minLength + 1) / (GROUP + 1)));
  const letters = [...randomBytes(groups * GROUP)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return Array.from({ length: groups }, (_, at) => letters.slice(at * GROUP, (at + 1) * GROUP)).join('-');
}
