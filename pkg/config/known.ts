import leven, { closestMatch } from 'leven';
import { z } from 'zod';
import { SIGN_ON_PROVIDERS } from '../identity/signon/keys.js';
import { keysOf, SIGN_ON_KEYS, snakeCase } from '../identity/signon/values.js';
import type { Places } from './places.js';
import { Settings } from './schema.js';

export interface KnownSetting {
  /** `section.name`. */
  readonly key: string;
  readonly description: string;
  /** The default as people write it; undefined if the setting has no default. */
  readonly fallback: string | undefined;
  /** What applies if the setting is not set. */
  readonly otherwise: string | undefined;
  /** Its value is in milliseconds, and people write `5m`. */
  readonly isDuration: boolean;
}

const AS_TEXT = z.string().optional().catch(undefined);

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodPrefault ? unwrap(schema.unwrap()) : schema;
}

function innermost(schema: z.ZodType): z.ZodType {
  const isWrapped = schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional;
  return isWrapped ? innermost(schema.unwrap() as z.ZodType) : schema;
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
      isDuration: innermost(schema).meta()?.['isDuration'] === true,
    },
  ];
}

const SECTION = new RegExp(`^auth\\.(${SIGN_ON_PROVIDERS.join('|')})\\.`);

const ALL: readonly KnownSetting[] = walk(Settings, []);
const KNOWN_KEYS: ReadonlySet<string> = new Set(ALL.map((known) => known.key));

/** All settings but those of the sign-on providers, in the order of the schema. */
export const KNOWN_SETTINGS: readonly KnownSetting[] = ALL.filter(({ key }) => !SECTION.test(key));

const DURATIONS: ReadonlySet<string> = new Set(ALL.filter(({ isDuration }) => isDuration).map(({ key }) => key));

/** Whether the value of a setting is a duration in milliseconds. */
export const isDuration = (key: string): boolean => DURATIONS.has(key);

export const isKnown = (key: string): boolean => KNOWN_KEYS.has(key);

export const ENVIRONMENT_PREFIX = 'APISERVER_';

/** `server.http_port` → `APISERVER_SERVER_HTTP_PORT`. */
export const environmentName = (key: string): string => ENVIRONMENT_PREFIX + key.toUpperCase().replaceAll(/[.-]/g, '_');

const BY_ENVIRONMENT_NAME = new Map(ALL.map((known) => [environmentName(known.key), known.key]));

/** The setting of an environment variable. */
export const keyOfEnvironmentName = (name: string): string | undefined => BY_ENVIRONMENT_NAME.get(name);

/**
 * The known setting with the smallest edit distance to `key`. Undefined if that differs in more than half of its
 * characters.
 */
export function nearestKnown(key: string): string | undefined {
  const short = key.slice(0, 100);
  const nearest = closestMatch(short, [...KNOWN_KEYS]) ?? '';
  return leven(short, nearest) * 2 > nearest.length ? undefined : nearest;
}

const INTRODUCTION = `Usage: dashboard-apiserver [--config=FILE] [--section.name=value ...]

A setting can be an argument, an environment variable, or a line of an INI file. An argument overrides the environment,
and the environment overrides the file. For example, the line http_port = 3000 in the section [server] of the file is
the argument --server.http_port=3000 and the environment variable APISERVER_SERVER_HTTP_PORT=3000.
If __FILE is added to the name, the value is read from a file: --security.admin_password__FILE=/run/secrets/admin
In the INI file, a value that contains ; or # must be in quotes.

  --config=FILE   Read settings from this INI file.
  --profile[=DIR] Write a CPU profile and a summary of the memory into DIR (./profile) when the server stops.
  --help[=TOPIC]  Print this text, or the settings of a section, or all of them (--help=all).
  --version       Print the version.

Exit codes: 0 stopped as asked, 1 cannot start, has failed, or was stopped at once by a second signal, 2 wrong usage or settings
`;

const entry = ({ key, description, fallback, otherwise }: KnownSetting): string =>
  `  --${key}=…\n      ${description}\n      Default: ${fallback === '' ? 'empty' : (fallback ?? otherwise ?? 'none')}\n`;

/** Most keys are those of several providers, so each is described once. */
function providersHelp(): string {
  const descriptions = new Map(
    SIGN_ON_PROVIDERS.flatMap(keysOf).map((key) => [snakeCase(key), SIGN_ON_KEYS[key].description]),
  );
  const keys = [...descriptions].map(([name, description]) => `      ${name}: ${description}\n`);
  return `  --auth.<provider>.<key>=…\n      Settings of a sign-on provider: ${SIGN_ON_PROVIDERS.join(', ')}.\n      Settings in the database (/api/v1/sso-settings) override them.\n${keys.join('')}`;
}

const ALL_TOPICS = 'all';
/** The section that also has the settings of the providers. */
const PROVIDERS_SECTION = 'auth';

const sectionOf = ({ key }: KnownSetting): string => key.slice(0, key.indexOf('.'));

/** What `--help=TOPIC` takes. */
export const HELP_TOPICS: readonly string[] = [...new Set(KNOWN_SETTINGS.map(sectionOf)), ALL_TOPICS];

/** The text that `--help` prints about all sections, or about the topic. Undefined if there is no such topic. */
export function helpText(topic: string | undefined, places: Places): string | undefined {
  if (topic === undefined) return [INTRODUCTION, placesHelp(places), topicsHelp()].join('\n');
  if (!HELP_TOPICS.includes(topic)) return undefined;
  const settings = KNOWN_SETTINGS.map((known) => withPlace(known, places));
  if (topic === ALL_TOPICS)
    return [INTRODUCTION, placesHelp(places), ...settings.map(entry), providersHelp()].join('\n');
  const own = settings.filter((known) => sectionOf(known) === topic).map(entry);
  return (topic === PROVIDERS_SECTION ? [...own, providersHelp()] : own).join('\n');
}

function placesHelp({ data, settings }: Places): string {
  const file = settings === undefined ? '' : `Without --config, settings are read from ${settings} if it is there.\n`;
  return `${file}Without --paths.data, data is in ${data}.\n`;
}

function topicsHelp(): string {
  const lines = HELP_TOPICS.filter((topic) => topic !== ALL_TOPICS).map((topic) => {
    const names = KNOWN_SETTINGS.filter((known) => sectionOf(known) === topic).map(({ key }) =>
      key.slice(topic.length + 1),
    );
    return `  ${topic.padEnd(14)}${[...names, ...(topic === PROVIDERS_SECTION ? ['<provider>.<key>'] : [])].join(', ')}\n`;
  });
  return `Settings, by section. --help=SECTION describes them.\n\n${lines.join('')}`;
}

/** With the place that applies to this program. */
const withPlace = (known: KnownSetting, { data }: Places): KnownSetting =>
  known.key === 'paths.data' ? { ...known, fallback: data } : known;
