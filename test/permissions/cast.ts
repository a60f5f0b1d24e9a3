import { expect } from 'chai';
import { identityServices } from '../../apis/authentication/services.js';
import type { Accounts } from '../../cmd/apiserver/accounts.js';
import { hashPassword } from '../../pkg/authn/password.js';
import { AUTHENTICATED_GROUP, MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { accountsFor, ENVIRONMENT, type Server } from '../harness/server.js';
import { CALLERS, type Caller } from './table.js';

export const PASSWORD = 'open sesame';
/** Parameters that make hashing fast. */
const CHEAP = { ln: 4, r: 8, p: 1 };

export const IAM = 'iam.svc.app/v1beta1';

/** The callers that are people, with their roles in `default`. The outsider has a role in `other` only. */
const PEOPLE: Readonly<Partial<Record<Caller, string>>> = {
  viewer: 'Viewer',
  editor: 'Editor',
  admin: 'Admin',
  root: 'Viewer',
  member: 'Viewer',
  lead: 'Viewer',
  outsider: '',
};
const BOTS: Readonly<Partial<Record<Caller, string>>> = { botV: 'Viewer', botA: 'Admin' };

/** A server with all callers of the tables. */
export interface Cast {
  readonly server: Server;
  readonly accounts: Accounts;
  /** Sends a request as this caller. */
  call(caller: Caller, method: string, path: string, options?: Request): Promise<Answer>;
  /** Creates an object that a request needs. Its creator is none of the callers. Throws unless the answer is 201. */
  made(apiVersion: string, kind: string, name: string, spec: unknown, more?: MakeOptions): Promise<Body>;
  /** A name that no other request uses. */
  fresh(prefix: string): string;
}

export interface Request {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export interface MakeOptions {
  readonly namespace?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The members of kinds without spec. */
  readonly members?: object | undefined;
}

export const isPerson = (caller: Caller): boolean => PEOPLE[caller] !== undefined;

const CLUSTER = new Set(['User', 'Organization', 'Namespace', 'SSOSetting', 'CustomResourceDefinition']);
const PLURALS: Readonly<Record<string, string>> = {
  Preferences: 'preferences',
  QueryHistory: 'queryhistories',
  Stars: 'stars',
};

/** The path of a collection. */
export function collectionOf(apiVersion: string, kind: string, namespace = 'default'): string {
  const plural = PLURALS[kind] ?? `${kind.toLowerCase()}s`;
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  return `${root}/${apiVersion}/${CLUSTER.has(kind) ? '' : `namespaces/${namespace}/`}${plural}`;
}

export function internalId({ metadata }: Body): number {
  return Number(metadata.labels?.['svc.app/deprecatedInternalID']);
}

export async function castOn(server: Server): Promise<Cast> {
  let names = 0;
  const made: Cast['made'] = async (apiVersion, kind, name, spec, { namespace, annotations, members } = {}) => {
    const metadata = { name, ...(annotations && { annotations }) };
    const path = collectionOf(apiVersion, kind, namespace);
    const answer = await server.call('POST', path, { body: { apiVersion, kind, metadata, spec, ...members } });
    expect(answer.status, `${path} ${name}: ${answer.text}`).to.equal(201);
    return answer.json();
  };
  const fresh = (prefix: string): string => `${prefix}-${++names}`;
  const cast = { server, accounts: accountsFor(server.api, ENVIRONMENT), call: callAs(server), made, fresh };
  await createCallers(cast);
  return cast;
}

/** Sends requests to a server that has the callers. */
export function callAs(server: Pick<Server, 'call'>): Cast['call'] {
  return (caller, method, path, { body, headers = {}, query = {} } = {}) =>
    server.call(method, path, {
      user: userInfo(caller),
      headers: { ...headers, ...(caller === 'outsider' && { 'x-grafana-org-id': '1' }) },
      query,
      ...(body !== undefined && { body }),
    });
}

/** Creates all callers and the other organization. */
async function createCallers(cast: Cast): Promise<void> {
  const { made } = cast;
  await made(IAM, 'Organization', 'other', { title: 'Other' });
  for (const caller of CALLERS) {
    const role = PEOPLE[caller];
    if (role !== undefined) await addPerson(cast, caller, role);
    const bot = BOTS[caller];
    if (bot !== undefined) await made(IAM, 'ServiceAccount', caller, { title: caller, role: bot });
  }
}

async function addPerson({ server, made }: Cast, name: string, role: string): Promise<void> {
  const spec = { login: name, email: `${name}@example.com`, name, grafanaAdmin: name === 'root' };
  await made(IAM, 'User', name, spec);
  const [namespace, held] = role === '' ? ['other', 'Admin'] : ['default', role];
  await made(IAM, 'OrganizationBinding', name, { userRef: { name }, role: held }, { namespace });
  const hash = await hashPassword(PASSWORD, CHEAP);
  const author = { user: userInfo('root') as UserInfo };
  const credentials = identityServices(server.api.registry, ENVIRONMENT.domain).objects(
    'internal/credentials',
    '',
    author,
  );
  await credentials.create({ metadata: { name }, spec: { hash } });
}

/** A team with `member` as member and `lead` as Admin. */
export async function addTeam({ made, fresh }: Cast): Promise<Body> {
  const name = fresh('team');
  const team = await made(IAM, 'Team', name, { title: name });
  for (const [user, permission] of [
    ['member', 'member'],
    ['lead', 'admin'],
  ] as const)
    await made(IAM, 'TeamBinding', `${name}.${user}`, { teamRef: { name }, userRef: { name: user }, permission });
  return team;
}

/** A user who is a viewer of the organization. */
export async function addUser({ made, fresh }: Cast): Promise<Body> {
  const name = fresh('user');
  const user = await made(IAM, 'User', name, { login: name, email: `${name}@example.com` });
  await made(IAM, 'OrganizationBinding', name, { userRef: { name }, role: 'Viewer' });
  return user;
}

/** A stored user as a caller of `default`. */
export function personNamed(uid: string): UserInfo {
  return { name: uid, uid, groups: [AUTHENTICATED_GROUP], extra: { 'svc.app/organization': ['default'] } };
}

function userInfo(caller: Caller): UserInfo | null {
  if (caller === 'anon') return null;
  const extra = { 'svc.app/organization': [caller === 'outsider' ? 'other' : 'default'] };
  const groups = [AUTHENTICATED_GROUP, ...(caller === 'root' ? [MASTERS_GROUP] : [])];
  const name = isPerson(caller) ? caller : `system:serviceaccount:default:${caller}`;
  return { name, uid: caller, groups, extra };
}
