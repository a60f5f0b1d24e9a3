import { readFileSync } from 'node:fs';
import { loadConfig } from '../../../pkg/config/load.js';
import type { Settings } from '../../../pkg/config/schema.js';
import { UsageError } from '../usage.js';
import type { BackupCommand } from './backup.js';
import type { CheckCommand } from './check.js';
import type { CopyCommand } from './copy.js';
import { placeNamed } from './place.js';
import type { RestoreCommand } from './restore.js';

export const STORE_HELP = `adminctl backup FILE [settings]

  Writes what the store holds at one revision to FILE, also while servers run and write: compressed, and with a SHA-256 over its content.
  It reads the store directly. Secrets stay encrypted under the secret key, which is not in the backup.

adminctl restore FILE [--force] [--advance=N] [settings]

  Fills an empty store from a backup. Names, uids, ids and resourceVersions are kept. A file that is torn, changed or foreign is refused
  before anything is written. No server may use the store.
  --force      replaces what is in the store
  --advance=N  lets the store begin N revisions after the backup, so that clients that saw later revisions list again

adminctl copy --from=PLACE --to=PLACE [--force]

  Makes one store the same as another: from the embedded store to MongoDB, or back. Everything is kept, also the log, so that clients notice
  nothing. It compares every object in the end. If it is interrupted, run it again: it writes only what is missing or has changed. So copy
  once while the server runs, stop it, and copy again. A PLACE is a data folder, or mongodb://host/DATABASE?replicaSet=rs.
  --force      replaces what is in the second store, if that is no earlier copy of the first

adminctl check [--repair] [settings]

  Checks the store at one revision, also while servers run: bodies by the schemas of their kinds, index rows and counts, unique values,
  references, revisions, and counters of ids. It prints what is wrong, and exits with 1 if anything is.
  --repair     makes index rows and counts anew from the objects, while no server runs. Nothing else is changed.
`;

type Environment = Readonly<Record<string, string | undefined>>;

export type StoreCommand =
  | { readonly backup: BackupCommand }
  | { readonly restore: RestoreCommand }
  | { readonly copy: CopyCommand }
  | { readonly check: CheckCommand };

/** The command of these arguments, or undefined if it is another one. Throws UsageError and ConfigError. */
export function parseStoreCommand([name, ...rest]: readonly string[], env: Environment): StoreCommand | undefined {
  if (name === 'backup') return { backup: parseBackup(new Arguments(rest), env) };
  if (name === 'restore') return { restore: parseRestore(new Arguments(rest), env) };
  if (name === 'check') return { check: parseCheck(new Arguments(rest), env) };
  if (name === 'copy') return { copy: parseCopy(new Arguments(rest)) };
  return undefined;
}

function parseCheck(given: Arguments, env: Environment): CheckCommand {
  return { repair: given.flag('repair'), settings: given.settings(env) };
}

function parseCopy(given: Arguments): CopyCommand {
  const [from, to, force] = [given.value('from'), given.value('to'), given.flag('force')];
  if (from === undefined || to === undefined) throw new UsageError('Give --from=PLACE and --to=PLACE.');
  given.end();
  return { from: placeNamed(from), to: placeNamed(to), force };
}

function parseBackup(given: Arguments, env: Environment): BackupCommand {
  return { file: given.file('backup'), settings: given.settings(env) };
}

function parseRestore(given: Arguments, env: Environment): RestoreCommand {
  const file = given.file('restore');
  const [force, advance] = [given.flag('force'), given.number('advance')];
  return { file, force, advance, settings: given.settings(env) };
}

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
    return loadConfig({ argv: this.#left, env, readFile: (path) => readFileSync(path, 'utf8') }).settings;
  }
}
