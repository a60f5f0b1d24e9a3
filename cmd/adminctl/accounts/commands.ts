import { z } from 'zod';
import type { Settings } from '../../../pkg/config/schema.js';
import { printableLines } from '../../../pkg/system/text/printable.js';
import type { Terminal } from '../terminal.js';
import { type Api, withServer } from './server.js';

export interface AccountsCommand {
  readonly settings: Settings;
  readonly what: 'users' | 'sessions' | 'tokens';
  readonly verb: string;
  /** Login or e-mail address of a user, or the login of a service account. */
  readonly login: string | undefined;
  /** The number of a session or token. */
  readonly id: string | undefined;
}

const User = z.object({
  id: z.number(),
  login: z.string(),
  email: z.string().optional(),
  isDisabled: z.boolean().optional(),
  isAdmin: z.boolean().optional(),
  created: z.string().optional(),
  lastSeenAt: z.string().optional(),
  lastSeenAtAge: z.string().optional(),
  authLabels: z.array(z.string()).nullish(),
  isProvisioned: z.boolean().optional(),
});
const Provider = z.object({
  lastSync: z
    .object({
      at: z.string(),
      people: z.number(),
      disabled: z.number(),
      enabled: z.number(),
      kept: z.number(),
      failed: z.number().optional(),
      problems: z.array(z.string()),
    })
    .optional(),
});
const Session = z.object({
  id: z.number(),
  createdAt: z.string(),
  seenAt: z.string().optional(),
  clientIp: z.string().optional(),
  browser: z.string().optional(),
});
const Account = z.object({ id: z.number(), login: z.string(), name: z.string().optional() });
const Token = z.object({
  id: z.number(),
  name: z.string(),
  created: z.string().optional(),
  lastUsedAt: z.string().nullish(),
  expiration: z.string().nullish(),
  hasExpired: z.boolean().optional(),
  isRevoked: z.boolean().nullish(),
});

/** Runs a command about users, sessions or tokens. Prints a table, or what was done. Throws errors for the operator. */
export async function runAccountsCommand(command: AccountsCommand, { out, err }: Terminal): Promise<number> {
  return withServer(command.settings, { err }, async (api) => {
    err.write(`Through ${api.through}.\n`);
    out.write(`${await textOf(api, command)}\n`);
    if (command.what === 'users' && command.verb === 'list') err.write(printableLines(await lastSyncOf(api)));
    return 0;
  });
}

/** What the command prints. Names come from users, and a terminal obeys some characters. */
export async function textOf(api: Api, command: AccountsCommand): Promise<string> {
  return printableLines(await outcomeOf(api, command));
}

function outcomeOf(api: Api, { what, verb, login, id }: AccountsCommand): Promise<string> {
  if (what === 'users') return verb === 'list' ? listUsers(api) : setEnabled(api, login ?? '', verb === 'enable');
  if (what === 'sessions') return verb === 'list' ? listSessions(api, login ?? '') : endSessions(api, login ?? '', id);
  return verb === 'list' ? listTokens(api) : revokeToken(api, login ?? '', id ?? '');
}

const PAGE = 1000;

/** The items of all pages. The next page is asked for as long as one is full. */
async function allPages<T>(pageOf: (query: string) => Promise<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const items = await pageOf(`perpage=${PAGE}&page=${page}`);
    all.push(...items);
    if (items.length < PAGE) return all;
  }
}

async function listUsers(api: Api): Promise<string> {
  const users = await allPages(async (query) => z.array(User).parse(await api.call('GET', `/api/users?${query}`)));
  const rows = users.map((user) => [
    String(user.id),
    user.login,
    user.email ?? '',
    user.isDisabled === true ? 'disabled' : '',
    user.isAdmin === true ? 'administrator' : '',
    originOf(user),
    seenOf(user),
  ]);
  return table(['ID', 'LOGIN', 'EMAIL', 'STATE', 'ROLE', 'FROM', 'SEEN'], rows);
}

/** A line about the last synchronization with a directory; empty if there was none. */
export async function lastSyncOf(api: Api): Promise<string> {
  const { lastSync } = Provider.parse(await api.call('GET', '/api/v1/sso-settings/ldap'));
  if (lastSync === undefined) return '';
  const { at, people, disabled, enabled, kept, failed = 0, problems } = lastSync;
  const counts = [
    people === 1 ? '1 person' : `${people} people`,
    `${disabled} disabled`,
    `${enabled} enabled again`,
    ...(kept > 0 ? [`${kept} missing but not disabled`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  const why = problems.length > 0 ? `. It is not complete: ${problems.join('; ')}` : '';
  return `Last synchronization with LDAP: ${at}, ${counts.join(', ')}${why}\n`;
}

/** Who keeps the account: SCIM, and the providers by which the person signs in. */
function originOf({ authLabels, isProvisioned }: z.infer<typeof User>): string {
  return [...(isProvisioned === true ? ['SCIM'] : []), ...(authLabels ?? [])].join(', ') || 'by hand';
}

/**
 * By convention, the API says of users who never called that they were last seen ten years before they were created.
 */
function seenOf({ created = '', lastSeenAt = '', lastSeenAtAge = '' }: z.infer<typeof User>): string {
  return Date.parse(lastSeenAt) < Date.parse(created) ? 'never' : lastSeenAtAge;
}

async function userOf(api: Api, login: string): Promise<z.infer<typeof User>> {
  return User.parse(await api.call('GET', `/api/users/lookup?loginOrEmail=${encodeURIComponent(login)}`));
}

async function setEnabled(api: Api, login: string, isEnabled: boolean): Promise<string> {
  const { id } = await userOf(api, login);
  await api.call('POST', `/api/admin/users/${id}/${isEnabled ? 'enable' : 'disable'}`, {});
  return `${login} is ${isEnabled ? 'enabled' : 'disabled, and their sessions are closed'}.`;
}

async function listSessions(api: Api, login: string): Promise<string> {
  const { id } = await userOf(api, login);
  const sessions = z.array(Session).parse(await api.call('GET', `/api/admin/users/${id}/auth-tokens`));
  const rows = sessions.map((session) => [
    String(session.id),
    session.createdAt,
    session.seenAt ?? '',
    session.clientIp ?? '',
    session.browser ?? '',
  ]);
  return table(['ID', 'CREATED', 'SEEN', 'ADDRESS', 'BROWSER'], rows);
}

async function endSessions(api: Api, login: string, session: string | undefined): Promise<string> {
  const { id } = await userOf(api, login);
  if (session === undefined) {
    await api.call('POST', `/api/admin/users/${id}/logout`, {});
    return `All sessions of ${login} are ended.`;
  }
  await api.call('POST', `/api/admin/users/${id}/revoke-auth-token`, { authTokenId: Number(session) });
  return `The session ${session} of ${login} is ended.`;
}

function accountsOf(api: Api): Promise<readonly z.infer<typeof Account>[]> {
  const Found = z.object({ serviceAccounts: z.array(Account) });
  return allPages(
    async (query) => Found.parse(await api.call('GET', `/api/serviceaccounts/search?${query}`)).serviceAccounts,
  );
}

/** kubectl names the tokens that it requests by itself, so the owner and the times tell what a token is for. */
async function listTokens(api: Api): Promise<string> {
  const rows: string[][] = [];
  for (const account of await accountsOf(api)) {
    const tokens = z.array(Token).parse(await api.call('GET', `/api/serviceaccounts/${account.id}/tokens`));
    for (const token of tokens) {
      const { id, name, created = '', lastUsedAt, expiration } = token;
      const times = [created, lastUsedAt ?? 'never', expiration ?? 'never'];
      rows.push([String(id), account.login, account.name ?? '', name, stateOf(token), ...times]);
    }
  }
  return table(['ID', 'ACCOUNT', 'OWNER', 'TOKEN', 'STATE', 'CREATED', 'USED', 'EXPIRES'], rows);
}

function stateOf({ isRevoked, hasExpired }: z.infer<typeof Token>): string {
  if (isRevoked === true) return 'revoked';
  return hasExpired === true ? 'expired' : '';
}

async function revokeToken(api: Api, login: string, token: string): Promise<string> {
  const account = (await accountsOf(api)).find((candidate) => candidate.login === login);
  if (account === undefined) throw new Error(`There is no service account with the login ${JSON.stringify(login)}.`);
  await api.call('DELETE', `/api/serviceaccounts/${account.id}/tokens/${encodeURIComponent(token)}`);
  return `The token ${token} of ${login} is revoked.`;
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((text, i) => text.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
