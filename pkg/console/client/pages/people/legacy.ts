import { type CallOptions, call, get } from '../../lib/api.js';
import { numberIn } from '../../lib/organization.js';
import { namespace } from '../../lib/session.js';

/** GET of the legacy API in the organization that is shown. */
export async function read<Body>(path: string, query: CallOptions['query'] = {}, signal?: AbortSignal): Promise<Body> {
  return get<Body>(path, { ...query, orgId: await numberIn(namespace.value) }, signal);
}

/** A change by the legacy API in the organization that is shown. */
export async function write<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const query = { orgId: await numberIn(namespace.value) };
  return (await call<Body>(method, path, { query, ...(body !== undefined && { body }) })).body;
}

/** A user in lists of the legacy API. */
export interface Person {
  readonly id: number;
  readonly uid: string;
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly isDisabled: boolean;
  readonly isAdmin: boolean;
  readonly lastSeenAt?: string;
  readonly created?: string;
  readonly authLabels: readonly string[];
  /** A provisioning system keeps the account. */
  readonly isProvisioned?: boolean;
  /** Only in lists of the members of an organization. */
  readonly role?: string;
}

/** Lists of members have the number of the user as `userId`. */
interface Member extends Omit<Person, 'id' | 'isAdmin'> {
  readonly userId: number;
}

export interface Found<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

export interface PageQuery {
  readonly query: string;
  readonly page: number;
  readonly perpage: number;
}

/** A page of the members of the organization. */
export async function members(page: PageQuery, signal?: AbortSignal): Promise<Found<Person>> {
  const path = '/api/org/users/search';
  const found = await read<{ totalCount: number; orgUsers: readonly Member[] }>(path, { ...page }, signal);
  const items = found.orgUsers.map(({ userId, ...one }): Person => ({ ...one, id: userId, isAdmin: false }));
  return { items, total: found.totalCount };
}

/** A page of all users of the server. */
export async function everybody(page: PageQuery, signal?: AbortSignal): Promise<Found<Person>> {
  const found = await read<{ totalCount: number; users: readonly Person[] }>('/api/users/search', { ...page }, signal);
  return { items: found.users, total: found.totalCount };
}

export interface Team {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly email: string;
  readonly memberCount: number;
  readonly isProvisioned?: boolean;
  /** Only of a single team. */
  readonly updated?: string;
  readonly accessControl?: Readonly<Record<string, boolean>>;
}

export async function teams(page: PageQuery, signal?: AbortSignal): Promise<Found<Team>> {
  const found = await read<{ totalCount: number; teams: readonly Team[] }>('/api/teams/search', { ...page }, signal);
  return { items: found.teams, total: found.totalCount };
}

export interface Account {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly login: string;
  readonly role: string;
  readonly isDisabled: boolean;
  readonly tokens: number;
  readonly createdAt?: string;
  readonly accessControl?: Readonly<Record<string, boolean>>;
}

export async function accounts(page: PageQuery, signal?: AbortSignal): Promise<Found<Account>> {
  const path = '/api/serviceaccounts/search';
  const found = await read<{ totalCount: number; serviceAccounts: readonly Account[] }>(path, { ...page }, signal);
  return { items: found.serviceAccounts, total: found.totalCount };
}

/** The name of a user for people: the name, or the login, or the e-mail address. */
export function called({ name, login, email }: Pick<Person, 'name' | 'login' | 'email'>): string {
  return name || login || email;
}

/** The roles in an organization, the lowest first. */
export const ROLES: readonly string[] = ['None', 'Viewer', 'Editor', 'Admin'];
export const ROLE_OPTIONS = ROLES.map((role) => [role, role] as const);

/** Why the caller may not do an action, by the `accessControl` that the server sent. Undefined if they may. */
export function lacking(control: Readonly<Record<string, boolean>> | undefined, action: string): string | undefined {
  return control?.[action] === true ? undefined : refusal(action);
}

/** Users and their sessions are those of the server. */
function refusal(action: string): string {
  return `You may not do this. An administrator of the ${/^users[.:]/.test(action) ? 'server' : 'organization'} may.`;
}

/** When a user was last seen. Undefined if never: then the server sends a time before their creation. */
export function seenAt({ lastSeenAt, created }: Pick<Person, 'lastSeenAt' | 'created'>): string | undefined {
  if (lastSeenAt === undefined || created === undefined) return lastSeenAt;
  return Date.parse(lastSeenAt) < Date.parse(created) ? undefined : lastSeenAt;
}
