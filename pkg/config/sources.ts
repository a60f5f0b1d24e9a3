import { parse } from 'ini';
import { messageOf } from '../system/errors/message.js';
import { ENVIRONMENT_PREFIX, environmentName, isKnown, keyOfEnvironmentName, nearestKnown } from './known.js';
import { isExposed } from './secrets.js';

/** The sources of a value; the first one that has a value wins. */
export const SOURCES = ['argument', 'environment', 'file', 'default'] as const;
export type SettingSource = (typeof SOURCES)[number];

/** The settings of one source, as text by `section.name`. Problems stop the server; warnings are logged. */
export interface SettingValues {
  readonly values: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** The settings file, if it has secrets itself, and not only the names of files that have them. */
  readonly secretsFile?: string;
}

export type ReadFile = (path: string) => string;

const FROM_FILE = '__FILE';
/** Some editors begin a file with it. */
const BYTE_ORDER_MARK = /^\uFEFF/;

interface Entry {
  /** The name in the source, for messages. */
  readonly label: string;
  /** Undefined if there is no such setting. */
  readonly key: string | undefined;
  readonly value: string;
  /** True if `value` is the path of a file with the value. */
  readonly fromFile: boolean;
}

function withoutSuffix(name: string): { readonly name: string; readonly fromFile: boolean } {
  const fromFile = name.endsWith(FROM_FILE);
  return { name: fromFile ? name.slice(0, -FROM_FILE.length) : name, fromFile };
}

/** The value in a file that contains nothing else. The newline at its end is not a part of the value. */
export const valueIn = (content: string): string => content.replace(/\r?\n$/, '');

/** Reads the files of `…__FILE`, and refuses a setting that is given both ways. */
function collect(
  entries: readonly Entry[],
  readFile: ReadFile,
  unknown: (entry: Entry) => string,
): SettingValues & { unknown: string[] } {
  const values = new Map<string, string>();
  const wasFile = new Map<string, boolean>();
  const problems: string[] = [];
  const unknowns: string[] = [];
  for (const entry of entries) {
    const { key } = entry;
    if (key === undefined) {
      unknowns.push(unknown(entry));
      continue;
    }
    if ((wasFile.get(key) ?? entry.fromFile) !== entry.fromFile) {
      problems.push(`${entry.label}: give ${key} either as a value or as ${FROM_FILE}, not both.`);
      continue;
    }
    wasFile.set(key, entry.fromFile);
    try {
      values.set(key, entry.fromFile ? valueIn(readFile(entry.value)) : entry.value);
    } catch (error) {
      problems.push(`${entry.label}: cannot read ${entry.value}: ${messageOf(error)}.`);
    }
  }
  return { values, problems, warnings: [], unknown: unknowns };
}

const entryOf = (label: string, rawKey: string, value: string): Entry => {
  const { name, fromFile } = withoutSuffix(rawKey);
  return { label, key: isKnown(name) ? name : undefined, value, fromFile };
};

const unknownSetting = (where: string) => (entry: Entry) => {
  const suggestion = nearestKnown(withoutSuffix(entry.label.replace(/^--/, '')).name);
  const advice =
    suggestion === undefined ? 'dashboard-apiserver --help=all lists all settings.' : `did you mean ${suggestion}?`;
  return `Unknown setting ${entry.label} in ${where}: ${advice}`;
};

/**
 * Reads `--section.name=value`; the last of several wins. By hand because parseArgs does not suggest the nearest
 * setting.
 */
export function fromArguments(
  argv: readonly string[],
  readFile: ReadFile,
): SettingValues & { readonly config: string | undefined } {
  const entries = new Map<string, Entry>();
  const problems: string[] = [];
  let config: string | undefined;
  for (const argument of argv) {
    const match = /^--([^=]+)=(.*)$/s.exec(argument);
    if (match === null) problems.push(notAnArgument(argument));
    else if (match[1] === 'config') config = match[2];
    else entries.set(match[1] ?? '', entryOf(`--${match[1]}`, match[1] ?? '', match[2] ?? ''));
  }
  const settings = collect([...entries.values()], readFile, unknownSetting('the arguments'));
  const warnings = [...entries.values()].flatMap(exposed);
  return {
    values: settings.values,
    problems: [...problems, ...settings.unknown, ...settings.problems],
    warnings,
    config,
  };
}

/** The key of the setting, if the entry itself has the secret. */
const exposedKey = ({ key, value, fromFile }: Entry): string | undefined =>
  key !== undefined && !fromFile && isExposed(key.slice(key.lastIndexOf('.') + 1), value) ? key : undefined;

/** A warning for the operator about a secret in an argument. */
function exposed(entry: Entry): readonly string[] {
  const [key, { label }] = [exposedKey(entry), entry];
  if (key === undefined) return [];
  const better = `Give it in the settings file, as ${environmentName(key)}, or as ${label}${FROM_FILE}=FILE.`;
  return [`${label} has a secret, and other users of this machine see arguments in the list of processes. ${better}`];
}

function notAnArgument(argument: string): string {
  const name = argument.slice(2);
  const known = name === 'config' || isKnown(name) ? name : nearestKnown(name);
  if (!argument.startsWith('--') || known === undefined)
    return `Unexpected argument ${argument}: write settings as --section.name=value.`;
  return `${argument} needs a value: --${known}=….`;
}

/**
 * Reads `APISERVER_SECTION_NAME`. An empty variable counts as not set. An unknown one is only a warning, because other
 * programs may use the prefix.
 */
export function fromEnvironment(env: Readonly<Record<string, string | undefined>>, readFile: ReadFile): SettingValues {
  const entries: Entry[] = [];
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith(ENVIRONMENT_PREFIX) || value === undefined || value === '') continue;
    const { name, fromFile } = withoutSuffix(variable);
    entries.push({ label: variable, key: keyOfEnvironmentName(name), value, fromFile });
  }
  const settings = collect(
    entries,
    readFile,
    ({ label }) => `${label} in the environment is not a setting of this server.`,
  );
  return { values: settings.values, problems: settings.problems, warnings: settings.unknown };
}

function flatten(node: Readonly<Record<string, unknown>>, prefix: string): readonly (readonly [string, string])[] {
  return Object.entries(node).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (Array.isArray(value)) return [[key, value.join(',')]];
    if (value !== null && typeof value === 'object') return flatten(value as Readonly<Record<string, unknown>>, key);
    return [[key, String(value)]];
  });
}

/** Reads an INI file: `[section]` and `name = value`. */
export function fromFile(path: string, readFile: ReadFile): SettingValues {
  try {
    return fromText(path, readFile(path), readFile);
  } catch (error) {
    return unreadable(path, error);
  }
}

/** The same for a file that may be missing. */
export function fromUsualFile(path: string, readFile: ReadFile): SettingValues {
  try {
    return fromText(path, readFile(path), readFile);
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));
    return isMissing ? { values: new Map(), problems: [], warnings: [] } : unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): SettingValues {
  return { values: new Map(), problems: [`Cannot read the settings file ${path}: ${messageOf(error)}.`], warnings: [] };
}

function fromText(path: string, content: string, readFile: ReadFile): SettingValues {
  const entries = flatten(parse(content.replace(BYTE_ORDER_MARK, '')), '').map(([key, value]) =>
    entryOf(key, key, value),
  );
  const settings = collect(entries, readFile, unknownSetting(path));
  const problems = [...settings.unknown, ...settings.problems];
  return {
    values: settings.values,
    problems,
    warnings: [],
    ...(entries.some((entry) => exposedKey(entry) !== undefined) && { secretsFile: path }),
  };
}
