import { readFileSync } from 'node:fs';
import { loadConfig } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';
import type { Whom } from './reset.js';

/** The command line is wrong. The message says why. */
export class UsageError extends Error {}

export const HELP = `adminctl reset-password [--user=<login>] [--password-stdin] [settings]

Changes the password of a user and ends the user's sessions. The default user is the administrator (security.admin_user).
The new password is random and is printed. With --password-stdin it is the first line of the standard input.

The settings are those of the server, from the same sources: --config=…, --paths.data=…, --storage.mongodb_uri=…
The command writes to the store. If a server is running on the embedded store, the command sends the password to that server,
over HTTPS with the admin.token of the data folder.
`;

export interface ResetPassword extends Whom {
  readonly settings: Settings;
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
  const login = users[0] ?? settings.security.admin_user;
  return { settings, login, mustAdminister: users.length === 0, fromStdin: rest.includes('--password-stdin') };
}
