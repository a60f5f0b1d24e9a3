import { expect } from 'chai';
import { ANONYMOUS, AUTHENTICATED_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import type { Answer } from '../harness/answer.js';
import { ADMIN, type Server } from '../harness/server.js';
import { dashboard } from '../resource-api/dashboards.js';

const IAM = '/apis/iam.svc.app/v1beta1';
export const HERE = `${IAM}/namespaces/default`;
export const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

export function person(uid: string): UserInfo {
  return { name: `${uid}@here`, uid, groups: [AUTHENTICATED_GROUP], extra: {} };
}

export const [VIEWER, EDITOR, ADMINISTRATOR] = [person('vera'), person('edith'), person('adam')];

/** The annotation of the folder in which an object lies. */
export const FOLDER = 'svc.app/folder';
/** The annotations of a private object. */
export const PRIVATE = { 'svc.app/basic-roles': 'none' };

export function account(name: string): UserInfo {
  return {
    name: `system:serviceaccount:default:${name}`,
    uid: name,
    groups: ['system:serviceaccounts', AUTHENTICATED_GROUP],
    extra: {},
  };
}

/** The callers of the tables. */
export const CALLERS: Readonly<Record<string, UserInfo>> = {
  'server admin': ADMIN,
  admin: person('adam'),
  editor: person('edith'),
  viewer: person('vera'),
  member: person('norm'),
  outsider: person('otto'),
  'service account': account('robot'),
  anonymous: ANONYMOUS,
};

const ROLES: Readonly<Record<string, string>> = { adam: 'Admin', edith: 'Editor', vera: 'Viewer', norm: 'None' };

async function made(answer: Promise<Answer>): Promise<void> {
  const { status, text } = await answer;
  expect(status, text).to.equal(201);
}

const create = (server: Server, path: string, name: string, spec: unknown): Promise<void> =>
  made(server.call('POST', path, { body: { ...typeMeta(path), metadata: { name }, spec } }));

function typeMeta(path: string): { readonly apiVersion: string; readonly kind: string } {
  const kinds: Readonly<Record<string, string>> = {
    users: 'User',
    organizationbindings: 'OrganizationBinding',
    teams: 'Team',
    teambindings: 'TeamBinding',
    serviceaccounts: 'ServiceAccount',
    roles: 'Role',
    rolebindings: 'RoleBinding',
  };
  return { apiVersion: 'iam.svc.app/v1beta1', kind: kinds[path.split('/').at(-1) ?? ''] ?? '' };
}

export const addUser = (server: Server, name: string): Promise<void> =>
  create(server, `${IAM}/users`, name, { login: `${name}@here`, email: `${name}@example.com` });

export const addMember = (server: Server, name: string, role: string): Promise<void> =>
  create(server, `${HERE}/organizationbindings`, name, { userRef: { name }, role });

/** A user with a role in `default`, as a caller. */
export async function addPerson(server: Server, uid: string, role: string): Promise<UserInfo> {
  await addUser(server, uid);
  await addMember(server, uid, role);
  return person(uid);
}

export const addAccount = (server: Server, name: string, role: string): Promise<void> =>
  create(server, `${HERE}/serviceaccounts`, name, { title: name, role });

export const addTeam = (server: Server, name: string): Promise<void> =>
  create(server, `${HERE}/teams`, name, { title: `Team ${name}` });

export const addTeamMember = (server: Server, team: string, user: string, permission = 'member'): Promise<void> =>
  create(server, `${HERE}/teambindings`, `${team}.${user}`, {
    teamRef: { name: team },
    userRef: { name: user },
    permission,
  });

export const addRole = (server: Server, name: string, permissions: readonly unknown[]): Promise<void> =>
  create(server, `${HERE}/roles`, name, { permissions });

export interface Binding {
  readonly subject: readonly [kind: string, name: string];
  readonly role: readonly [kind: string, name: string];
  readonly folder?: string;
  readonly dashboard?: string;
}

export const bind = (server: Server, name: string, binding: Binding): Promise<void> =>
  create(server, `${HERE}/rolebindings`, name, bindingSpec(binding));

export function bindingSpec({ subject, role, ...scope }: Binding): unknown {
  return {
    subject: { kind: subject[0], name: subject[1] },
    roleRef: { kind: role[0], name: role[1] },
    ...(Object.keys(scope).length === 0 ? {} : { scope }),
  };
}

export async function unbind(server: Server, name: string, resource = 'rolebindings'): Promise<void> {
  const { status, text } = await server.call('DELETE', `${HERE}/${resource}/${name}`);
  expect(status, text).to.equal(200);
}

export function folderBody(name: string, parent?: string, title = name): unknown {
  const annotations = parent === undefined ? {} : { annotations: { 'svc.app/folder': parent } };
  return {
    apiVersion: 'folder.svc.app/v1beta1',
    kind: 'Folder',
    metadata: { name, ...annotations },
    spec: { title },
  };
}

export const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';

export const addDashboard = (server: Server, name: string, folder?: string): Promise<void> =>
  made(server.call('POST', DASHBOARDS, { body: dashboard(name, folder === undefined ? {} : { folder }) }));

export const addFolder = (server: Server, name: string, parent?: string): Promise<void> =>
  made(server.call('POST', FOLDERS, { body: folderBody(name, parent) }));

/** A member with each role, a user who is no member, and a service account with the role Viewer. */
export async function addPeople(server: Server): Promise<void> {
  for (const [uid, role] of Object.entries(ROLES)) await addPerson(server, uid, role);
  await addUser(server, 'otto');
  await addAccount(server, 'robot', 'Viewer');
}

export async function namesOf(answer: Promise<Answer>): Promise<readonly string[]> {
  const { status, text, json } = await answer;
  expect(status, text).to.equal(200);
  return json().items.map(({ metadata }) => metadata.name);
}
