import { environmentName } from './known.js';
import { IN_CLONE, type Places } from './places.js';
import { crossCheck, Settings } from './schema.js';
import {
  fromArguments,
  fromEnvironment,
  fromFile,
  fromUsualFile,
  type ReadFile,
  type SettingSource,
  type SettingValues,
} from './sources.js';

export interface Config {
  readonly settings: Settings;
  /** The source of the value of `section.name`. */
  sourceOf(key: string): SettingSource;
  /** The value in one source, as text. Sign-on settings show which values they inherit, and from which source. */
  given(source: Exclude<SettingSource, 'default'>, key: string): string | undefined;
  /** Warnings to log as soon as the log exists. */
  readonly warnings: readonly string[];
  /** The settings file, if there are secrets in it. */
  readonly secretsFile?: string | undefined;
}

export interface LoadOptions {
  /** The arguments without the name of the program. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: ReadFile;
  /** What applies if no source names the data folder or the settings file. */
  readonly places?: Places;
}

/** The settings are wrong. The message lists all problems, one on each line. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const NOTHING: SettingValues = { values: new Map(), problems: [], warnings: [] };

type Layers = Readonly<Record<Exclude<SettingSource, 'default'>, SettingValues>>;

/**
 * Reads the settings from the arguments, the environment, the file of `--config` or the usual one, and the defaults, in
 * this order. Throws ConfigError.
 */
export function loadConfig({ argv, env, readFile, places = IN_CLONE }: LoadOptions): Config {
  const argument = fromArguments(argv, readFile);
  const environment = fromEnvironment(env, readFile);
  const file = argument.config === undefined ? usualFile(places, readFile) : fromFile(argument.config, readFile);
  const layers: Layers = { argument, environment, file };

  const problems = [...argument.problems, ...environment.problems, ...file.problems];
  if (problems.length > 0) throw new ConfigError(problems);

  const sourceOf = (key: string): SettingSource => {
    if (argument.values.has(key)) return 'argument';
    if (environment.values.has(key)) return 'environment';
    return file.values.has(key) ? 'file' : 'default';
  };
  const settings = parseSettings(layers, places, sourceOf);
  return {
    settings,
    sourceOf,
    given: (source, key) => layers[source].values.get(key),
    warnings: [...argument.warnings, ...environment.warnings, ...file.warnings],
    secretsFile: file.secretsFile,
  };
}

function usualFile({ settings }: Places, readFile: ReadFile): SettingValues {
  return settings === undefined ? NOTHING : fromUsualFile(settings, readFile);
}

function parseSettings(layers: Layers, places: Places, sourceOf: (key: string) => SettingSource): Settings {
  const defaults = [['paths.data', places.data]] as const;
  const merged = new Map([...defaults, ...layers.file.values, ...layers.environment.values, ...layers.argument.values]);
  // The settings are parsed once, so it would take longer to compile the schema.
  const parsed = Settings.safeParse(nest(merged), { jitless: true });
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => {
        const key = issue.path.join('.');
        return `${nameIn(sourceOf(key), key)}: ${sentence(issue.message)}`;
      }),
    );
  }
  const problems = crossCheck(parsed.data);
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(parsed.data);
}

/** The name of a setting in its source. Messages do not contain values, because these may be secrets. */
function nameIn(source: SettingSource, key: string): string {
  if (source === 'argument') return `--${key}`;
  return source === 'environment' ? environmentName(key) : key;
}

const sentence = (message: string): string => (message.endsWith('.') ? message : `${message}.`);

interface Tree {
  [name: string]: Tree | string;
}

function nest(values: ReadonlyMap<string, string>): Tree {
  const root: Tree = {};
  for (const [key, value] of values) {
    const path = key.split('.');
    const last = path.pop() ?? '';
    let node = root;
    for (const name of path) {
      const child = node[name];
      const next: Tree = typeof child === 'object' ? child : {};
      node[name] = next;
      node = next;
    }
    node[last] = value;
  }
  return root;
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) deepFreeze(child);
  return Object.freeze(value);
}
