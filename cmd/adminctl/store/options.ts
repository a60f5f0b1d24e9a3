import { Arguments } from '../arguments.js';
import { warn } from '../settings.js';
import type { SupportBundleCommand } from '../support/bundle.js';
import { UsageError } from '../usage.js';
import type { BackupCommand } from './backup.js';
import type { CheckCommand } from './check.js';
import type { CompactCommand } from './compact.js';
import type { CopyCommand } from './copy.js';
import { placeNamed, placeWarnings } from './place.js';
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
  --from__FILE=FILE, --to__FILE=FILE  read a PLACE with a password from a file, so that other users do not see it
  --force      replaces what is in the second store, if that is no earlier copy of the first

adminctl check [settings]

  Checks the store at one revision, also while servers run: bodies by the schemas of their kinds, unique values, references, revisions,
  and counters of ids. It prints what is wrong, and exits with 1 if anything is.

adminctl compact [settings]

  Removes the log of changes that are older than storage.history at once, on a stopped embedded store or on MongoDB. Servers do it regularly.

adminctl support-bundle FILE.tar.gz [--log=FILE] [settings]

  Collects settings (secrets masked), versions, sizes of the store, the metrics of the server of the data folder, and the end of its log.
`;

type Environment = Readonly<Record<string, string | undefined>>;

export type StoreCommand =
  | { readonly backup: BackupCommand }
  | { readonly restore: RestoreCommand }
  | { readonly copy: CopyCommand }
  | { readonly check: CheckCommand }
  | { readonly compact: CompactCommand }
  | { readonly supportBundle: SupportBundleCommand };

/** The command of these arguments, or undefined if it is another one. Throws UsageError and ConfigError. */
export function parseStoreCommand([name, ...rest]: readonly string[], env: Environment): StoreCommand | undefined {
  if (name === 'backup') return { backup: parseBackup(new Arguments(rest), env) };
  if (name === 'restore') return { restore: parseRestore(new Arguments(rest), env) };
  if (name === 'check') return { check: parseCheck(new Arguments(rest), env) };
  if (name === 'compact') return { compact: { settings: new Arguments(rest).settings(env) } };
  if (name === 'support-bundle') return { supportBundle: parseSupportBundle(new Arguments(rest), env) };
  if (name === 'copy') return { copy: parseCopy(new Arguments(rest)) };
  return undefined;
}

function parseSupportBundle(given: Arguments, env: Environment): SupportBundleCommand {
  const [file, log] = [given.file('support-bundle'), given.value('log')];
  return { file, log, settings: given.settings(env) };
}

function parseCheck(given: Arguments, env: Environment): CheckCommand {
  return { settings: given.settings(env) };
}

function parseCopy(given: Arguments): CopyCommand {
  const [from, to, force] = [given.secret('from'), given.secret('to'), given.flag('force')];
  if (from === undefined || to === undefined) throw new UsageError('Give --from=PLACE and --to=PLACE.');
  given.end();
  const command = { from: placeNamed(from), to: placeNamed(to), force };
  for (const warning of [...placeWarnings('--from', command.from), ...placeWarnings('--to', command.to)]) warn(warning);
  return command;
}

function parseBackup(given: Arguments, env: Environment): BackupCommand {
  return { file: given.file('backup'), settings: given.settings(env) };
}

function parseRestore(given: Arguments, env: Environment): RestoreCommand {
  const file = given.file('restore');
  const [force, advance] = [given.flag('force'), given.number('advance')];
  return { file, force, advance, settings: given.settings(env) };
}
