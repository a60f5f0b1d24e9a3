import { readFileSync } from 'node:fs';
import { loadConfig } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';

/** The command line is wrong; the message says how. */
export class UsageError extends Error {}

export const HELP = `adminctl reset-password [--user=<login>] [--password-stdin] [settings]

Gives a user another password, by default the administrator (security.admin_user), and ends the user's sessions.
The new password is made up and printed, or is the first line of the standard input with --password-stdin.

Takes the server's settings, from the same places: --config=…, --paths.data=…, --storage.mongodb_uri=… It writes to the store itself.
While a server runs on the embedded store, it asks that server instead, over HTTPS with the admin.token of the data folder.
`;

export interface ResetPassword {
  readonly settings: Settings;
  readonly login: string;
  readonly fromStdin: boolean;
}

export type Command = ResetPassword | { readonly print: string };

const USER = '--user=';

/** Throws UsageError, and ConfigError for wrong settings. */
export function parseCommand(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Command {
  if (argv.includes('--help') || argv.includes('-h') || argv.length === 0) return { print: HELP };
  const [name, ...rest] = argv;
  if (name !== 'reset-password') throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
  const users = rest.filter((argument) => argument.startsWith(USER)).map((argument) => argument.slice(USER.length));
  if (users.length > 1 || users.includes('')) throw new UsageError('Give one --user=<login>.');
  const settingsArguments = rest.filter((argument) => !argument.startsWith(USER) && argument !== '--password-stdin');
  const { settings } = loadConfig({ argv: settingsArguments, env, readFile: (path) => readFileSync(path, 'utf8') });
  return { settings, login: users[0] ?? settings.security.admin_user, fromStdin: rest.includes('--password-stdin') };
}
