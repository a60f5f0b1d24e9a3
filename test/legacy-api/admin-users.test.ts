import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf, shortened } from './legacy.js';
import { asAdmin, peopleOf } from './people.js';

const PASSWORD = 'long enough';
const MISSING = 'Password is missing or too short: it needs at least 4 characters';

oneStore('users, for administrators of the server', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const resources = iam(server);
  const create = (body: Json): Promise<Answer> =>
    call('POST', '/admin/users', { body: { password: PASSWORD, ...body } });

  describe('POST /api/admin/users', () => {
    // Promise: specification 5
    it('creates a user, a password and a membership in one commit', async () => {
      const login = fresh('created');
      const before = await server().end();
      const answer = await ask(200, 'POST', '/admin/users', {
        name: 'N',
        email: `${login}@x.org`,
        login,
        password: PASSWORD,
      });
      expect(answer).to.include({ message: 'User created' });
      expect(await server().end(), 'user, credential, membership').to.equal(before + 3);
      const object = bodyOf(await resources.get('User', answer.uid), 200);
      expect(object.spec).to.include({
        login,
        email: `${login}@x.org`,
        name: 'N',
        grafanaAdmin: false,
        disabled: false,
      });
      expect(object.metadata.labels?.['svc.app/deprecatedInternalID']).to.equal(String(answer.id));
      expect(await ask(200, 'GET', `/users/${answer.id}/orgs`)).to.deep.equal([
        { orgId: 1, name: 'Main Org.', role: 'Viewer' },
      ]);
    });

    it('creates a user who must change the password, and sets such a password for others', async () => {
      const login = fresh('first');
      const { id, uid } = await ask(200, 'POST', '/admin/users', {
        login,
        password: PASSWORD,
        mustChangePassword: true,
      });
      const duty = async () => bodyOf(await resources.get('User', uid), 200).spec['mustChangePassword'];
      expect(await duty()).to.equal(true);
      await ask(200, 'PUT', `/admin/users/${id}/password`, { password: `${PASSWORD}2`, mustChangePassword: false });
      expect(await duty()).to.equal(undefined);
      await ask(200, 'PUT', `/admin/users/${id}/password`, { password: `${PASSWORD}3`, mustChangePassword: true });
      await ask(200, 'PUT', `/admin/users/${id}/password`, { password: `${PASSWORD}4` });
      expect(await duty()).to.equal(true);
    });

    it('uses the login as missing e-mail address, and the e-mail address as missing login', async () => {
      const login = fresh('alone');
      const { id } = await ask(200, 'POST', '/admin/users', { login, password: PASSWORD });
      expect(await ask(200, 'GET', `/users/${id}`)).to.include({ login, email: login, name: '' });
    });

    it('creates a membership in the given organization, and refuses one that does not exist', async () => {
      const { orgId } = await ask(200, 'POST', '/orgs', { name: fresh('Organization') });
      const { id } = await ask(200, 'POST', '/admin/users', {
        login: fresh('there'),
        password: PASSWORD,
        OrgId: orgId,
      });
      expect((await ask(200, 'GET', `/users/${id}/orgs`)).map((one: Json) => one.orgId)).to.deep.equal([orgId]);
      const body = { login: fresh('nowhere'), password: PASSWORD, OrgId: 99_999 };
      await refused(400, { message: 'organization not found' }, 'POST', '/admin/users', body);
    });

    it('refuses a taken login or e-mail address with 412, and invalid bodies with 400, and changes nothing', async () => {
      const { login, email } = await person();
      const exists = (asEmail: string, asLogin: string) => ({
        message: `User with email '${asEmail}' or username '${asLogin}' already exists`,
      });
      const other = fresh('other');
      const cases: readonly (readonly [number, unknown, Json])[] = [
        [412, exists('a@x.org', login.toUpperCase()), { login: login.toUpperCase(), email: 'a@x.org' }],
        [412, exists(email, other), { login: other, email }],
        [412, exists('b@x.org', email), { login: email, email: 'b@x.org' }],
        [412, exists(login, other), { login: other, email: login }],
        [400, { message: MISSING }, { login: other, password: 'abc' }],
        [400, { message: MISSING }, { login: other, password: null }],
        [400, { message: 'bad request data' }, { login: { $gt: '' } }],
        [400, { message: 'bad request data' }, { login: other, password: { $gt: '' } }],
        [400, { message: 'bad request data' }, { login: other, OrgId: 'x' }],
      ];
      for (const [status, expected, body] of cases) {
        await changingNothing(server(), async () => {
          const answer = await create(body);
          expect(shortened(JSON.parse(answer.text)), JSON.stringify(body)).to.deep.equal(expected);
          expect(answer.status).to.equal(status);
        });
      }
      const empty = JSON.parse((await create({})).text);
      expect(empty).to.include({ statusCode: 400, message: 'Need to specify either username or email' });
    });

    it('succeeds for one of 64 concurrent creators of a login, and answers 412 to the others', async () => {
      const login = fresh('raced');
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, i) =>
          create({ login: i % 2 === 0 ? login : login.toUpperCase(), email: `${login}-${i}@x.org` }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([200, ...Array.from({ length: 63 }, () => 412)]);
      expect((await ask(200, 'GET', `/users/search?query=${login}`)).totalCount).to.equal(1);
    });
  });

  it('PUT /api/admin/users/:id/password, /permissions, POST …/disable, …/enable change the user in both APIs', async () => {
    const { id, uid } = await person();
    const spec = async () => bodyOf(await resources.get('User', uid), 200).spec;
    const changed = async (method: string, path: string, body: unknown, message: string) => {
      expect(await ask(200, method, `/admin/users/${id}${path}`, body)).to.deep.equal({ message });
    };
    await changed('PUT', '/password', { password: PASSWORD }, 'User password updated');
    await changed('PUT', '/password', { password: `${PASSWORD} again` }, 'User password updated');
    await changed('PUT', '/permissions', { isGrafanaAdmin: true }, 'User permissions updated');
    expect(await spec()).to.include({ grafanaAdmin: true });
    await person({ spec: { grafanaAdmin: true } });
    await changed('PUT', '/permissions', { isGrafanaAdmin: false }, 'User permissions updated');
    expect(await spec()).to.include({ grafanaAdmin: false });
    await changed('POST', '/disable', undefined, 'User disabled');
    expect(await ask(200, 'GET', `/users/${id}`)).to.include({ isDisabled: true });
    await changed('POST', '/enable', undefined, 'User enabled');
    expect(await spec()).to.include({ disabled: false });
    await changed('POST', '/logout', undefined, 'User logged out');
    expect(await ask(200, 'GET', `/admin/users/${id}/auth-tokens`)).to.deep.equal([]);
    const short = await ask(400, 'PUT', `/admin/users/${id}/password`, { password: 'abc' });
    const message = 'New password is too short: it needs at least 4 characters';
    expect(short).to.include({ messageId: 'password.password-policy-too-short', message });
    await refused(400, { message: 'bad request data' }, 'PUT', `/admin/users/${id}/permissions`, {
      isGrafanaAdmin: 'no',
    });
  });

  it('POST /api/admin/users/:id/logout refuses the caller itself', async () => {
    const one = await person({ spec: { grafanaAdmin: true } });
    const answer = await call('POST', `/admin/users/${one.id}/logout`, { user: asAdmin(one) });
    expect([answer.status, JSON.parse(answer.text)]).to.deep.equal([400, { message: 'You cannot logout yourself' }]);
  });

  it('DELETE /api/admin/users/:id deletes all objects of the user', async () => {
    const { id, uid } = await person();
    await ask(200, 'PUT', `/admin/users/${id}/password`, { password: PASSWORD });
    await resources.made('Team', uid, { title: uid });
    await resources.made('TeamBinding', `${uid}.${uid}`, { teamRef: { name: uid }, userRef: { name: uid } });
    await resources.made('Preferences', `user-${uid}`, { theme: 'dark' });
    expect(await ask(200, 'DELETE', `/admin/users/${id}`)).to.deep.equal({ message: 'User deleted' });
    const { cacher, kinds } = server().api.registry;
    const left = kinds.flatMap(({ qualified }) =>
      [...cacher.state.resource(qualified).entries('', '\x7f')]
        .filter(({ key }) => key.includes(uid))
        .map(({ key }) => key),
    );
    expect(left.map((key) => key.split('/')[0])).to.deep.equal(['teams.iam.svc.app']);
    await refused(404, { message: 'user not found' }, 'DELETE', `/admin/users/${id}`);
  });
});

oneStore('the last administrator of the server', (server) => {
  const { ask, refused } = legacyOf(server);
  const { person } = peopleOf(server);

  it('cannot be deleted, demoted or disabled, even by concurrent requests', async () => {
    const [one, two] = [await person({ spec: { grafanaAdmin: true } }), await person({ spec: { grafanaAdmin: true } })];
    const { call } = legacyOf(server);
    const answers = await Promise.all([one, two].map(({ id }) => call('DELETE', `/admin/users/${id}`)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    const { users } = await ask(200, 'GET', '/users/search');
    const [last] = users.filter(({ isAdmin }: Json) => isAdmin);
    const body = { message: 'cannot remove last grafana admin' };
    await refused(400, body, 'DELETE', `/admin/users/${last.id}`);
    await refused(400, body, 'PUT', `/admin/users/${last.id}/permissions`, { isGrafanaAdmin: false });
    await refused(400, body, 'POST', `/admin/users/${last.id}/disable`);
  });
});
