import { expect } from 'chai';
import { type Key, makeKey, signed } from '../authn/issuer.js';
import { auditLog } from '../harness/audit-log.js';
import { collectGarbage } from '../harness/garbage.js';
import { Browser } from './browser.js';
import { ACCESS, type FakeAnswer, failedWith, oneFakeWorld } from './fake-provider.js';
import { callerOf } from './world.js';

const OPENID = { api_url: '' };
const OAUTH = { scopes: 'user' };
const MEGABYTE = 2 ** 20;
const log = auditLog();

oneFakeWorld(
  'a sign-in by a provider is refused',
  { generic_oauth: OPENID, okta: { ...OPENID, api_url: 'http://127.0.0.1:1/' }, gitlab: OAUTH },
  (world) => {
    let key: Key;
    let browser: Browser;
    before(async () => {
      key = await makeKey('one');
    });
    beforeEach(() => {
      browser = new Browser();
      world().server.advance(600_000);
    });

    const idToken = (nonce: string | null, more: object = {}, alg = 'ES256'): Promise<string> => {
      const iat = Math.floor(Date.now() / 1000);
      const claims = {
        iss: 'https://issuer.example',
        aud: 'dashboards',
        sub: 'ada',
        iat,
        exp: iat + 60,
        nonce,
        ...more,
      };
      return signed({ preferred_username: 'ada', ...claims }, key, alg);
    };
    const withToken = async (make: (nonce: string | null) => Promise<string>, in_ = browser) => {
      const asked = await world().begin(in_);
      world().answers.set('/token', { ...ACCESS, id_token: await make(asked.get('nonce')) });
      const page = await world().back(in_, { code: 'c', state: asked.get('state') ?? '' });
      return { asked, page };
    };
    const hasNoSession = async () => {
      expect(browser.cookies(world().url).has('grafana_session')).to.equal(false);
      expect(await callerOf(browser, world().url)).to.equal(undefined);
    };

    it('not if the ID token is right', async () => {
      const { page } = await withToken((nonce) => idToken(nonce));
      expect(page.location).to.equal(`${world().url}/`);
      expect(await callerOf(browser, world().url)).to.include({ name: 'ada' });
    });

    // Promise: security browsers
    it('if a browser comes back that has not begun it (login CSRF)', async () => {
      const asked = await world().begin(new Browser());
      const page = await world().back(browser, { code: 'c', state: asked.get('state') ?? '' });
      expect(failedWith(page)).to.equal('state');
      await hasNoSession();
    });

    // Promise: security browsers
    it('if the state is missing, made up, repeated, or of another sign-in of the browser', async () => {
      const first = await world().begin(browser);
      await world().begin(browser);
      for (const query of [{}, { state: 'x' }, { state: '' }, { state: first.get('state') ?? '' }]) {
        expect(failedWith(await world().back(browser, { code: 'c', ...query }))).to.equal('state');
      }
      await hasNoSession();
    });

    it('if a page of another site sends the browser back, and the real sign-in still goes on', async () => {
      const asked = await world().begin(browser);
      expect(failedWith(await world().back(browser, { code: 'c', state: 'forged' }))).to.equal('state');
      world().answers.set('/token', { ...ACCESS, id_token: await idToken(asked.get('nonce')) });
      const page = await world().back(browser, { code: 'c', state: asked.get('state') ?? '' });
      expect(page.location).to.equal(`${world().url}/`);
    });

    // Promise: security browsers
    it('if it comes back to another provider than it went to (mix-up)', async () => {
      const asked = await world().begin(browser);
      const page = await world().back(browser, { code: 'c', state: asked.get('state') ?? '' }, 'gitlab');
      expect(failedWith(page)).to.equal('state');
      await hasNoSession();
    });

    it('if state and nonce were used, even if the browser kept the cookie and the provider gives tokens again', async () => {
      const asked = await world().begin(browser);
      const kept = browser.cookies(world().url).get('apiserver_sign_on') ?? '';
      world().answers.set('/token', { ...ACCESS, id_token: await idToken(asked.get('nonce')) });
      const back = { code: 'c', state: asked.get('state') ?? '' };
      expect((await world().back(browser, back)).location).to.equal(`${world().url}/`);
      expect(browser.cookies(world().url).has('apiserver_sign_on')).to.equal(false);
      browser = new Browser();
      browser.cookies(world().url).set('apiserver_sign_on', kept);
      expect(failedWith(await world().back(browser, back))).to.equal('state');
      await hasNoSession();
    });

    it('if it took longer than ten minutes', async () => {
      const asked = await world().begin(browser);
      world().server.advance(600_001);
      expect(failedWith(await world().back(browser, { code: 'c', state: asked.get('state') ?? '' }))).to.equal('state');
    });

    it('if the cookie was changed', async () => {
      const asked = await world().begin(browser);
      const cookies = browser.cookies(world().url);
      const sealed = cookies.get('apiserver_sign_on') ?? '';
      for (const cookie of [sealed.slice(0, -2), `${sealed.slice(0, -2)}AA`, 'v1:', '{}', 'x'.repeat(8000)]) {
        cookies.set('apiserver_sign_on', cookie);
        const page = await world().back(browser, { code: 'c', state: asked.get('state') ?? '' });
        expect(failedWith(page)).to.equal('state');
      }
    });

    const wrong: Readonly<Record<string, (nonce: string | null) => Promise<string>>> = {
      'is for another audience': (nonce) => idToken(nonce, { aud: 'another' }),
      'has several audiences and was given to another': (nonce) =>
        idToken(nonce, { aud: ['dashboards', 'another'], azp: 'another' }),
      // Promise: security browsers
      'has another nonce': () => idToken('another'),
      'has no nonce': () => idToken(null, { nonce: undefined }),
      'has expired': (nonce) => idToken(nonce, { exp: 1 }),
      'has no end': (nonce) => idToken(nonce, { exp: undefined }),
      'has no issuer': (nonce) => idToken(nonce, { iss: undefined }),
      'has no subject': (nonce) => idToken(nonce, { sub: undefined }),
      'is not signed (alg: none)': async (nonce) => unsigned(await idToken(nonce), 'none'),
      'is signed with the shared secret (HS256)': async (nonce) => unsigned(await idToken(nonce), 'HS256'),
      'is no token': async () => 'rubbish',
    };
    for (const [what, make] of Object.entries(wrong)) {
      it(`if the ID token ${what}`, async () => {
        const { page } = await withToken(make);
        expect(failedWith(page)).to.equal('provider');
        await hasNoSession();
      });
    }

    it('if the authorization answer names another issuer than the ID token', async () => {
      const asked = await world().begin(browser);
      world().answers.set('/token', { ...ACCESS, id_token: await idToken(asked.get('nonce')) });
      const query = { code: 'c', state: asked.get('state') ?? '', iss: 'https://evil.example' };
      expect(failedWith(await world().back(browser, query))).to.equal('provider');
    });

    // Promise: security browsers
    it('if the answer has a parameter twice, or what was not asked for', async () => {
      for (const more of ['&code=d', '&state=x', '&iss=a&iss=b', '&response=eyJ', '&id_token=a.b.c']) {
        const asked = await world().begin(browser);
        world().answers.set('/token', { ...ACCESS, id_token: await idToken(asked.get('nonce')) });
        const page = await browser.visit(
          `${world().url}/login/generic_oauth?code=c&state=${asked.get('state')}${more}`,
        );
        expect(failedWith(page), more).to.equal('provider');
      }
      await hasNoSession();
    });

    it('if there should be an ID token and there is none', async () => {
      const { page } = await world().signIn('generic_oauth', () => ({ '/token': ACCESS }));
      expect(failedWith(page)).to.equal('provider');
    });

    it('if the provider refuses, with nothing of its words on the page', async () => {
      const asked = await world().begin(browser);
      const query = { error: '<script>alert(1)</script>', error_description: 'evil', state: asked.get('state') ?? '' };
      const page = await world().back(browser, query);
      expect(failedWith(page)).to.equal('denied');
      const { text } = await browser.visit(page.location);
      expect(text)
        .to.contain('The provider did not sign you in.')
        .and.to.not.contain('evil')
        .and.to.not.contain('alert(');
    });

    const bad: Readonly<Record<string, FakeAnswer>> = {
      'is larger than a megabyte': (response: { end(text: string): void }) => response.end(' '.repeat(10 * MEGABYTE)),
      'is no JSON': (response: { end(text: string): void }) => response.end('<html>'),
      'is a list': [],
      'is a redirect to another site': (response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'is an error': (response: { writeHead(status: number): { end(): void } }) => response.writeHead(500).end(),
      'has claims of 100 levels': JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
      'has 20,000 values': { id: 'x', list: Array.from({ length: 20_000 }, (_, index) => index) },
      'has no subject': { login: 'nobody' },
      'has a subject with white space at an end, which may be somebody else': { id: 'victim ', login: 'fresh' },
      // JSON.parse reads it as 9007199254740992, which may be the subject of somebody else.
      // Promise: security browsers
      'has a number as subject that cannot be told from others': (response: { end(text: string): void }) =>
        response.end('{"id": 9007199254740993, "login": "big"}'),
    };
    for (const [what, answer] of Object.entries(bad)) {
      it(`if the answer of the provider ${what}`, async () => {
        const at = what.includes('claims') || what.includes('values') || what.includes('subject') ? '/me' : '/token';
        const { page } = await world().signIn('gitlab', () => ({ '/token': ACCESS, [at]: answer }));
        expect(failedWith(page)).to.equal('provider');
      });
    }

    it('if the answer with the tokens has 1,000 levels, which the library would parse', async () => {
      const me = { id: 'levels', login: 'levels', email: 'levels@example.com' };
      const answerOf =
        (levels: number) => (response: { writeHead(status: number, headers: object): { end(text: string): void } }) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(`${JSON.stringify(ACCESS).slice(0, -1)},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`);
      const signIn = (levels: number) => world().signIn('gitlab', () => ({ '/token': answerOf(levels), '/me': me }));
      expect(failedWith((await signIn(1000)).page)).to.equal('provider');
      expect(failedWith((await signIn(5)).page)).to.equal(null);
    });

    // Promise: security browsers
    it('and is recorded in the audit log, without the code, and with the reason', async () => {
      log.take();
      const asked = await world().begin(browser);
      await world().back(browser, { code: 'secret-code', state: 'wrong' });
      const [event] = log.take();
      expect(event?.annotations).to.deep.equal({
        'authentication.svc.app/login': 'generic_oauth',
        'authentication.svc.app/failure': 'the state is of another sign-in',
      });
      expect(log.lines.join('\n')).to.not.contain('secret-code');
      world().answers.set('/token', { ...ACCESS, id_token: await idToken(asked.get('nonce')) });
      await world().back(browser, { code: 'secret-code', state: asked.get('state') ?? '' });
      const [success] = log.take();
      expect(success?.user?.username).to.equal('ada');
      expect(success?.annotations).to.include({ 'authentication.svc.app/login': 'generic_oauth:ada' });
      expect(log.lines.join('\n')).to.not.contain('secret-code');
    });

    it('after many failures from its address, until it has waited', async () => {
      const failing = () => world().signIn('gitlab', () => ({ '/token': {} }));
      const codes = [];
      for (let i = 0; i < 12; i++) codes.push(failedWith((await failing()).page));
      expect(codes.at(0)).to.equal('provider');
      expect(codes.at(-1)).to.equal('busy');
      world().server.advance(60_000);
      expect(failedWith((await failing()).page)).to.equal('provider');
    });
  },
  { audit: log.trail },
);

oneFakeWorld(
  'a provider that takes too long',
  { gitlab: OAUTH },
  (world) => {
    it('is given up, whether its answer does not come or does not end', async () => {
      // The time limit must hold after a garbage collection, although nothing refers to its timer.
      const silent = () => void setImmediate(collectGarbage);
      const endless = (response: { write(text: string): void }) => response.write('{');
      for (const answers of [{ '/token': silent }, { '/token': endless }, { '/token': ACCESS, '/me': silent }]) {
        expect(failedWith((await world().signIn('gitlab', () => answers)).page)).to.equal('provider');
      }
    });
  },
  { patience: 100 },
);

/** The same claims under another algorithm, without a signature that the provider made. */
function unsigned(token: string, alg: string): string {
  const header = Buffer.from(JSON.stringify({ alg })).toString('base64url');
  return `${header}.${token.split('.')[1]}.${alg === 'none' ? '' : 'AAAA'}`;
}
