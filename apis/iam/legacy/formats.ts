import { hash } from 'node:crypto';

const MINUTE = 60_000;

/** Largest first; months and years are those of the callers: 30.4 and 365 days. */
const UNITS: readonly (readonly [minutes: number, unit: string])[] = [
  [525_600, 'y'],
  [43_800, 'M'],
  [1_440, 'd'],
  [60, 'h'],
  [1, 'm'],
];

/** How long ago something was, in its largest unit: `10m`, `2y`. Not a minute ago, or in the future: `< 1m`. */
export function compactAge(at: number, now: number): string {
  const minutes = Math.floor((now - at) / MINUTE);
  for (const [size, unit] of UNITS) if (minutes >= size) return `${Math.floor(minutes / size)}${unit}`;
  return '< 1m';
}

/** When a user who never called was last seen: ten years before they were created. */
export function neverSeen(created: number): number {
  const date = new Date(created);
  date.setUTCFullYear(date.getUTCFullYear() - 10);
  return date.getTime();
}

/** RFC 3339 in seconds, with the offset. */
export function time(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Where the picture of an e-mail address is; none for none. */
export function avatarUrl(email: string): string {
  if (email === '') return '';
  return `/avatar/${hash('md5', email.trim().toLowerCase())}`;
}

/** A team without an address has the picture of its name. */
export function teamAvatarUrl(email: string | undefined, title: string): string {
  return avatarUrl(email || `${title.replace(/[^a-zA-Z0-9]/g, '')}@localhost`);
}

/** Lower case, with `-` for what is neither letter nor digit. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
