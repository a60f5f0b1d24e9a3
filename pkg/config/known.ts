import { closestMatch } from 'leven';
import { z } from 'zod';
import { AUTH_PROVIDERS, Settings } from './schema.js';

export interface KnownSetting {
  /** `section.name`. */
  readonly key: string;
  readonly description: string;
  /** The default as people write it; undefined if the setting has no default. */
  readonly fallback: string | undefined;
  /** What applies if the setting is not set. */
  readonly otherwise: string | undefined;
}

const AS_TEXT = z.string().optional().catch(undefined);

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodPrefault ? unwrap(schema.unwrap()) : schema;
}

function walk(schema: z.ZodType, path: readonly string[]): readonly KnownSetting[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    const entries = Object.entries(inner.shape as Readonly<Record<string, z.ZodType>>);
    return entries.flatMap(([name, child]) => walk(child, [...path, name]));
  }
  if (inner instanceof z.ZodRecord) return [];
  const meta = schema.meta();
  const [description, fallback, otherwise] = [meta?.description, meta?.['fallback'], meta?.['otherwise']];
  return [
    {
      key: path.join('.'),
      description: description ?? '',
      fallback: AS_TEXT.parse(fallback),
      otherwise: AS_TEXT.parse(otherwise),
    },
  ];
}

/** All settings with a fixed name, in the order of the schema. */
export const KNOWN_SETTINGS: readonly KnownSetting[] = walk(Settings, []);
const KNOWN_KEYS: ReadonlySet<string> = new Set(KNOWN_SETTINGS.map((known) => known.key));

const PROVIDER_KEY = new RegExp(`^auth\\.(${AUTH_PROVIDERS.join('|')})\\.[a-z][a-z0-9_]*$`);

export const isKnown = (key: string): boolean => KNOWN_KEYS.has(key) || PROVIDER_KEY.test(key);

export const ENVIRONMENT_PREFIX = 'APISERVER_';

/** `server.http_port` → `APISERVER_SERVER_HTTP_PORT`. */
export const environmentName = (key: string): string => ENVIRONMENT_PREFIX + key.toUpperCase().replaceAll(/[.-]/g, '_');

const BY_ENVIRONMENT_NAME = new Map(KNOWN_SETTINGS.map((known) => [environmentName(known.key), known.key]));
const PROVIDER_NAME = new RegExp(
  `^${ENVIRONMENT_PREFIX}AUTH_(${AUTH_PROVIDERS.join('|').toUpperCase()})_([A-Z][A-Z0-9_]*)$`,
);

/** The setting of an environment variable. */
export function keyOfEnvironmentName(name: string): string | undefined {
  const known = BY_ENVIRONMENT_NAME.get(name);
  if (known !== undefined) return known;
  const match = PROVIDER_NAME.exec(name);
  return match === null ? undefined : `auth.${match[1]?.toLowerCase()}.${match[2]?.toLowerCase()}`;
}

/** The known setting with the smallest edit distance to `key`. */
export function nearestKnown(key: string): string {
  const lastPart = key.split('.').at(-1);
  const candidates = [...KNOWN_KEYS, ...AUTH_PROVIDERS.map((name) => `auth.${name}.${lastPart}`)];
  return closestMatch(key.slice(0, 100), candidates) ?? '';
}

const INTRODUCTION = `Usage: npm start -- [--config=FILE] [--section.name=value ...]

A setting can be an argument, an environment variable, or a line of an INI file. An argument overrides the environment,
and the environment overrides the file. For example, the line http_port = 3000 in the section [server] of the file is
the argument --server.http_port=3000 and the environment variable APISERVER_SERVER_HTTP_PORT=3000.
If __FILE is added to the name, the value is read from a file: --security.admin_password__FILE=/run/secrets/admin
In the INI file, a value that contains ; or # must be in quotes.

  --config=FILE   Read settings from this INI file.
  --help          Print this text.
  --version       Print the version.
`;

const entry = ({ key, description, fallback, otherwise }: KnownSetting): string =>
  `  --${key}=…\n      ${description}\n      Default: ${fallback ?? otherwise ?? 'none'}\n`;

/** The text that `--help` prints. */
export function helpText(): string {
  const providers = `  --auth.<provider>.<key>=…\n      Settings of a sign-on provider: ${AUTH_PROVIDERS.join(', ')}.\n`;
  return `${INTRODUCTION}\nSettings:\n\n${[...KNOWN_SETTINGS.map(entry), providers].join('\n')}`;
}
