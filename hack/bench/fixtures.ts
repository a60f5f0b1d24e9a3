import { type Answer, type Call, type Client, clientOf, type Headers } from './client.js';
import type { BenchServer } from './server.js';

const IAM = '/apis/iam.svc.app/v1beta1';
const HERE = `${IAM}/namespaces/default`;
export const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const PASSWORD = 'measured once';
/** The permissions of that role. */
const PERMISSIONS = ['folders:read', 'folders:create', 'folders:write', 'teams:read', 'teams:write'].map((action) => ({
  action,
  scope: `${action.split(':')[0]}:*`,
}));

/**
 * `admin` is the administrator by token, and `password` by password. `user` (by session) and `account` (a service
 * account, by token) have no role in the organization, only one binding of a role.
 */
export const CALLERS = ['admin', 'password', 'user', 'account'] as const;
export type Caller = (typeof CALLERS)[number];

const object = (apiVersion: string, kind: string, name: string, spec: unknown) => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});
const folder = (name: string, title: string) => object('folder.svc.app/v1beta1', 'Folder', name, { title });
const iam = (kind: string, name: string, spec: unknown) => object('iam.svc.app/v1beta1', kind, name, spec);

export const administrator = ({ http, token }: BenchServer): Client =>
  clientOf(http, { authorization: `Bearer ${token}` });

/** Ten folders and the team with the id 1. */
export async function fill({ send }: Client): Promise<void> {
  for (let i = 0; i < 10; i++)
    await send({ method: 'POST', path: FOLDERS, body: folder(`folder-${i}`, `Folder ${i}`) });
  await send({ method: 'POST', path: '/api/teams', body: { name: 'Team' } });
}

export async function credentialsOf(caller: Caller, server: BenchServer, admin: Client): Promise<Headers> {
  if (caller === 'admin') return { authorization: `Bearer ${server.token}` };
  if (caller === 'password') return { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
  await post(admin, `${HERE}/roles`, iam('Role', 'measured', { permissions: PERMISSIONS }));
  return caller === 'account' ? tokenOfAccount(admin) : sessionOfUser(admin);
}

async function tokenOfAccount(admin: Client): Promise<Headers> {
  await post(admin, `${HERE}/serviceaccounts`, iam('ServiceAccount', 'measured', { title: 'measured', role: 'None' }));
  await bindRole(admin, 'ServiceAccount', 'measured');
  const wanted = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { text } = await post(admin, `${HERE}/serviceaccounts/measured/token`, wanted);
  return { authorization: `Bearer ${JSON.parse(text).status.token}` };
}

async function sessionOfUser(admin: Client): Promise<Headers> {
  const account = { login: 'measured', password: PASSWORD };
  const { id, uid } = JSON.parse((await post(admin, '/api/admin/users', account)).text);
  await admin.send({ method: 'PATCH', path: `/api/org/users/${id}`, body: { role: 'None' } });
  await bindRole(admin, 'User', uid);
  const { headers } = await post(admin, '/login', { user: account.login, password: PASSWORD });
  return { cookie: (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ') };
}

const post = (admin: Client, path: string, body: unknown): Promise<Answer> =>
  admin.send({ method: 'POST', path, body });

function bindRole(admin: Client, kind: string, name: string): Promise<Answer> {
  const spec = { subject: { kind, name }, roleRef: { kind: 'Role', name: 'measured' } };
  return post(admin, `${HERE}/rolebindings`, iam('RoleBinding', 'measured', spec));
}

/** The requests by name. The number makes each different from earlier ones. */
export const REQUESTS: Readonly<Record<string, (number: number) => Call>> = {
  'PUT /api/teams/1': (i) => ({ method: 'PUT', path: '/api/teams/1', body: { name: `Team ${i}` } }),
  'GET /api/teams/1': () => ({ method: 'GET', path: '/api/teams/1' }),
  'POST folder': (i) => ({ method: 'POST', path: FOLDERS, body: folder(`new-${i}`, `New ${i}`) }),
  'PUT folder': (i) => ({ method: 'PUT', path: `${FOLDERS}/folder-1`, body: folder('folder-1', `Renamed ${i}`) }),
  'GET folder': () => ({ method: 'GET', path: `${FOLDERS}/folder-2` }),
  'PATCH folder': (i) => ({
    method: 'PATCH',
    path: `${FOLDERS}/folder-1`,
    type: 'application/merge-patch+json',
    body: { spec: { description: `Changed ${i}` } },
  }),
  'list folders': () => ({ method: 'GET', path: `${FOLDERS}?limit=10` }),
  'POST /api/folders': (i) => ({
    method: 'POST',
    path: '/api/folders',
    body: { uid: `legacy-${i}`, title: `Legacy ${i}` },
  }),
};
