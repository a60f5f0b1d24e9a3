import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import {
  addMember,
  addPeople,
  addPerson,
  addRole,
  bind,
  DASHBOARDS,
  FOLDERS,
  HERE,
  PRIVATE,
  person,
} from '../access/people.js';
import { make } from '../access/private.js';
import { accepted } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const [FOLDER, DASHBOARD, IAM] = ['folder.svc.app/v1beta1', 'dashboard.svc.app/v1beta1', 'iam.svc.app/v1beta1'];
const LIBRARY = DASHBOARDS.replace('/dashboards', '/libraryelements');
const SETS = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets';
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** Every hidden object has one of these in its name, and one in its title, login or address. Nothing else has them. */
const HIDDEN = ['xyzzy', 'plugh'];

const within = (folder: string) => ({ 'svc.app/folder': folder });
const iam = (kind: string, name: string, spec: object) => ({ apiVersion: IAM, kind, metadata: { name }, spec });
const members = (objects: readonly unknown[]) => ({
  apiVersion: 'apply.svc.app/v1beta1',
  kind: 'ApplyRequest',
  spec: { objects, prune: { enabled: true } },
});
const inSet = { apiVersion: FOLDER, kind: 'Folder', metadata: { name: 'in-set' }, spec: { title: 'In set' } };
const owned = (name: string) => [
  { apiVersion: DASHBOARD, kind: 'Dashboard', name, uid: 'u', blockOwnerDeletion: true },
];

interface Row {
  readonly by: string;
  readonly request: string;
  readonly body?: object;
  readonly status: number;
}

/** The administrator of a folder in a private one. */
const IDA: readonly Row[] = [
  { by: 'ida', request: 'GET /api/folders/inner/permissions', status: 200 },
  { by: 'ida', request: 'GET /api/access-control/folders/inner', status: 200 },
  { by: 'ida', request: 'GET /api/dashboards/uid/board/permissions', status: 200 },
  { by: 'ida', request: 'GET /api/access-control/dashboards/board', status: 200 },
  { by: 'ida', request: 'GET /api/search?query=', status: 200 },
  { by: 'ida', request: 'GET /api/teams/search', status: 200 },
  { by: 'ida', request: 'GET /api/org/users', status: 403 },
  {
    by: 'ida',
    request: 'POST /api/access-control/folders/inner/users/99999',
    body: { permission: 'View' },
    status: 400,
  },
  { by: 'ida', request: 'POST /api/folders/inner/move', body: { parentUid: '' }, status: 403 },
  { by: 'ida', request: `POST ${HERE}/resourceaccessreviews`, body: { spec: {} }, status: 403 },
  {
    by: 'ida',
    request: 'POST /api/folders/inner/permissions',
    body: { items: [{ userUid: 'ida', permission: 4 }] },
    status: 200,
  },
  {
    by: 'ida',
    request: `PATCH ${FOLDERS}/inner`,
    body: { metadata: { annotations: { 'svc.app/folder': 'open' } } },
    status: 403,
  },
];

/** An editor who may give roles and apply sets, and add people to one team. */
const DORA: readonly Row[] = [
  {
    by: 'dora',
    request: `POST ${HERE}/rolebindings`,
    body: iam('RoleBinding', 'more', {
      subject: { kind: 'User', name: 'norm' },
      roleRef: { kind: 'Role', name: 'open-role' },
    }),
    status: 403,
  },
  {
    by: 'dora',
    request: `POST ${HERE}/teambindings`,
    body: iam('TeamBinding', 'open-team.norm', {
      teamRef: { name: 'open-team' },
      userRef: { name: 'norm' },
      permission: 'member',
    }),
    status: 403,
  },
  { by: 'dora', request: `POST ${SETS}/set/apply`, body: members([inSet]), status: 403 },
  { by: 'dora', request: `POST ${SETS}/set/apply`, body: members([]), status: 403 },
  { by: 'dora', request: `GET ${SETS}/set/members`, status: 200 },
  { by: 'dora', request: `POST ${HERE}/teams`, body: iam('Team', 'new', { title: 'PLUGH TEAM' }), status: 422 },
  { by: 'dora', request: 'POST /api/teams', body: { name: 'Plugh team' }, status: 409 },
  { by: 'dora', request: 'POST /api/access-control/roles', body: { name: 'plugh:role' }, status: 400 },
];

/** What conflicts with something hidden. */
const OTHERS: readonly Row[] = [
  { by: 'fred', request: `DELETE ${FOLDERS}/bin`, status: 403 },
  { by: 'fred', request: 'DELETE /api/folders/bin', status: 403 },
  { by: 'fred', request: 'GET /api/folders/bin/counts', status: 200 },
  { by: 'edith', request: `DELETE ${LIBRARY}/part`, status: 403 },
  { by: 'edith', request: 'DELETE /api/library-elements/part', status: 403 },
  { by: 'edith', request: 'GET /api/library-elements/part/connections', status: 200 },
  { by: 'edith', request: 'POST /api/dashboards/db', body: { dashboard: { title: 'Plugh root' } }, status: 412 },
  {
    by: 'edith',
    request: 'POST /api/dashboards/db',
    body: { dashboard: { title: 'Plugh root' }, overwrite: true },
    status: 403,
  },
  {
    by: 'edith',
    request: 'POST /api/dashboards/import',
    body: { dashboard: { title: 'Plugh root' }, inputs: [], overwrite: true },
    status: 403,
  },
  {
    by: 'edith',
    request: `POST ${DASHBOARDS}`,
    body: { apiVersion: DASHBOARD, kind: 'Dashboard', metadata: { name: 'mine' }, spec: { title: 'Plugh root' } },
    status: 422,
  },
  {
    by: 'edith',
    request: `PATCH ${DASHBOARDS}/shown`,
    body: { metadata: { ownerReferences: owned('xyzzy-root') } },
    status: 403,
  },
  { by: 'edith', request: `GET ${DASHBOARDS}?labelSelector=svc.app/get-trash%3Dtrue`, status: 200 },
  { by: 'vera', request: 'PUT /api/user', body: { login: 'plugh' }, status: 409 },
  { by: 'vera', request: 'PUT /api/user', body: { email: 'plugh@example.com' }, status: 409 },
  { by: 'vera', request: 'POST /api/annotations', body: { dashboardUID: 'xyzzy-root', text: 'x' }, status: 403 },
  { by: 'vera', request: 'PATCH /api/user/preferences', body: { homeDashboardUID: 'xyzzy-root' }, status: 404 },
  { by: 'otto', request: `GET ${FOLDERS}/xyzzy-top`, status: 403 },
  { by: 'otto', request: `DELETE ${FOLDERS}`, status: 403 },
];

oneStore('No answer tells the name or the title of an object that the caller may not view:', (server) => {
  const folder = (name: string, title: string, annotations = {}) =>
    make(server(), FOLDERS, 'Folder', name, annotations, { title });
  const dashboard = (name: string, title: string, annotations = {}, more = {}) =>
    make(server(), DASHBOARDS, 'Dashboard', name, annotations, { title, ...more });
  const element = (name: string, title: string, parent: string) =>
    make(server(), LIBRARY, 'LibraryElement', name, within(parent), { name: title, kind: 1, model: { type: 'text' } });
  const added = (kind: string, name: string, spec: object) =>
    make(server(), `${HERE}/${kind.toLowerCase()}s`, kind, name, {}, spec);
  const roleOf = async (uid: string, role: string, permissions: readonly (readonly [string, string])[]) => {
    await addPerson(server(), uid, role);
    await addRole(
      server(),
      uid,
      permissions.map(([action, scope]) => ({ action, scope })),
    );
    await bind(server(), uid, { subject: ['User', uid], role: ['Role', uid] });
  };

  before(async () => {
    await addPeople(server());
    await folder('open', 'Open');
    await folder('bin', 'Bin');
    await folder('xyzzy-top', 'Plugh top', PRIVATE);
    await folder('inner', 'Inner', within('xyzzy-top'));
    await dashboard('board', 'Board', within('inner'));
    await dashboard('shown', 'Shown', within('open'));
    await element('part', 'Part', 'open');
    await element('xyzzy-part', 'Plugh part', 'bin');
    const panels = ['part', 'xyzzy-part'].map((uid, id) => ({ id, libraryPanel: { uid, name: uid } }));
    await dashboard('xyzzy-root', 'Plugh root', PRIVATE, { panels });
    await dashboard('xyzzy-gone', 'Plugh gone', PRIVATE);
    accepted(await server().call('DELETE', `${DASHBOARDS}/xyzzy-gone`), 200);
  });

  before(async () => {
    const user = { login: 'plugh', email: 'plugh@example.com', name: 'Plugh user' };
    await make(server(), `/apis/${IAM}/users`, 'User', 'xyzzy-user', {}, user);
    await addMember(server(), 'xyzzy-user', 'Viewer');
    await added('Team', 'xyzzy-team', { title: 'Plugh team' });
    await added('Team', 'open-team', { title: 'Open team' });
    await added('ServiceAccount', 'xyzzy-robot', { title: 'Plugh robot', role: 'None' });
    const permissions = [{ action: 'dashboards:read', scope: 'dashboards:uid:xyzzy-root' }];
    await added('Role', 'xyzzy-role', { name: 'plugh:role', permissions });
    await added('Role', 'open-role', { name: 'open:role', permissions });
    const [role, place] = [['BuiltIn', 'Edit'] as const, { folder: 'xyzzy-top' }];
    await bind(server(), 'xyzzy-1', { subject: ['Team', 'xyzzy-team'], role, ...place });
    await bind(server(), 'xyzzy-2', { subject: ['User', 'xyzzy-user'], role, ...place });
    await bind(server(), 'xyzzy-3', { subject: ['ServiceAccount', 'xyzzy-robot'], role, ...place });
    await bind(server(), 'xyzzy-4', { subject: ['Team', 'open-team'], role, ...place });
    await roleOf('ida', 'None', []);
    await bind(server(), 'ida-inner', { subject: ['User', 'ida'], role: ['BuiltIn', 'Admin'], folder: 'inner' });
    await roleOf('fred', 'None', [
      ['folders:read', 'folders:uid:bin'],
      ['folders:delete', 'folders:uid:bin'],
    ]);
    await roleOf('dora', 'Editor', [
      ['applysets:read', 'applysets:*'],
      ['applysets:create', 'applysets:*'],
      ['applysets:write', 'applysets:*'],
      ['roles:write', 'roles:*'],
      ['roles:read', 'roles:uid:open-role'],
      ['teams:create', 'teams:*'],
      ['teams:read', 'teams:uid:open-team'],
      ['teams.permissions:write', 'teams:uid:open-team'],
    ]);
    const hidden = iam('Team', 'xyzzy-member', { title: 'Plugh member' });
    accepted(await server().call('POST', `${SETS}/set/apply`, { body: members([inSet, hidden]) }), 201);
  });

  for (const { by, request, body, status } of [...IDA, ...DORA, ...OTHERS])
    it(`${by}: ${request} ${body === undefined ? '' : JSON.stringify(body)}`.slice(0, 150), async () => {
      const [method = '', path = ''] = request.split(' ');
      const user: UserInfo = { ...person(by), extra: { 'svc.app/organization': ['default'] } };
      const headers = method === 'PATCH' && path.startsWith('/apis') ? MERGE : {};
      const answer = await server().call(method, path, { user, headers, ...(body && { body }) });
      expect(answer.status, answer.text).to.equal(status);
      const asked = `${path} ${JSON.stringify(body ?? '')}`.toLowerCase();
      const told = `${answer.text} ${JSON.stringify(answer.headers['warning'] ?? '')}`.toLowerCase();
      for (const word of HIDDEN.filter((one) => !asked.includes(one))) expect(told).to.not.contain(word);
    });

  it('those who may view them are told', async () => {
    const list = await server().call('GET', '/api/folders/inner/permissions');
    for (const word of ['xyzzy-team', 'plugh@example.com']) expect(list.text).to.contain(word);
    const refused = await server().call('DELETE', `${FOLDERS}/bin`, { user: person('edith') });
    expect(refused.text).to.contain('xyzzy-part');
  });
});
