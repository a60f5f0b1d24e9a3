import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { Browser } from './browser.js';
import { callerOf, oneWorld } from './world.js';

const signIn = { user: 'alice', password: 'right' };

oneWorld(
  'the sign-in page',
  (world) => {
    const page = (path = '/login', browser = new Browser()) => browser.visit(`${world().url}${path}`);
    const send = (form: Readonly<Record<string, string>>, browser = new Browser(), headers = {}) =>
      browser.visit(`${world().url}/login`, { form, headers });

    before(() => world().server.user('alice', {}, 'right'));

    it('has a form with labels, and a link for each provider that is on', async () => {
      const { status, headers, text } = await page('/login?redirectTo=/d/a?b%26c="');
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(text)
        .to.match(/<label>Login[^<]*<input name="user"/)
        .and.to.match(/<label>Password <input name="password"/);
      expect(text)
        .to.contain('<a href="/login/generic_oauth?redirectTo=')
        .and.to.contain('Sign in with Corp &lt;b&gt; &amp; Co');
      expect(text).to.contain('Sign in with Okta').and.to.not.contain('github').and.to.not.contain('<b>');
      expect(text).to.contain('name="redirectTo" value="/d/a?b&amp;c=%22"');
    });

    // Promise: security browsers
    it('runs no scripts, needs no other host, and cannot be framed', async () => {
      const { headers, text } = await page();
      const style = createHash('sha256')
        .update(/<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '')
        .digest('base64');
      expect(headers.get('content-security-policy')).to.equal(
        `default-src 'none'; style-src 'sha256-${style}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(text).to.not.match(/<script|https?:|\son\w+=/);
    });

    // Promise: security browsers
    it('shows the message of a known code only', async () => {
      expect((await page('/login?error=not_allowed')).text).to.contain(
        'role="alert">Your account at the provider may not',
      );
      for (const text of ['evil', '<img src=x>', 'constructor', '__proto__', '']) {
        expect((await page(`/login?error=${encodeURIComponent(text)}`)).text).to.not.contain('role="alert"');
      }
    });

    it('signs in by the form, and goes on to a path of this server only', async () => {
      const browser = new Browser();
      const answer = await send({ ...signIn, redirectTo: '/d/abc' }, browser);
      expect([answer.status, answer.location]).to.deep.equal([303, `${world().url}/d/abc`]);
      expect(await callerOf(browser, world().url)).to.include({ name: 'alice' });
      for (const redirectTo of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
        expect((await send({ ...signIn, redirectTo })).location).to.equal(`${world().url}/`);
      }
    });

    it('says that a password is wrong, without a session, and in the end that one has to wait', async () => {
      const pages = [];
      for (let i = 0; i < 5; i++) {
        const answer = await send({ user: 'mallory', password: 'wrong', redirectTo: '/d' });
        expect(answer.headers.getSetCookie()).to.deep.equal([]);
        pages.push(answer);
      }
      expect(pages[0]?.status).to.equal(401);
      expect(pages[0]?.text).to.contain('role="alert">The login or the password is wrong.');
      expect(pages[4]?.status).to.equal(429);
      const wait = Number(pages[4]?.headers.get('retry-after'));
      expect(pages[4]?.text).to.match(new RegExp(`Wait, then try again. (${wait} seconds are|One second is) enough`));
      expect((await send({ user: '', password: '' })).status).to.equal(401);
    });

    it('keeps the login that was typed, and no password, and leads on to the same place', async () => {
      const { text } = await send({ user: '"><b>eve', password: 'wrong-secret', redirectTo: '/d/x' });
      expect(text).to.match(/name="user"[^>]* value="&quot;&gt;&lt;b&gt;eve" required>/);
      expect(text).to.match(/name="password"[^>]* required autofocus>/);
      expect(text).to.contain('name="redirectTo" value="/d/x"').and.not.to.contain('wrong-secret');
      expect((await page()).text).to.match(/name="user"[^>]* value="" required autofocus>/);
    });

    it('tells scripts by which providers one can sign in', async () => {
      const { headers, text } = await new Browser().visit(`${world().url}/login`, {
        headers: { accept: 'application/json' },
      });
      expect(headers.get('content-type')).to.contain('json');
      expect(JSON.parse(text).providers).to.deep.include({ provider: 'generic_oauth', name: 'Corp <b> & Co' });
      expect(JSON.parse(text).providers.map(({ provider }: { provider: string }) => provider)).to.include('okta');
    });

    // Promise: security browsers
    it('takes no form from a page of another site, or of nobody', async () => {
      const origins = { 'https://evil.example': 403, null: 403, [`${world().url}:1`]: 403 };
      for (const [origin, code] of Object.entries(origins)) {
        expect((await send(signIn, new Browser(), { origin })).status, origin).to.equal(code);
      }
      const answer = await world().server.ask('/login', {
        method: 'POST',
        body: Buffer.from('user=alice&password=right'),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(answer.status).to.equal(415);
    });

    it('tells people who are signed in so, or lets them go on', async () => {
      const browser = new Browser();
      await send(signIn, browser);
      expect((await page('/login', browser)).text)
        .to.contain('You are signed in as alice.')
        .and.to.contain('/logout');
      expect((await page('/login?redirectTo=/d/x', browser)).location).to.equal(`${world().url}/d/x`);
      expect((await page('/login?redirectTo=//evil.example', browser)).status).to.equal(200);
    });

    it('refuses other methods, and unknown providers', async () => {
      const ask = async (path: string, method: string) => (await world().server.ask(path, { method })).status;
      expect(await ask('/login', 'PUT')).to.equal(405);
      expect(await ask('/login/generic_oauth', 'POST')).to.equal(405);
      for (const path of ['/login/nobody', '/login/__proto__', '/login/generic_oauth/x'])
        expect(await ask(path, 'GET'), path).to.equal(404);
      expect((await page('/login/github')).location).to.equal(`${world().url}/login?error=disabled`);
    });
  },
  { providers: { generic_oauth: { name: 'Corp <b> & Co' }, okta: {} } },
);

oneWorld(
  'signing out',
  (world) => {
    it('goes to where the provider ends its session, and the session here is over', async () => {
      const { browser } = await world().signInAs('ada', { preferred_username: 'ada' }, { provider: 'okta' });
      const page = await browser.visit(`${world().url}/logout`);
      expect([page.status, page.location]).to.deep.equal([302, 'https://okta.example/end?to=https://here.example']);
      expect(await callerOf(browser, world().url)).to.equal(undefined);
    });

    it('goes to the sign-in page after a password, without signing in by a provider at once', async () => {
      await world().server.user('alice', {}, 'right');
      const browser = new Browser();
      await browser.visit(`${world().url}/login`, { form: signIn });
      const page = await browser.follow(`${world().url}/logout`);
      expect([page.status, page.url.search]).to.deep.equal([200, '?disableAutoLogin']);
    });
  },
  {
    providers: {
      okta: { signout_redirect_url: 'https://okta.example/end?to=https://here.example', auto_login: 'true' },
    },
  },
);

oneWorld(
  'auto_login',
  (world) => {
    it('goes to the provider without asking, but not after a failure', async () => {
      const page = await new Browser().visit(`${world().url}/login?redirectTo=/d/abc`);
      expect(page.location).to.equal(`${world().url}/login/okta?redirectTo=%2Fd%2Fabc`);
      expect((await new Browser().visit(`${world().url}/login?error=denied`)).status).to.equal(200);
    });
  },
  { providers: { okta: { auto_login: 'true' } } },
);
