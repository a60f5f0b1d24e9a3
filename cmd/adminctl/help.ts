import { ACCOUNTS_HELP } from './accounts/options.js';
import { BRIDGE_HELP } from './bridge/options.js';
import { CONNECTION_HELP, GITOPS_HELP } from './gitops/options.js';
import { STORE_HELP } from './store/options.js';

const OPERATOR_HELP = `adminctl reset-password [--user=<login>] [--password-stdin] [settings]

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
  Servers keep running, and use what any of these commands rotated within seconds.
`;

const SETTINGS_HELP = `[settings] are those of the server, from the same sources: --config=…, --paths.data=…, --storage.mongodb_uri__FILE=…
Exit codes: 0 done, 1 failed, 2 wrong usage
`;

const COMPLETION_HELP = `adminctl completion bash|zsh

  Prints a script with which the shell completes the arguments of adminctl and dashboard-apiserver: source <(adminctl completion bash)
`;

const USAGE = 'adminctl help COMMAND describes a command, adminctl help all describes all of them.\n';

/** The commands, and the options of all of them. */
const FAMILIES = [
  { commands: [OPERATOR_HELP, STORE_HELP, ACCOUNTS_HELP].join('\n'), all: SETTINGS_HELP },
  { commands: [GITOPS_HELP, BRIDGE_HELP].join('\n'), all: CONNECTION_HELP },
  { commands: COMPLETION_HELP, all: 'Exit codes: 0 done, 2 wrong usage\n' },
] as const;

/** A section begins with lines that show how commands are written. */
const sectionsOf = (text: string): readonly string[] => text.trimEnd().split(/\n\n(?=adminctl )/);

const usesIn = (section: string): readonly string[] => section.match(/^adminctl .*$/gm) ?? [];
const namesIn = (section: string): readonly string[] => usesIn(section).map((use) => use.split(' ')[1] ?? '');

const SECTIONS = FAMILIES.flatMap(({ commands }) => sectionsOf(commands));
const NAMES = [...new Set(SECTIONS.flatMap(namesIn))];

/** How every command is written. */
const OVERVIEW = `${SECTIONS.flatMap(usesIn).join('\n')}\nadminctl --version\n\n${USAGE}\n${CONNECTION_HELP}${SETTINGS_HELP}`;

export const HELP = FAMILIES.flatMap(({ commands, all }) => [commands, all]).join('\n');

/** The part of the help about a command, such as `rotate`, or `all` of it. The overview if there is no such command. */
export function helpOf(name: string | undefined): string {
  if (name === 'all') return HELP;
  for (const { commands, all } of FAMILIES) {
    const own = sectionsOf(commands).filter((section) => namesIn(section).includes(name ?? ''));
    if (own.length > 0) return [...own, all].join('\n\n');
  }
  return OVERVIEW;
}

export const isTopic = (name: string): boolean => name === 'all' || NAMES.includes(name);

/** The words that complete the arguments of a command. */
export interface CommandWords {
  readonly name: string;
  /** Its subcommands, and its options, also those of a connection. */
  readonly words: readonly string[];
  readonly takesSettings: boolean;
}

/** All commands, as the help describes them. */
export const COMMANDS: readonly CommandWords[] = NAMES.map((name) => {
  const sections = SECTIONS.filter((section) => namesIn(section).includes(name));
  const uses = sections.flatMap(usesIn).filter((use) => use.split(' ')[1] === name);
  const takes = (what: string): boolean => uses.some((use) => use.includes(`[${what}]`));
  const options = optionsIn(takes('connection') ? [...sections, CONNECTION_HELP] : sections);
  return { name, words: [...verbsIn(uses), ...options], takesSettings: takes('settings') };
});

function verbsIn(uses: readonly string[]): readonly string[] {
  const words = uses.flatMap((use) => use.split(/[ |]+/).slice(2));
  return [...new Set(words.filter((word) => /^[a-z][a-z-]*$/.test(word)))];
}

/** Options that take a value end with `=`. */
function optionsIn(sections: readonly string[]): readonly string[] {
  const options = new Set(
    sections.flatMap((section) => section.match(/(?<=[ [])--[a-z][a-z-]*(?:=|(?![\w.=-]))/g) ?? []),
  );
  return [...options].filter((option) => !options.has(`${option}=`));
}

/** The text before the error for wrong usage: the part about the command, or the names of all commands. */
export function usageOf(name: string | undefined): string {
  if (name !== undefined && NAMES.includes(name)) return helpOf(name);
  return `The commands are ${NAMES.join(', ')}. adminctl --help describes them.\n`;
}
