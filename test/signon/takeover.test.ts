import { expect } from 'chai';
import { AS_ADMIN, basic, bearer } from '../authn/harness.js';
import { claimsAt, openIssuer, signed } from '../authn/issuer.js';
import { onOneStore } from '../harness/stores.js';
import { Browser } from './browser.js';
import { oneWorld, openWorld, type World } from './world.js';

const USERS = '/apis/iam.svc.app/v1beta1/users';
const LOOKUP = ['--auth.oauth_allow_insecure_email_lookup=true'];
const ROLES = { role_attribute_path: 'role', allow_assign_grafana_admin: 'true' };

/** How a user takes the address of somebody else, by themselves or by a right that is not that of an administrator. */
const WAYS: Readonly<Record<string, (world: World, name: string, email: string) => Promise<number>>> = {
  'PUT /api/user': async ({ server }, name, email) =>
    (await server.ask('/api/user', { method: 'PUT', headers: basic(name, 'right'), body: { login: name, email } }))
      .status,
  'PUT /api/user with the address alone, which is then the login, too': async ({ server }, name, email) =>
    (await server.ask('/api/user', { method: 'PUT', headers: basic(name, 'right'), body: { email } })).status,
  'PATCH of the own User, as an administrator of the server': async (world, name, email) => {
    await world.server.patch('iam/users', name, { grafanaAdmin: true });
    const headers = { ...basic(name, 'right'), 'content-type': 'application/merge-patch+json' };
    return (await world.server.ask(`${USERS}/${name}`, { method: 'PATCH', headers, body: { spec: { email } } })).status;
  },
  'server-side apply of the own User': async (world, name, email) => {
    await world.server.patch('iam/users', name, { grafanaAdmin: true });
    const headers = { ...basic(name, 'right'), 'content-type': 'application/apply-patch+yaml' };
    const spec = { login: name, email };
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'User', metadata: { name }, spec };
    const path = `${USERS}/${name}?fieldManager=own&force=true`;
    return (await world.server.ask(path, { method: 'PATCH', headers, body })).status;
  },
  'PUT /api/users/:id of the own User': async (world, name, email) => {
    await world.server.patch('iam/users', name, { grafanaAdmin: true });
    const { json } = await world.server.ask('/api/user', { headers: basic(name, 'right') });
    const path = `/api/users/${String(json['id'])}`;
    const options = { method: 'PUT', headers: basic(name, 'right'), body: { login: name, email } };
    return (await world.server.ask(path, options)).status;
  },
  'an administrator who acts as the user': async ({ server }, name, email) => {
    const headers = { ...AS_ADMIN, 'impersonate-user': name, 'content-type': 'application/json' };
    return (await server.ask('/api/user', { method: 'PUT', headers, body: { login: name, email } })).status;
  },
};

oneWorld(
  'an account with the address of somebody who comes later',
  (world) => {
    let people = 0;
    const newUser = async (): Promise<string> => {
      const name = `viewer${++people}`;
      await world().server.user(name, {}, 'right');
      return name;
    };
    const own = async (name: string, password = 'right'): Promise<number> =>
      (await world().server.ask('/api/user', { headers: basic(name, password) })).status;

    for (const [way, take] of Object.entries(WAYS)) {
      // Promise: security browsers
      it(`is not given to them after ${way}`, async () => {
        const name = await newUser();
        const email = `ceo-${name}@corp.example`;
        expect(await take(world(), name, email)).to.equal(200);
        const claims = { email, email_verified: true, preferred_username: `boss-${name}`, role: 'GrafanaAdmin' };
        const { caller } = await world().signInAs(`ceo-${name}`, claims);
        // The address is taken, so nobody signs in. The account of the user stays as it is.
        expect(caller).to.equal(undefined);
        const { spec } = world().server.services.objects<Record<string, unknown>>('iam/users').find(name) ?? {};
        expect(spec).to.include({ email, emailVerified: false });
      });
    }

    it('is theirs if an administrator has set the address', async () => {
      const name = await newUser();
      const email = `${name}@corp.example`;
      const headers = { ...AS_ADMIN, 'content-type': 'application/merge-patch+json' };
      expect(
        (await world().server.ask(`${USERS}/${name}`, { method: 'PATCH', headers, body: { spec: { email } } })).status,
      ).to.equal(200);
      const { caller } = await world().signInAs(name, { email, email_verified: true });
      expect(caller?.['uid']).to.equal(name);
    });

    // Promise: security browsers
    it('loses its password and its sessions when they sign in for the first time', async () => {
      const name = await newUser();
      const { server } = world();
      const login = await server.ask('/login', { method: 'POST', body: { user: name, password: 'right' } });
      const cookie = { cookie: `grafana_session=${login.cookies['grafana_session']}` };
      expect((await server.ask('/api/user', { headers: cookie })).status).to.equal(200);
      expect(await own(name)).to.equal(200);
      const claims = { email: `${name}@example.com`, email_verified: true, preferred_username: name };
      const { browser, caller } = await world().signInAs(name, claims);
      expect(caller?.['uid']).to.equal(name);
      expect([await own(name), (await server.ask('/api/user', { headers: cookie })).status]).to.deep.equal([401, 401]);
      // A later sign-in finds the account by the subject, and ends nothing.
      await server.setPassword(name, 'new password');
      await world().signIn(new Browser());
      expect((await browser.visit(`${world().url}/whoami`)).status).to.equal(200);
      expect(await own(name, 'new password')).to.equal(200);
    });

    // Promise: security browsers
    it('is not found by an address that only looks the same after folding', async () => {
      const { server } = world();
      await server.user('kay', { email: 'kay@kilo.example' });
      for (const email of ['kay@\u212ailo.example', '\u212aay@kilo.example']) {
        const { caller } = await world().signInAs(`like-${email}`, {
          email,
          email_verified: true,
          preferred_username: 'like',
        });
        expect(caller?.['uid']).not.to.equal('kay');
      }
      const { caller } = await world().signInAs('kay', { email: 'KAY@Kilo.example', email_verified: true });
      expect(caller?.['uid']).to.equal('kay');
    });

    it('gets no membership that others give to the address', async () => {
      const { server } = world();
      const name = await newUser();
      const email = `cio-${name}@corp.example`;
      const change = { method: 'PUT', headers: basic(name, 'right'), body: { login: email, email } };
      expect((await server.ask('/api/user', change)).status).to.equal(200);
      const admin = { ...AS_ADMIN, 'content-type': 'application/json' };
      const team = await server.ask('/api/teams', {
        method: 'POST',
        headers: admin,
        body: { name: `team of ${name}` },
      });
      const organization = await server.ask('/api/orgs', {
        method: 'POST',
        headers: admin,
        body: { name: `of ${name}` },
      });
      const give = async () => [
        await server.ask(`/api/orgs/${String(organization.json['orgId'])}/users`, {
          method: 'POST',
          headers: admin,
          body: { loginOrEmail: email, role: 'Admin' },
        }),
        await server.ask(`/api/teams/${String(team.json['teamId'])}/members`, {
          method: 'PUT',
          headers: admin,
          body: { members: [email] },
        }),
      ];
      expect((await give()).map(({ status }) => status)).to.deep.equal([404, 404]);
      const verify = { ...AS_ADMIN, 'content-type': 'application/merge-patch+json' };
      const body = { spec: { emailVerified: true } };
      expect((await server.ask(`${USERS}/${name}`, { method: 'PATCH', headers: verify, body })).status).to.equal(200);
      expect((await give()).map(({ status }) => status)).to.deep.equal([200, 200]);
    });

    it('is not found by an address that another provider told without verifying it', async () => {
      const email = 'planted@corp.example';
      await world().signInAs('mallory', { email: 'm@corp.example', preferred_username: 'mallory' });
      await world().signInAs('mallory', { email, email_verified: false, preferred_username: 'mallory' });
      const { caller } = await world().signInAs('planted', { email, email_verified: true }, { provider: 'okta' });
      expect(caller).to.equal(undefined);
    });
  },
  { argv: LOOKUP, providers: { generic_oauth: ROLES, okta: ROLES } },
);

onOneStore(
  'a JSON Web Token with an address or a login that a user has taken',
  async (backend) => {
    const issuer = await openIssuer();
    const world = await openWorld(backend, { argv: [...issuer.argv, '--auth.jwt.email_claim=email'] });
    return {
      ...world,
      issuer,
      close: async () => {
        await world.close();
        await issuer.close();
      },
    };
  },
  (world) => {
    const uidOf = async (more: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const { server, issuer } = world();
      const token = await signed(claimsAt(server.services.now(), more), issuer.key);
      const { status, json } = await server.ask('/api/whoami', { headers: bearer(token) });
      return status === 200 ? json['uid'] : status;
    };
    const change = async (name: string, body: object): Promise<number> =>
      (await world().server.ask('/api/user', { method: 'PUT', headers: basic(name, 'right'), body })).status;

    // Promise: security browsers
    it('does not name the account of the user', async () => {
      const { server } = world();
      for (const name of ['a', 'b', 'c']) await server.user(name, {}, 'right');
      expect(await uidOf({ sub: 'x', email: 'a@example.com', email_verified: true })).to.equal('a');
      expect(await change('a', { login: 'a', email: 'ceo@corp.example' })).to.equal(200);
      expect(await uidOf({ sub: 'x', email: 'ceo@corp.example', email_verified: true })).to.equal(401);
      expect(await change('b', { login: 'cfo@corp.example' })).to.equal(400);
      expect(await change('c', { email: 'cto@corp.example' })).to.equal(200);
      expect(await uidOf({ sub: 'cto@corp.example' })).to.equal(401);
      expect(await uidOf({ sub: 'b' })).to.equal('b');
    });
  },
);
