import { hash } from 'node:crypto';

const MINUTE = 60_000;

/** The units of ages, largest first. Clients expect months of 30.4 days and years of 365 days. */
const UNITS: readonly (readonly [minutes: number, unit: string])[] = [
  [525_600, 'y'],
  [43_800, 'M'],
  [1_440, 'd'],
  [60, 'h'],
  [1, 'm'],
];

/** The age in its largest unit, such as `10m` or `2y`; `< 1m` for less than a minute and for times in the future. */
export function compactAge(at: number, now: number): string {
  const minutes = Math.floor((now - at) / MINUTE);
  for (const [size, unit] of UNITS) if (minutes >= size) return `${Math.floor(minutes / size)}${unit}`;
  return '< 1m';
}

/** The time at which a user who never called was last seen, by convention: ten years before the user was created. */
export function neverSeen(created: number): number {
  const date = new Date(created);
  date.setUTCFullYear(date.getUTCFullYear() - 10);
  return date.getTime();
}

/** The zero time, as Go writes it: something that never expires, or never happened. */
export const NEVER = '0001-01-01T00:00:00Z';

/** The time in RFC 3339 with seconds and offset. */
export function time(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** The path of the picture of an e-mail address; empty without an address. */
export function avatarUrl(email: string): string {
  if (email === '') return '';
  return `/avatar/${hash('md5', email.trim().toLowerCase())}`;
}

/** The path of the picture of a team: by its address, otherwise by its name. */
export function teamAvatarUrl(email: string | undefined, title: string): string {
  return avatarUrl(email || `${title.replace(/[^a-zA-Z0-9]/g, '')}@localhost`);
}

/** The title in lower case, with `-` for everything that is neither a letter nor a digit. */
export function slug(title: string): string {
  return asciiSlug(title) || Buffer.from(title.trim()).toString('base64url').slice(0, LONGEST_ENCODED);
}

/**
 * Characters of the slug of a title without letters and digits of ASCII. An empty one would change the form of the
 * address.
 */
const LONGEST_ENCODED = 100;

/** The letters and digits of ASCII in a title. Empty for one that has none, such as a title in Chinese. */
export function asciiSlug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
