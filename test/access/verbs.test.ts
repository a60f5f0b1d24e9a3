import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { missingPermissionsMessage } from '../../registry/authorization/denied.js';
import type { Server } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { addFolder, addPeople, CALLERS, FOLDERS, folderBody } from './people.js';

type Try = (server: Server, user: UserInfo, name: string) => Promise<number>;

const status = (call: ReturnType<Server['call']>): Promise<number> => call.then((answer) => answer.status);

const applied = (server: Server, user: UserInfo, name: string): Promise<number> =>
  status(
    server.call('PATCH', `${FOLDERS}/${name}`, {
      user,
      body: folderBody(name, undefined, 'applied'),
      headers: { 'content-type': 'application/apply-patch+yaml' },
      query: { fieldManager: 'tests', force: true },
    }),
  );

/** Each attempt uses its verb on a folder of its own. */
const VERBS: Readonly<Record<string, Try>> = {
  get: (server, user, name) => status(server.call('GET', `${FOLDERS}/${name}`, { user })),
  list: (server, user) => status(server.call('GET', FOLDERS, { user })),
  watch: async (server, user) => {
    const answer = await server.call('GET', `${FOLDERS}?watch=true`, { user });
    if (answer.status === 200) await answer.frames.close();
    return answer.status;
  },
  create: (server, user, name) => status(server.call('POST', FOLDERS, { user, body: folderBody(`${name}-new`) })),
  update: (server, user, name) =>
    status(server.call('PUT', `${FOLDERS}/${name}`, { user, body: folderBody(name, undefined, 'another') })),
  patch: (server, user, name) =>
    status(
      server.call('PATCH', `${FOLDERS}/${name}`, {
        user,
        body: { spec: { title: 'patched' } },
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
    ),
  apply: (server, user, name) => applied(server, user, name),
  'apply-new': (server, user, name) => applied(server, user, `${name}-new`),
  delete: (server, user, name) => status(server.call('DELETE', `${FOLDERS}/${name}`, { user })),
  deletecollection: (server, user, name) =>
    status(server.call('DELETE', `${FOLDERS}?fieldSelector=metadata.name%3D${name}`, { user })),
};

const READING = ['get', 'list', 'watch'];
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'server admin': Object.keys(VERBS),
  admin: Object.keys(VERBS),
  editor: Object.keys(VERBS),
  viewer: READING,
  'service account': READING,
  member: [],
  outsider: [],
  anonymous: [],
};

oneStore('permissions by role', (server) => {
  before(() => addPeople(server()));

  for (const [caller, allowed] of Object.entries(ALLOWED)) {
    for (const [verb, attempt] of Object.entries(VERBS)) {
      const may = allowed.includes(verb);
      it(`${caller} ${may ? 'may' : 'may not'} ${verb} folders`, async () => {
        const name = `${caller.replaceAll(' ', '-')}-${verb}`;
        await addFolder(server(), name);
        const answered = await attempt(server(), CALLERS[caller]!, name);
        if (may) expect(answered).to.be.oneOf([200, 201]);
        else expect(answered).to.equal(403);
        if (!may && verb.startsWith('delete')) {
          expect((await server().call('GET', `${FOLDERS}/${name}`)).status, 'it is still there').to.equal(200);
        }
      });
    }
  }

  // Promise: contract 6, specification 7
  it('a 403 names the refused verb in Kubernetes’ words, and the missing permissions', async () => {
    const answer = await server().call('POST', FOLDERS, { user: CALLERS['viewer']!, body: folderBody('refused') });
    expect(answer.json().message).to.equal(
      'folders.folder.svc.app is forbidden: User "vera@here" cannot create resource "folders" in API group "folder.svc.app" in the namespace "default": it takes the permissions folders:create and folders:write',
    );
    const { causes = [] } = answer.json().details;
    expect(causes.map(({ message }) => message)).to.deep.equal(['folders:create', 'folders:write']);
    expect(missingPermissionsMessage(['users:read'])).to.equal(
      "You'll need additional permissions to perform this action. Permissions needed: users:read",
    );
  });

  it('a 404 is returned only to callers who may use the verb on every object', async () => {
    const path = `${FOLDERS}/never-was`;
    expect((await server().call('GET', path, { user: CALLERS['viewer']! })).status).to.equal(404);
    expect((await server().call('GET', path, { user: CALLERS['member']! })).status).to.equal(403);
    expect((await server().call('DELETE', path, { user: CALLERS['editor']! })).status).to.equal(404);
    expect((await server().call('DELETE', path, { user: CALLERS['viewer']! })).status).to.equal(403);
  });

  it('only server administrators manage users, but every user can view their own object', async () => {
    const users = '/apis/iam.svc.app/v1beta1/users';
    for (const name of ['admin', 'editor', 'viewer', 'outsider']) {
      const user = CALLERS[name]!;
      expect((await server().call('GET', `${users}/${user.uid}`, { user })).status, name).to.equal(200);
      expect((await server().call('GET', `${users}/admin-of-all`, { user })).status, name).to.equal(403);
      expect((await server().call('DELETE', `${users}/${user.uid}`, { user })).status, name).to.equal(403);
      const { items } = (await server().call('GET', users, { user })).json();
      expect(
        items.map(({ metadata }) => metadata.name),
        name,
      ).to.deep.equal([user.uid]);
    }
  });

  it('only a server administrator can make a user a server administrator', async () => {
    const answer = await server().call('PATCH', '/apis/iam.svc.app/v1beta1/users/vera', {
      user: CALLERS['viewer']!,
      body: { spec: { grafanaAdmin: true } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(answer.status).to.equal(403);
  });
});
