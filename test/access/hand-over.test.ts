import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import {
  addDashboard,
  addFolder,
  addPerson,
  addTeam,
  addTeamMember,
  bind,
  DASHBOARDS,
  FOLDERS,
  HERE,
  person,
} from './people.js';

const VIV = person('viv');

oneStore('a request of several writes that takes rights from its caller', (server) => {
  const by = async (method: string, path: string, body: unknown, expected = 200) => {
    const { status, text } = await server().call(method, path, { user: VIV, body });
    expect(status, `${path} ${text}`).to.equal(expected);
  };
  const numberOf = async (uid: string): Promise<number> => {
    const { metadata } = (await server().call('GET', `/apis/iam.svc.app/v1beta1/users/${uid}`)).json();
    return Number(metadata.labels?.['svc.app/deprecatedInternalID']);
  };
  const administers = async (uid: string, path: string): Promise<boolean> =>
    (await server().call('GET', `${path}/permissions`, { user: person(uid) })).status === 200;
  let bob = 0;

  before(async () => {
    for (const uid of ['viv', 'bob']) await addPerson(server(), uid, 'None');
    bob = await numberOf('bob');
  });

  const ROLES = [
    { role: 'Editor', permission: 2 },
    { role: 'Viewer', permission: 1 },
  ];

  it('hands a folder over by a list of permissions without the caller', async () => {
    for (const [name, roles] of [
      ['handed', ROLES],
      ['handed-private', []],
    ] as const) {
      await addFolder(server(), name);
      await bind(server(), `viv-${name}`, { subject: ['User', 'viv'], role: ['BuiltIn', 'Admin'], folder: name });
      const items = [{ userId: bob, permission: 4 }, ...roles];
      await by('POST', `/api/folders/${name}/permissions`, { items });
      const path = `/api/folders/${name}`;
      expect(await Promise.all(['bob', 'viv'].map((uid) => administers(uid, path)))).to.deep.equal([true, false]);
      await by('POST', `/api/folders/${name}/permissions`, { items: [] }, 403);
    }
  });

  it('hands a dashboard over, by a list and by changes', async () => {
    for (const name of ['by-list', 'by-change']) {
      await addDashboard(server(), name);
      await bind(server(), `viv-${name}`, { subject: ['User', 'viv'], role: ['BuiltIn', 'Admin'], dashboard: name });
    }
    const items = [{ userId: bob, permission: 4 }, ...ROLES];
    await by('POST', '/api/dashboards/uid/by-list/permissions', { items });
    const permissions = [
      { userUid: 'viv', permission: '' },
      { userUid: 'bob', permission: 'Admin' },
      { builtInRole: 'Viewer', permission: '' },
    ];
    await by('POST', '/api/access-control/dashboards/by-change', { permissions });
    for (const name of ['by-list', 'by-change']) {
      const path = `/api/dashboards/uid/${name}`;
      expect(await Promise.all(['bob', 'viv'].map((uid) => administers(uid, path)))).to.deep.equal([true, false]);
    }
  });

  it('hands a team over by a list of members without the caller', async () => {
    await addTeam(server(), 'crew');
    await addTeamMember(server(), 'crew', 'viv', 'admin');
    const { metadata } = (await server().call('GET', `${HERE}/teams/crew`)).json();
    const id = metadata.labels?.['svc.app/deprecatedInternalID'];
    await by('PUT', `/api/teams/${id}/members`, { members: [], admins: ['bob@example.com'] });
    const members = await server().call('GET', `/api/teams/${id}/members`);
    expect(members.text).to.contain('bob@here').and.not.to.contain('viv@here');
  });

  it('refuses what its caller could not do before, and changes nothing then', async () => {
    await addFolder(server(), 'kept');
    await bind(server(), 'viv-kept', { subject: ['User', 'viv'], role: ['BuiltIn', 'Edit'], folder: 'kept' });
    await by('POST', '/api/folders/kept/permissions', { items: [{ userUid: 'viv', permission: 4 }] }, 403);
    expect((await server().call('GET', `${FOLDERS}/kept`, { user: VIV })).status).to.equal(200);
    expect((await server().call('GET', `${DASHBOARDS}/by-list`, { user: VIV })).status).to.equal(403);
  });
});
