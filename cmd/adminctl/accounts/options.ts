import { Arguments } from '../arguments.js';
import { UsageError } from '../usage.js';
import type { AccountsCommand } from './commands.js';

export const ACCOUNTS_HELP = `adminctl users list | disable LOGIN | enable LOGIN [settings]
adminctl sessions list LOGIN | end LOGIN [--id=N] [settings]
adminctl tokens list | revoke ACCOUNT --id=N [settings]

  Users, their sessions, and the tokens of service accounts (of the organization of the administrator). If a server has the embedded store open, they
  talk to it with the admin.token of the data folder. Otherwise, and on MongoDB, they work on the store. They say which. reset-password resets a password.
`;

const VERBS = { users: ['list', 'disable', 'enable'], sessions: ['list', 'end'], tokens: ['list', 'revoke'] } as const;
/** The verbs that take a number. */
const WITH_ID: readonly string[] = ['end', 'revoke'];
/** The commands that need no name. */
const ABOUT_ALL = ['users list', 'tokens list'];

export function parseAccounts(
  [what, verb, ...rest]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AccountsCommand | undefined {
  if (what !== 'users' && what !== 'sessions' && what !== 'tokens') return undefined;
  const verbs: readonly string[] = VERBS[what];
  if (verb === undefined || !verbs.includes(verb))
    throw new UsageError(`Give what to do: adminctl ${what} ${verbs.join('|')}`);
  const given = new Arguments(rest);
  const [login, ...more] = given.positionals();
  if (more.length > 0 || (login === undefined) !== ABOUT_ALL.includes(`${what} ${verb}`))
    throw new UsageError(
      `adminctl ${what} ${verb} takes ${ABOUT_ALL.includes(`${what} ${verb}`) ? 'no name' : 'one name'}.`,
    );
  const id = given.value('id');
  if (id !== undefined && !WITH_ID.includes(verb)) throw new UsageError(`adminctl ${what} ${verb} takes no --id.`);
  if (verb === 'revoke' && id === undefined) throw new UsageError('Give the token: --id=N');
  if (id !== undefined && !/^\d{1,15}$/.test(id)) throw new UsageError('--id takes a number.');
  return { what, verb, login, id, settings: given.settings(env) };
}
