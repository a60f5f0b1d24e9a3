import { readFileSync } from 'node:fs';
import type { Settings } from '../../pkg/config/schema.js';
import { hasCredentials } from '../../pkg/config/secrets.js';
import { valueIn } from '../../pkg/config/sources.js';
import { settingsFor, warn } from './settings.js';
import { UsageError } from './usage.js';

const EXPOSED = (name: string): string =>
  `--${name} has a password, and other users of this machine see arguments in the list of processes. Give it as --${name}__FILE=FILE.`;

type Environment = Readonly<Record<string, string | undefined>>;

/** The arguments of a command. Those that it does not take are settings. */
export class Arguments {
  #left: readonly string[];

  constructor(argv: readonly string[]) {
    this.#left = argv;
  }

  flag(name: string): boolean {
    const isGiven = this.#left.includes(`--${name}`);
    this.#left = this.#left.filter((argument) => argument !== `--${name}`);
    return isGiven;
  }

  value(name: string): string | undefined {
    const prefix = `--${name}=`;
    const [found, ...more] = this.#left.filter((argument) => argument.startsWith(prefix));
    if (more.length > 0 || found === prefix) throw new UsageError(`Give one ${prefix}….`);
    this.#left = this.#left.filter((argument) => !argument.startsWith(prefix));
    return found?.slice(prefix.length);
  }

  /** The same for a value that may have a password: `--name__FILE=FILE` names a file that has it. */
  secret(name: string): string | undefined {
    const [value, file] = [this.value(name), this.value(`${name}__FILE`)];
    if (value !== undefined && file !== undefined) throw new UsageError(`Give either --${name} or --${name}__FILE.`);
    if (value !== undefined && hasCredentials(value)) warn(EXPOSED(name));
    return file === undefined ? value : valueIn(readFileSync(file, 'utf8'));
  }

  number(name: string): number {
    const text = this.value(name) ?? '0';
    if (/^\d{1,12}$/.test(text)) return Number(text);
    throw new UsageError(`--${name} takes a whole number of at most 12 digits.`);
  }

  file(command: string): string {
    const [file, ...more] = this.positionals();
    if (file === undefined || more.length > 0) throw new UsageError(`Give one file: adminctl ${command} FILE`);
    return file;
  }

  positionals(): readonly string[] {
    const matches = this.#left.filter((argument) => !argument.startsWith('-'));
    this.#left = this.#left.filter((argument) => argument.startsWith('-'));
    return matches;
  }

  /** For commands that take no settings. */
  end(): void {
    const [unknown] = this.#left;
    if (unknown !== undefined) throw new UsageError(`There is no argument ${JSON.stringify(unknown)}.`);
  }

  settings(env: Environment): Settings {
    return settingsFor(this.#left, env);
  }
}
