import type { Settings } from '../../pkg/config/schema.js';
import { loadSettings } from '../apiserver/load-settings.js';
import { UsageError } from './usage.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The arguments of a command. What it does not take are settings. */
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
    const found = this.#left.filter((argument) => !argument.startsWith('-'));
    this.#left = this.#left.filter((argument) => argument.startsWith('-'));
    return found;
  }

  /** For commands that take no settings. */
  end(): void {
    const [unknown] = this.#left;
    if (unknown !== undefined) throw new UsageError(`There is no argument ${JSON.stringify(unknown)}.`);
  }

  settings(env: Environment): Settings {
    return loadSettings(this.#left, env).settings;
  }
}
