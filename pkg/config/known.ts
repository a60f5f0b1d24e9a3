import { closestMatch } from 'leven';
import { z } from 'zod';
import { AUTH_PROVIDERS, Settings } from './schema.js';

export interface KnownSetting {
  /** `section.name`. */
  readonly key: string;
  readonly description: string;
  /** The default as a person would write it; undefined when it may stay unset. */
  readonly fallback: string | undefined;
  /** What happens when it is unset. */
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

/** Every setting with a fixed name, in the order of the schema. */
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

/** The setting that an environment variable stands for. */
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
