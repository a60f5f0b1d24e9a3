import type { Settings } from '../../pkg/config/schema.js';
import { productVersion } from '../apiserver/version.js';
import { helpOf, isTopic } from './help.js';
import type { Whom } from './reset.js';
import { settingsFor } from './settings.js';
import { SHELLS, type Shell } from './shells.js';
import { UsageError } from './usage.js';

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

export type Command =
  | { readonly reset: ResetPassword }
  | { readonly rotate: Rotate }
  | { readonly completion: Shell }
  | { readonly print: string };

const USER = '--user=';
const FINISH = '--finish';
const KEY_STDIN = '--key-stdin';
const PASSWORD_STDIN = '--password-stdin';

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws UsageError, and ConfigError for wrong settings. */
export function parseCommand(argv: readonly string[], env: Environment): Command {
  if (argv.includes('--help') || argv.includes('-h') || argv.length === 0) return { print: helpOf(argv[0]) };
  const [name, ...rest] = argv;
  if (name === '--version') return { print: `adminctl ${productVersion()}\n` };
  if (name === 'help') return { print: helpAbout(rest) };
  if (name === 'completion') return { completion: shellOf(rest) };
  if (name === 'reset-password') return { reset: parseReset(rest, env) };
  if (name === 'rotate') return { rotate: parseRotate(rest, env) };
  throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
}

function helpAbout([topic, ...more]: readonly string[]): string {
  if (more.length > 0) throw new UsageError('Name one command.');
  if (topic !== undefined && !isTopic(topic)) throw new UsageError(`There is no command ${JSON.stringify(topic)}.`);
  return helpOf(topic);
}

function shellOf([name, ...more]: readonly string[]): Shell {
  const shell = SHELLS.find((known) => known === name);
  if (shell === undefined || more.length > 0) throw new UsageError(`Give one shell: ${SHELLS.join(' or ')}.`);
  return shell;
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
  return settingsFor(argv, env);
}
