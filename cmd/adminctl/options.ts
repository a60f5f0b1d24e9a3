import { readFileSync } from 'node:fs';
import { loadConfig } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';
import { ACCOUNTS_HELP } from './accounts/options.js';
import { GITOPS_HELP } from './gitops/options.js';
import type { Whom } from './reset.js';
import { STORE_HELP } from './store/options.js';
import { UsageError } from './usage.js';

export const HELP = `adminctl reset-password [--user=<login>] [--password-stdin] [settings]

  Changes the password of a user and ends the user's sessions. The default user is the administrator (security.admin_user).
  The new password is random and is printed. With --password-stdin it is the first line of the standard input.
  If a server is running on the embedded store, the command sends the password to that server, over HTTPS with the admin.token
  of the data folder. Otherwise it writes to the store.

adminctl rotate admin-token [settings]

  Writes a new admin.token to the data folder. The old token is refused.

adminctl rotate admin-certificate [settings]

  Revokes all client certificates, and lets each server write a new one to its kubeconfig.

adminctl rotate ca [--finish] [settings]

  Makes a new certificate authority, and trusts the one before until --finish. Clients need the new kubeconfig or pki/ca.crt before.

adminctl rotate secret-key [--finish] [--key-stdin] [settings]

  Encrypts the keys and secrets in the store under a new security.secret_key. On MongoDB, the one before can be used until --finish.
  On the embedded store, there is nothing to finish. The new key is random, or with --key-stdin the first line of the standard input.

Servers keep running, and use what was rotated within seconds. The settings are those of the server, from the same sources:
--config=…, --paths.data=…, --storage.mongodb_uri=…

${STORE_HELP}
${ACCOUNTS_HELP}
Exit codes: 0 done, 1 failed, 2 wrong usage

${GITOPS_HELP}`;

export interface ResetPassword extends Whom {
  readonly settings: Settings;
  readonly fromStdin: boolean;
}

const TARGETS = ['admin-token', 'admin-certificate', 'ca', 'secret-key'] as const;

export interface Rotate {
  readonly settings: Settings;
  readonly what: (typeof TARGETS)[number];
  readonly isFinish: boolean;
  readonly fromStdin: boolean;
}

export type Command = { readonly reset: ResetPassword } | { readonly rotate: Rotate } | { readonly print: string };

const USER = '--user=';
const FINISH = '--finish';
const KEY_STDIN = '--key-stdin';
const PASSWORD_STDIN = '--password-stdin';

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws UsageError, and ConfigError for wrong settings. */
export function parseCommand(argv: readonly string[], env: Environment): Command {
  if (argv.includes('--help') || argv.includes('-h') || argv.length === 0) return { print: HELP };
  const [name, ...rest] = argv;
  if (name === 'reset-password') return { reset: parseReset(rest, env) };
  if (name === 'rotate') return { rotate: parseRotate(rest, env) };
  throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
}

function parseReset(argv: readonly string[], env: Environment): ResetPassword {
  const users = argv.filter((argument) => argument.startsWith(USER)).map((argument) => argument.slice(USER.length));
  if (users.length > 1 || users.includes('')) throw new UsageError('Give one --user=<login>.');
  const settings = settingsOf(
    argv.filter((argument) => !argument.startsWith(USER) && argument !== PASSWORD_STDIN),
    env,
  );
  const login = users[0] ?? settings.security.admin_user;
  return { settings, login, mustAdminister: users.length === 0, fromStdin: argv.includes(PASSWORD_STDIN) };
}

function parseRotate([name, ...rest]: readonly string[], env: Environment): Rotate {
  const what = TARGETS.find((target) => target === name);
  if (what === undefined) throw new UsageError(`Give what to rotate: ${TARGETS.join(', ')}.`);
  const [isFinish, fromStdin] = [rest.includes(FINISH), rest.includes(KEY_STDIN)];
  if (isFinish && what !== 'ca' && what !== 'secret-key') throw new UsageError(`${what} takes no ${FINISH}.`);
  if (fromStdin && (what !== 'secret-key' || isFinish)) throw new UsageError(`${KEY_STDIN} is for a new secret-key.`);
  const settings = settingsOf(
    rest.filter((argument) => argument !== FINISH && argument !== KEY_STDIN),
    env,
  );
  return { settings, what, isFinish, fromStdin };
}

function settingsOf(argv: readonly string[], env: Environment): Settings {
  return loadConfig({ argv, env, readFile: (path) => readFileSync(path, 'utf8') }).settings;
}
