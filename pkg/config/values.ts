import { z } from 'zod';
import { ORGANIZATION_ROLES, type OrganizationRole } from '../identity/signon/roles.js';
import { parseNetwork } from '../system/net/networks.js';

/**
 * Schemas that turn the text of a setting into a value. By hand because `ms` does not read `1h30m`, and `bytes` takes
 * `MB` for MiB.
 */

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const BYTES = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 } as const;

/** `5m`, `60s`, `1h30m` → milliseconds. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g);
  let total = 0;
  for (const [, amount, unit] of parts) total += Number(amount) * MILLISECONDS[unit as keyof typeof MILLISECONDS];
  return Math.round(total);
}

/** Milliseconds as `parseDuration` reads them: `1h30m`. */
export function formatDuration(milliseconds: number): string {
  let left = milliseconds;
  const parts = LARGEST_FIRST.flatMap((unit) => {
    const amount = Math.floor(left / MILLISECONDS[unit]);
    left -= amount * MILLISECONDS[unit];
    return amount === 0 ? [] : [`${amount}${unit}`];
  });
  return parts.length === 0 ? '0s' : parts.join('');
}

const LARGEST_FIRST = ['d', 'h', 'm', 's', 'ms'] as const;

/** `3 MiB`, `512 KB`, `1048576` → bytes. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]i?b|b)?$/i.exec(text);
  if (match === null) return undefined;
  const unit = (match[2] ?? 'B').toUpperCase() as keyof typeof BYTES;
  return Math.round(Number(match[1]) * BYTES[unit]);
}

const TRUE = new Set(['true', 'yes', 'on', '1']);
const FALSE = new Set(['false', 'no', 'off', '0']);

/**
 * A schema that parses text. `parse` returns undefined for text that it cannot read; the message then tells what was
 * expected.
 */
function read<T>(parse: (text: string) => T | undefined, expected: string) {
  return z.string().transform((text, ctx): T => {
    const value = parse(text.trim());
    if (value !== undefined) return value;
    ctx.issues.push({ code: 'custom', message: `expected ${expected}`, input: text });
    return z.NEVER;
  });
}

const parseFlag = (text: string): boolean | undefined => {
  const lower = text.toLowerCase();
  return TRUE.has(lower) ? true : FALSE.has(lower) ? false : undefined;
};

const parseWhole = (min: number, max: number) => (text: string) => {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
};

const parseRatio = (text: string): number | undefined => {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return value >= 0 && value <= 1 ? value : undefined;
};

const splitNames = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const parseNetworks = (text: string): readonly string[] | undefined => {
  const networks = splitNames(text);
  return networks.every((network) => parseNetwork(network) !== undefined) ? networks : undefined;
};

/** The role of the members of a group at a provider. */
export interface GroupRole {
  readonly group: string;
  readonly role: OrganizationRole;
}

const parseGroupRoles = (text: string): readonly GroupRole[] | undefined => {
  const pairs = splitNames(text).map((pair): GroupRole | undefined => {
    const colon = pair.lastIndexOf(':');
    const role = ORGANIZATION_ROLES.find(
      (one) =>
        one.toLowerCase() ===
        pair
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
    );
    const group = pair.slice(0, Math.max(0, colon)).trim();
    return role === undefined || group === '' ? undefined : { group, role };
  });
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
};

const MOST_WORKERS = 64;

/** With commas between the thousands. */
const grouped = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');

export const flag = () => read(parseFlag, 'true or false');
export const whole = (min: number, max: number) =>
  read(parseWhole(min, max), `a whole number from ${min} to ${grouped(max)}`);
export const workers = () =>
  read<number | 'auto'>(
    (text) => (text.toLowerCase() === 'auto' ? 'auto' : parseWhole(1, MOST_WORKERS)(text)),
    `auto, or a whole number from 1 to ${MOST_WORKERS}`,
  );
export const port = () => read(parseWhole(-1, 65_535), 'a port: 1 to 65535, 0 for any free one, or -1 for none');
export const ratio = () => read(parseRatio, 'a number from 0 to 1, such as 0.1');
export const names = () => read(splitNames, 'names separated by commas');
export const networks = () => read(parseNetworks, 'IP addresses and networks such as 10.0.0.0/8, separated by commas');
export const groupRoles = () => read(parseGroupRoles, 'group:role pairs separated by commas, such as platform:Admin');
export const text = () => z.string();
/** The slashes are checked because `URL` also accepts http:name. */
export const webUrl = (example: string) =>
  text().refine(
    (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
    `expected a URL that begins with http:// or https://, such as ${example}`,
  );

/** `a, b or c`. Intl.ListFormat would do this, too, but it loads data, which takes 15 ms of each start. */
const either = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ');

const EXAMPLES = ['90s', '5m', '1h30m'];

export const duration = (min: number) => {
  const examples = EXAMPLES.filter((example) => (parseDuration(example) ?? 0) >= min);
  return read(
    (value) => {
      const milliseconds = parseDuration(value);
      return milliseconds === undefined || milliseconds < min ? undefined : milliseconds;
    },
    `a duration of at least ${min / 1000}s, such as ${either(examples)}`,
  ).meta({ isDuration: true });
};

/** The size in the largest unit of which it is a whole number: `1 MiB`. */
function formatSize(bytes: number): string {
  const unit = UNITS.find((name) => bytes % BYTES[name] === 0) ?? 'B';
  return `${bytes / BYTES[unit]} ${unit.replace('I', 'i')}`;
}

const UNITS = ['GIB', 'MIB', 'KIB'] as const;

export const size = (min: number, max: number) =>
  read(
    (value) => {
      const bytes = parseSize(value);
      return bytes === undefined || bytes < min || bytes > max ? undefined : bytes;
    },
    `a size from ${formatSize(min)} to ${formatSize(max)}, such as ${formatSize(3 * min)}`,
  );
