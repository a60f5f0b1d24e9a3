import { expect } from 'chai';
import { AS_ADMIN } from '../authn/harness.js';
import { Browser } from './browser.js';
import { callerOf, eachWorld, oneWorld } from './world.js';

const ADA = { name: 'Ada Lovelace', preferred_username: 'ada', email: 'ada@example.com', email_verified: true };

eachWorld('signing in by a provider', (world) => {
  it('goes to the provider with state, nonce and PKCE, and keeps them in a cookie that scripts cannot read', async () => {
    const page = await new Browser().visit(`${world().url}/login/generic_oauth`);
    expect(page.status).to.equal(302);
    const { origin, pathname, searchParams } = new URL(page.location);
    expect(`${origin}${pathname}`).to.equal(`${world().provider.url}/auth`);
    expect(Object.fromEntries(searchParams)).to.include({
      response_type: 'code',
      client_id: 'dashboards',
      redirect_uri: `${world().url}/login/generic_oauth`,
      scope: 'openid email profile groups',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name), name).to.have.length(43);
    const [cookie = ''] = page.headers.getSetCookie();
    expect(cookie).to.match(/^apiserver_sign_on=v1:[\w-]+; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly$/);
    expect(cookie).to.not.contain(searchParams.get('state'));
  });

  it('makes a user at the first time, and opens a session', async () => {
    const { page, caller, browser } = await world().signInAs('ada', ADA);
    expect([page.status, page.location]).to.deep.equal([302, `${world().url}/`]);
    expect(caller).to.include({ name: 'ada' });
    expect([...browser.cookies(world().url).keys()].sort()).to.deep.equal([
      'grafana_session',
      'grafana_session_expiry',
    ]);
    const [binding] = world().server.services.reader.range('organizationbindings.iam.svc.app', 'byUser', [
      String(caller?.['uid']),
    ]);
    expect(binding).to.deep.include({ spec: { userRef: { name: caller?.['uid'] }, role: 'Viewer' } });
    expect(binding?.metadata.namespace).to.equal('default');
  });

  // Promise: security browsers
  it('ends the session that the browser had, and takes no secret that somebody else chose', async () => {
    const { browser } = await world().signInAs('ada', ADA);
    const cookies = browser.cookies(world().url);
    const before = cookies.get('grafana_session') ?? '';
    await world().signIn(browser);
    const thief = new Browser();
    for (const secret of [before, 'x'.repeat(43)]) {
      thief.cookies(world().url).set('grafana_session', secret);
      expect(await callerOf(thief, world().url)).to.equal(undefined);
      cookies.set('grafana_session', secret);
      await world().signIn(browser);
      expect(cookies.get('grafana_session')).to.not.equal(secret);
    }
    expect(await callerOf(browser, world().url)).to.include({ name: 'ada' });
  });

  it('finds the same user again by the subject, whatever else has changed', async () => {
    const before = await world().signInAs('ada', ADA);
    const changed = { ...ADA, name: 'Countess', preferred_username: 'countess', email: 'countess@example.com' };
    const after = await world().signInAs('ada', changed);
    expect(after.caller?.['uid']).to.equal(before.caller?.['uid']);
    expect(after.caller?.['name']).to.equal('countess');
    const user = world().server.services.reader.get('users.iam.svc.app', '', String(after.caller?.['uid']));
    expect(user?.spec).to.include({ name: 'Countess', email: 'countess@example.com', emailVerified: true });
  });

  it('goes on to the path where the browser wanted to go', async () => {
    const { page } = await world().signInAs('bob', { preferred_username: 'bob' }, { redirectTo: '/d/abc?x=1#top' });
    expect(page.location).to.equal(`${world().url}/d/abc?x=1#top`);
  });

  // Promise: security browsers
  it('goes to no other site afterwards', async () => {
    for (const redirectTo of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/%09/evil.example',
      '/..//evil.example',
    ]) {
      const { page } = await world().signInAs('bob', { preferred_username: 'bob' }, { redirectTo });
      expect(new URL(page.location).origin, redirectTo).to.equal(world().url);
    }
  });

  // Promise: security browsers
  it('is refused a second time, because the code counts once at the provider, too', async () => {
    world().provider.signsIn = 'bob';
    const browser = new Browser();
    const isBack = (location: string): boolean => location.startsWith(`${world().url}/login/generic_oauth?`);
    const answer = await browser.follow(`${world().url}/login/generic_oauth`, isBack);
    const kept = new Map(browser.cookies(world().url));
    expect((await browser.visit(answer.location)).location).to.equal(`${world().url}/`);
    expect((await browser.visit(answer.location)).location).to.equal(`${world().url}/login?error=state`);
    const thief = new Browser();
    for (const [name, value] of kept) thief.cookies(world().url).set(name, value);
    expect((await thief.visit(answer.location)).location).to.equal(`${world().url}/login?error=provider`);
    expect(await callerOf(thief, world().url)).to.equal(undefined);
  });

  it('works with settings that were stored a moment ago, and no longer when they are deleted', async () => {
    const { url, server, provider } = world();
    const settings = {
      enabled: true,
      clientId: 'dashboards',
      authUrl: `${provider.url}/auth`,
      tokenUrl: `${provider.url}/token`,
    };
    const path = '/apis/iam.svc.app/v1beta1/ssosettings';
    const body = {
      kind: 'SSOSetting',
      apiVersion: 'iam.svc.app/v1beta1',
      metadata: { name: 'okta-west' },
      spec: { settings: { ...settings, apiUrl: `${provider.url}/me` } },
    };
    const visit = () => new Browser().visit(`${url}/login/okta-west`);
    expect((await visit()).location).to.equal(`${url}/login?error=disabled`);
    expect((await server.ask(path, { method: 'POST', body, headers: AS_ADMIN })).status).to.equal(201);
    expect((await visit()).location).to.contain(`${provider.url}/auth?`);
    expect((await server.ask(`${path}/okta-west`, { method: 'DELETE', headers: AS_ADMIN })).status).to.equal(200);
    expect((await visit()).location).to.equal(`${url}/login?error=disabled`);
  });
});

oneWorld(
  'signing in by a provider behind a proxy',
  (world) => {
    it('comes back to server.root_url, and has a Secure cookie', async () => {
      const { headers } = await world().server.ask('/login/generic_oauth', { headers: { host: 'inside' } });
      const { searchParams } = new URL(headers.location ?? '');
      expect(searchParams.get('redirect_uri')).to.equal('https://dash.example/login/generic_oauth');
      expect(headers['set-cookie']?.[0]).to.contain('; Secure');
    });
  },
  { argv: ['--server.root_url=https://dash.example/'] },
);

oneWorld('signing in by a provider over HTTPS', (world) => {
  it('comes back to the address that the browser used, and has a Secure cookie', async () => {
    const { headers } = await world().server.ask('/login/generic_oauth', { secure: true });
    const { searchParams } = new URL(headers.location ?? '');
    const port = world().server.securePort;
    expect(searchParams.get('redirect_uri')).to.equal(`https://127.0.0.1:${port}/login/generic_oauth`);
    expect(headers['set-cookie']?.[0]).to.contain('; Secure');
  });
});
