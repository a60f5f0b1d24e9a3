import { expect } from 'chai';
import { ANONYMOUS } from '../../pkg/identity/authn/user.js';
import { Client } from '../../registry/client/client.js';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf, TIME } from './legacy.js';
import { peopleOf } from './people.js';

const NOT_FOUND = { message: 'user not found' };
const NOT_NAMED = { message: 'User not found' };
const structured = (statusCode: number, messageId: string, message: string) => ({
  statusCode,
  messageId,
  message,
  extra: null,
});

oneStore('users in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person, robot } = peopleOf(server);
  const resources = iam(server);
  const logins = (users: Json): readonly string[] => users.map(({ login }: Json) => login);
  const search = async (query: string): Promise<Json> => ask(200, 'GET', `/users/search?${query}`);

  describe('GET /api/users and GET /api/users/search', () => {
    // Promise: specification 2.3, specification 4.3, specification 8
    it('return users that were created through the resource API, with every field', async () => {
      const { uid, id, email } = await person();
      const { totalCount, users, page, perPage } = await search(`query=${uid}`);
      expect({ totalCount, page, perPage }).to.deep.equal({ totalCount: 1, page: 1, perPage: 1000 });
      expect(users[0]).to.include({ id, uid, login: uid, email, name: `Name of ${uid}`, isAdmin: false });
      expect(users[0]).to.include({ isDisabled: false, isProvisioned: false, lastSeenAtAge: '10y' });
      expect(users[0].authLabels).to.deep.equal([]);
      expect(users[0].avatarUrl).to.match(/^\/avatar\/[0-9a-f]{32}$/);
      expect(users[0].lastSeenAt).to.match(TIME);
      expect((await ask(200, 'GET', '/users')).map((user: Json) => user.uid)).to.include(uid);
    });

    // Promise: specification 4.3
    it('find users by a part of login, e-mail address or name, in any case', async () => {
      const tag = fresh('find');
      const { uid } = await person({
        spec: { login: `${tag}-Login`, email: `${tag}@Mail.org`, name: `${tag} Ünal (.*)` },
      });
      for (const query of [`${tag}-LOGIN`, `${tag}@mail`, `${tag} üNAL`, `${tag} Ünal (.*)`]) {
        const { users } = await search(`query=${encodeURIComponent(query)}`);
        expect(
          users.map((user: Json) => user.uid),
          query,
        ).to.deep.equal([uid]);
      }
      for (const query of [`${tag}.*`, `^${tag}`, `${tag}%`, `${tag}\n`, `${tag}-[l]ogin`, `${tag}-login\n${tag}`]) {
        expect((await search(`query=${encodeURIComponent(query)}`)).users, query).to.deep.equal([]);
      }
    });

    // Promise: specification 4.3, specification 8
    it('answer in pages with perpage and page, and are empty after the last page', async () => {
      const tag = fresh('paged');
      for (let i = 0; i < 5; i++) await person({ spec: { login: `${tag}-${i}` } });
      const first = await search(`query=${tag}&perpage=2`);
      expect(first).to.include({ totalCount: 5, page: 1, perPage: 2 });
      expect(logins(first.users)).to.deep.equal([`${tag}-0`, `${tag}-1`]);
      expect(logins((await search(`query=${tag}&perpage=2&page=3`)).users)).to.deep.equal([`${tag}-4`]);
      expect(await search(`query=${tag}&perpage=2&page=4`)).to.deep.include({ totalCount: 5, users: [], page: 4 });
      const all = logins(await ask(200, 'GET', '/users'));
      const paged = logins(await ask(200, 'GET', '/users?perpage=2&page=2'));
      expect(paged).to.deep.equal(all.slice(2, 4));
      expect(await search('perpage=0&page=-1')).to.include({ page: 1, perPage: 1000 });
      expect(await search('perpage=1&page=999')).to.deep.include({ users: [], totalCount: all.length });
    });

    // Promise: specification 4.3
    it('sort by login by default, and by several keys in the given order', async () => {
      const tag = fresh('sorted');
      const rows = [
        ['a', 'z', 'Same'],
        ['b', 'y', 'same'],
        ['c', 'x', 'Other'],
      ];
      for (const [login, email, name] of rows) {
        await person({ spec: { login: `${tag}-${login}`, email: `${tag}-${email}`, name } });
      }
      const order = async (sort: string) =>
        logins((await search(`query=${tag}&sort=${sort}`)).users)
          .map((login) => login.at(-1))
          .join('');
      expect(await order('')).to.equal('abc');
      expect(await order('login-asc')).to.equal('abc');
      expect(await order('login-desc')).to.equal('cba');
      expect(await order('email-asc')).to.equal('cba');
      expect(await order('email-desc')).to.equal('abc');
      expect(await order('name-asc')).to.equal('cab');
      expect(await order('name-asc,login-desc')).to.equal('cba');
      expect(await order('name-desc,email-asc')).to.equal('bac');
      expect(await order('name-desc,email-desc')).to.equal('abc');
      expect(await order('lastSeenAtAge-asc,login-desc')).to.have.length(3);
    });

    // Promise: specification 2.3, specification 4.3
    it('sort by the last-seen time, with users who were never seen first', async () => {
      const tag = fresh('seen');
      const [never, long, now] = [
        await person({ prefix: tag }),
        await person({ prefix: tag }),
        await person({ prefix: tag }),
      ];
      const { registry } = server().api;
      const user = { name: 'system:test', uid: '', groups: ['system:masters'], extra: {} };
      const times = new Client(registry, { user }).objects(registry.compiled.get('internal/LastSeen'));
      for (const [{ uid }, at] of [
        [long, '2026-01-01T00:00:00Z'],
        [now, '2026-11-01T00:00:00Z'],
      ] as const) {
        await times.create({ metadata: { name: uid }, spec: { at } });
      }
      const order = async (sort: string) => logins((await search(`query=${tag}&sort=${sort}`)).users);
      expect(await order('lastSeenAtAge-asc')).to.deep.equal([never.uid, long.uid, now.uid]);
      expect(await order('lastSeenAtAge-desc')).to.deep.equal([now.uid, long.uid, never.uid]);
      expect((await search(`query=${now.uid}`)).users[0].lastSeenAt).to.equal('2026-11-01T00:00:00Z');
    });

    it('refuse unknown sort keys with 400', async () => {
      const body = structured(400, 'unknown sorting option', 'BadRequest');
      for (const sort of ['created-asc', 'login', 'login-asc,x-desc', '__proto__-asc']) {
        await refused(400, body, 'GET', `/users/search?sort=${sort}`);
        await refused(400, body, 'GET', `/users?sort=${sort}`);
      }
    });
  });

  describe('GET /api/users/:id and GET /api/users/lookup', () => {
    // Promise: specification 1, specification 2.3, specification 4.3
    it('return one user with all fields', async () => {
      const { uid, id, email } = await person({ spec: { grafanaAdmin: true } });
      const user = await ask(200, 'GET', `/users/${id}`);
      expect(user).to.include({ id, uid, email, login: uid, name: `Name of ${uid}`, theme: '', orgId: 1 });
      expect(user).to.include({ isGrafanaAdmin: true, isDisabled: false, isExternal: false });
      expect(user.authLabels).to.deep.equal([]);
      expect(user.createdAt).to.match(TIME);
      expect(user.updatedAt).to.match(TIME);
      expect(user.avatarUrl).to.match(/^\/avatar\/[0-9a-f]{32}$/);
      expect(await ask(200, 'GET', `/users/${uid}`)).to.deep.equal(user);
    });

    // Promise: specification 2.3, specification 4.3
    it('find a user by login or e-mail address, in any case', async () => {
      const { id, login, email } = await person();
      for (const text of [login, login.toUpperCase(), email, email.toUpperCase()]) {
        const user = await ask(200, 'GET', `/users/lookup?loginOrEmail=${encodeURIComponent(text)}`);
        expect(user).to.include({ id, authLabels: null, avatarUrl: '' });
      }
    });

    // Promise: specification 4.3
    it('answer 404 for an unknown user, and 400 for a lookup without value', async () => {
      await refused(404, NOT_FOUND, 'GET', '/users/999999');
      await refused(404, NOT_NAMED, 'GET', '/users/nobody');
      await refused(404, NOT_NAMED, 'GET', '/users/-1');
      await refused(404, NOT_FOUND, 'GET', '/users/lookup?loginOrEmail=nobody%40example.com');
      await refused(404, NOT_FOUND, 'GET', '/users/lookup?loginOrEmail=.*');
      await refused(400, { message: 'Query parameter loginOrEmail is required' }, 'GET', '/users/lookup');
    });
  });

  describe('PUT /api/users/:id', () => {
    // Promise: specification 4.3
    it('changes the user in both APIs, and the theme in their preferences', async () => {
      const { uid, id } = await person();
      const body = { email: ` new-${uid}@example.com `, name: 'New Name', login: `new-${uid}`, theme: 'light' };
      expect(await ask(200, 'PUT', `/users/${id}`, body)).to.deep.equal({ message: 'User updated' });
      const object = bodyOf(await resources.get('User', uid), 200);
      expect(object.spec).to.include({ email: `new-${uid}@example.com`, name: 'New Name', login: `new-${uid}` });
      const preferences = bodyOf(await resources.get('Preferences', `user-${uid}`), 200);
      expect(preferences.spec).to.deep.equal({ theme: 'light' });
      expect(await ask(200, 'GET', `/users/${id}`)).to.include({ theme: 'light', name: 'New Name' });
    });

    it('refuses a theme for a user without organization, and changes nothing', async () => {
      const { id, login } = await person({ role: '' });
      const message = 'The theme is a preference in an organization, and the user belongs to none';
      await refused(400, { message }, 'PUT', `/users/${id}`, { login, name: 'New', theme: 'dark' });
      const { name, theme } = await ask(200, 'GET', `/users/${id}`);
      expect([name, theme]).to.deep.equal([`Name of ${login}`, '']);
      await ask(200, 'PUT', `/users/${id}`, { login, name: 'New', theme });
      expect((await ask(200, 'GET', `/users/${id}`)).name).to.equal('New');
    });

    it('uses the e-mail address as login if the login is empty', async () => {
      const { id, uid } = await person();
      await ask(200, 'PUT', `/users/${id}`, { email: `only-${uid}@example.com` });
      expect((await ask(200, 'GET', `/users/${id}`)).login).to.equal(`only-${uid}@example.com`);
    });

    // Promise: specification 4.3
    it('refuses taken values with 409, empty and invalid ones with 400, and changes nothing', async () => {
      const [{ id }, other] = [await person(), await person()];
      const cases: readonly (readonly [number, Json, unknown])[] = [
        [409, { login: other.login.toUpperCase() }, { message: 'Update would result in user login conflict' }],
        [
          409,
          { login: fresh('free'), email: other.email },
          structured(409, 'user.email-conflict', 'Email is already being used'),
        ],
        [
          400,
          { name: 'x' },
          structured(400, 'user.empty-username-and-email', 'Need to specify either username or email'),
        ],
        [400, { login: fresh('free'), theme: 'pink' }, { message: 'Invalid theme' }],
        [400, { login: { $gt: '' } }, { message: 'bad request data' }],
        [400, { login: fresh('free'), theme: { $gt: '' } }, { message: 'bad request data' }],
        [400, '[1', { message: 'bad request data' }],
      ];
      for (const [status, body, expected] of cases) {
        await changingNothing(server(), () => refused(status, expected, 'PUT', `/users/${id}`, body));
      }
      await refused(404, NOT_FOUND, 'PUT', '/users/999999', { login: 'x' });
    });
  });

  describe('GET /api/users/:id/orgs, GET /api/users/:id/teams and POST /api/users/:userId/using/:organizationId', () => {
    // Promise: specification 2.3, specification 4.3
    it('list memberships and teams, and choose the organization', async () => {
      const { uid, id } = await person({ role: 'Editor' });
      expect(await ask(200, 'GET', `/users/${id}/orgs`)).to.deep.equal([
        { orgId: 1, name: 'Main Org.', role: 'Editor' },
      ]);
      const title = fresh('Organization');
      const { orgId } = await ask(200, 'POST', '/orgs', { name: title });
      await refused(401, { message: 'Not a valid organization' }, 'POST', `/users/${id}/using/${orgId}`);
      await resources.made('OrganizationBinding', uid, { userRef: { name: uid }, role: 'Admin' }, `org-${orgId}`);
      const memberships = await ask(200, 'GET', `/users/${id}/orgs`);
      expect(memberships).to.deep.include({ orgId, name: title, role: 'Admin' });
      const answer = await ask(200, 'POST', `/users/${id}/using/${orgId}`);
      expect(answer).to.deep.equal({ message: 'Active organization changed' });
      expect((await ask(200, 'GET', `/users/${id}`)).orgId).to.equal(orgId);
      await resources.made('Team', uid, { title: uid, email: 't@example.com' });
      const spec = { teamRef: { name: uid }, userRef: { name: uid }, permission: 'admin' };
      await resources.made('TeamBinding', `${uid}.${uid}`, spec);
      const teams = await ask(200, 'GET', `/users/${id}/teams`);
      expect(teams).to.have.length(1);
      expect(teams[0]).to.include({ orgId: 1, name: uid, email: 't@example.com', memberCount: 1 });
    });

    it('refuse invalid numbers with 400, and unknown ids with 404 or 401', async () => {
      const { id } = await person();
      await refused(400, { message: 'orgId is invalid' }, 'POST', `/users/${id}/using/x`);
      await refused(400, { message: 'id is invalid' }, 'POST', '/users/x/using/1');
      await refused(401, { message: 'Not a valid organization' }, 'POST', `/users/${id}/using/999999`);
      await refused(404, NOT_FOUND, 'GET', '/users/999999/orgs');
      await refused(404, NOT_FOUND, 'GET', '/users/999999/teams');
      await refused(401, { message: 'Unauthorized' }, 'POST', '/users/999999/using/1');
    });
  });

  it('GET /api/user and the routes below it answer 401 to anonymous callers, even if these are enabled', async () => {
    for (const path of ['/user', '/user/orgs', '/user/teams', '/user/auth-tokens', '/user/preferences']) {
      const body = await ask(401, 'GET', path, undefined, { user: ANONYMOUS });
      expect(body.messageId, path).to.equal('auth.unauthorized');
    }
    for (const path of ['/user/using/1', '/user/revoke-auth-token'])
      await ask(401, 'POST', path, { authTokenId: 1 }, { user: ANONYMOUS });
    await ask(401, 'PUT', '/user', { login: 'x' }, { user: ANONYMOUS });
    await ask(401, 'PUT', '/user/password', { oldPassword: 'x', newPassword: 'xxxx' }, { user: ANONYMOUS });
  });

  // Promise: specification 5
  it('are for server administrators only, and other callers get 403 before the request is read', async () => {
    const { info, id } = await person({ role: 'Admin' });
    const account = await robot();
    const calls = [
      ['GET', '/users'],
      ['GET', '/users/search?sort=rubbish'],
      ['GET', `/users/${id}`],
      ['GET', '/users/999999'],
      ['GET', '/users/lookup'],
      ['PUT', `/users/${id}`],
      ['GET', `/users/${id}/orgs`],
      ['GET', `/users/${id}/teams`],
      ['POST', `/users/${id}/using/x`],
      ['POST', '/admin/users'],
      ['DELETE', `/admin/users/${id}`],
      ['PUT', `/admin/users/${id}/password`],
      ['PUT', `/admin/users/${id}/permissions`],
    ] as const;
    for (const [method, path] of calls) {
      const body = method === 'GET' ? {} : { body: '{' };
      const person = await call(method, path, { user: info, ...body });
      expect(person.status, `${method} ${path} ${person.text}`).to.equal(403);
      expect(person.text).to.include("You'll need additional permissions");
      const robotic = await call(method, path, { user: account, ...body });
      expect(JSON.parse(robotic.text), path).to.deep.equal({ message: 'Endpoint only available for users' });
      expect(robotic.status).to.equal(403);
    }
  });
});
