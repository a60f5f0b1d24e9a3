import { expect } from 'chai';
import { identityServices } from '../../apis/authentication/services.js';
import { CALLERS, type Caller, isPerson, PASSWORD } from '../../apis/testing/callers.js';
import { type Cast as Callers, IAM, type MakeOptions, type Request } from '../../apis/testing/cast.js';
import type { Accounts } from '../../cmd/apiserver/accounts.js';
import { hashPassword } from '../../pkg/identity/authn/password.js';
import { AUTHENTICATED_GROUP, MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { accountsFor, ENVIRONMENT, type Server } from '../harness/server.js';

/** Parameters that make hashing fast. */
const CHEAP = { ln: 4, r: 8, p: 1 };

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
export interface Cast extends Callers {
  readonly server: Server;
  readonly accounts: Accounts;
  call(caller: Caller, method: string, path: string, options?: Request): Promise<Answer>;
  made(apiVersion: string, kind: string, name: string, spec: unknown, more?: MakeOptions): Promise<Body>;
}

/** The path of a collection. */
export function collectionOf({ api }: Pick<Server, 'api'>, apiVersion: string, kind: string, namespace = 'default') {
  const found = api.registry.kinds.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  if (found === undefined) throw new Error(`the server has no kind ${kind} in ${apiVersion}`);
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  return `${root}/${apiVersion}/${found.scope === 'Cluster' ? '' : `namespaces/${namespace}/`}${found.resource}`;
}

export async function castOn(server: Server): Promise<Cast> {
  let names = 0;
  const made: Cast['made'] = async (apiVersion, kind, name, spec, { namespace, annotations, members } = {}) => {
    const metadata = { name, ...(annotations && { annotations }) };
    const path = collectionOf(server, apiVersion, kind, namespace);
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

function userInfo(caller: Caller): UserInfo | null {
  if (caller === 'anon') return null;
  const extra = { 'svc.app/organization': [caller === 'outsider' ? 'other' : 'default'] };
  const groups = [AUTHENTICATED_GROUP, ...(caller === 'root' ? [MASTERS_GROUP] : [])];
  const name = isPerson(caller) ? caller : `system:serviceaccount:default:${caller}`;
  return { name, uid: caller, groups, extra };
}
