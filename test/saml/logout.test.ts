import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { FAILURES } from '../../pkg/identity/signon/failure.js';
import { useChromium } from '../e2e/chromium.js';
import { Browser } from '../signon/browser.js';
import { callerOf } from '../signon/world.js';
import { pairNamed } from './certificates.js';
import { ASSERTION, encoded, PROTOCOL, signedLogout } from './forge.js';
import { type ProviderPerson, SESSION_INDEX } from './identity-provider.js';
import { eachSamlWorld, oneSamlWorld, type SamlWorld } from './world.js';

const ADA = { nameId: 'ada-1', attributes: { login: ['ada'] } };

const messageIn = (location: string, name: string): string =>
  inflateRawSync(Buffer.from(new URL(location).searchParams.get(name) ?? '', 'base64')).toString();

eachSamlWorld(
  'single logout by SAML',
  (world) => {
    for (const path of ['/logout', '/logout/saml']) {
      it(`${path} ends the session here, and goes to the provider with a signed request that names it`, async () => {
        const { browser } = await world().signInAs(ADA);
        const page = await browser.visit(`${world().url}${path}`);
        expect(new URL(page.location).pathname).to.equal('/slo');
        expect(messageIn(page.location, 'SAMLRequest')).to.contain('>ada-1<').and.contain(`>${SESSION_INDEX}<`);
        expect(await callerOf(browser, world().url)).to.equal(undefined);
        const there = await browser.visit(page.location);
        expect([there.status, there.text]).to.deep.equal([200, 'signed out']);
        const back = await browser.visit(`${world().url}/saml/slo?SAMLResponse=x`);
        expect(back.location).to.equal(`${world().url}/login?disableAutoLogin`);
      });
    }

    it('follows a sign-in from the page that was wanted and back, in Chromium, where the provider is another site', async function browse() {
      this.timeout(60_000);
      const chromium = await useChromium();
      if (chromium === undefined) return this.skip();
      const { idp, server } = world();
      const here = `http://localhost:${server.port}`;
      idp.trust((await new Browser().visit(`${here}/saml/metadata`)).text);
      const context = await chromium.newContext();
      const page = await context.newPage();
      const signIn = async (person: ProviderPerson) => {
        idp.person = person;
        await page.goto(`${here}/login?redirectTo=${encodeURIComponent('/whoami?wanted')}`);
        await page.getByRole('link', { name: 'Sign in with Corp' }).click();
        await page.waitForURL((to) => to.href.startsWith(here) && !to.pathname.startsWith('/saml'));
      };
      await signIn({ nameId: ' ', attributes: { login: ['nobody'] } });
      expect(await page.getByRole('alert').textContent()).to.equal(FAILURES.provider);
      await signIn(ADA);
      expect(page.url()).to.equal(`${here}/whoami?wanted`);
      expect(JSON.parse((await page.textContent('body')) ?? '')).to.include({ name: 'ada' });
      await page.goto(`${here}/logout`);
      expect([new URL(page.url()).origin, await page.textContent('body')]).to.deep.equal([idp.url, 'signed out']);
      expect((await page.goto(`${here}/whoami`))?.status()).to.equal(401);
      await context.close();
      idp.trust((await new Browser().visit(`${world().url}/saml/metadata`)).text);
    });

    it('ends the sessions that the provider names, in all browsers, and answers the provider', async () => {
      for (const how of ['redirect', 'post']) {
        const [one, other] = [await world().signInAs(ADA), await world().signInAs(ADA)];
        const stranger = await world().signInAs({ nameId: 'bob-1', attributes: { login: ['bob'] } });
        world().idp.person = ADA;
        const page =
          how === 'redirect'
            ? await new Browser().visit(world().idp.logoutUrl())
            : await new Browser().visit(`${world().url}/saml/slo`, { form: world().idp.logoutForm() });
        expect(new URL(page.location).pathname, how).to.equal('/slo');
        const answer = messageIn(page.location, 'SAMLResponse');
        expect(answer)
          .to.contain('status:Success')
          .and.match(/InResponseTo="[^"]+"/);
        expect(new URL(page.location).searchParams.has('Signature')).to.equal(true);
        expect(await callerOf(one.browser, world().url), how).to.equal(undefined);
        expect(await callerOf(other.browser, world().url), how).to.equal(undefined);
        expect(await callerOf(stranger.browser, world().url), how).to.include({ name: 'bob' });
      }
    });

    // Promise: security saml
    it('ends nothing by a request without a signature, with another or a weak one, with another text, or an old one', async () => {
      const { browser } = await world().signInAs(ADA);
      const trusted = await pairNamed('idp');
      const url = new URL(world().idp.logoutUrl());
      const without = new URL(url);
      without.searchParams.delete('Signature');
      const weak = new URL(url);
      weak.searchParams.set('SigAlg', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1');
      const twice = `${without.href}&SAMLRequest=x&Signature=${encodeURIComponent(url.searchParams.get('Signature') ?? '')}`;
      const outcomes: boolean[] = [];
      for (const address of [without.href, weak.href, `${url.href}&RelayState=x`, twice])
        outcomes.push((await new Browser().visit(address)).location.includes('/login?error=provider'));
      const said = (more: object) => logoutXml(world(), more);
      for (const xml of [
        said({}),
        signedLogout(said({}), await pairNamed('another')),
        signedLogout(said({}), trusted, 'sha1'),
        signedLogout(said({ issued: Date.now() - 10 * 60_000 }), trusted),
        signedLogout(said({ destination: 'https://elsewhere.example' }), trusted),
        signedLogout(said({ destination: '' }), trusted),
        signedLogout(said({ issuer: 'https://elsewhere.example' }), trusted),
        signedLogout(said({}), trusted).replace('ada-1', 'ada-2'),
        `<!DOCTYPE x>${signedLogout(said({}), trusted)}`,
      ]) {
        outcomes.push((await post(world(), xml)).location.includes('/login?error=provider'));
      }
      expect(outcomes).to.deep.equal(Array(13).fill(true));
      expect(await callerOf(browser, world().url)).to.include({ name: 'ada' });
      expect((await post(world(), signedLogout(said({}), trusted))).location).to.contain('/slo?');
      expect(await callerOf(browser, world().url)).to.equal(undefined);
    });

    it('ends sessions by a request with a new key of the provider, whose metadata are read again', async () => {
      const { idp, server, url } = world();
      for (const how of ['redirect', 'post']) {
        const { browser } = await world().signInAs(ADA);
        server.advance(61_000);
        idp.rotate(await pairNamed(`idp of ${how}`));
        if (how === 'redirect') await new Browser().visit(idp.logoutUrl());
        else await new Browser().visit(`${url}/saml/slo`, { form: idp.logoutForm() });
        expect(await callerOf(browser, url), how).to.equal(undefined);
      }
    });
  },
  { saml: { single_logout: 'true' }, argv: ['--server.trusted_proxies=127.0.0.1'] },
);

oneSamlWorld('without single_logout', (world) => {
  it('a sign-out ends the session here only, and the provider ends none', async () => {
    const { browser } = await world().signInAs(ADA);
    expect((await post(world(), signedLogout(logoutXml(world(), {}), await pairNamed('idp')))).location).to.contain(
      'error=disabled',
    );
    expect(await callerOf(browser, world().url)).to.include({ name: 'ada' });
    expect((await browser.visit(`${world().url}/logout`)).location).to.equal(`${world().url}/login`);
  });
});

oneSamlWorld(
  'a logout request that inflates',
  (world) => {
    // Promise: security saml
    it('has no more bytes than a message may have', async () => {
      const bomb = deflateRawSync(Buffer.alloc(5_000_000, ' ')).toString('base64');
      const page = await new Browser().visit(`${world().url}/saml/slo?SAMLRequest=${encodeURIComponent(bomb)}`);
      expect(page.location).to.contain('/login?error=provider');
      expect(world().server.warnings.join()).to.contain('larger than 262144 bytes');
    });
  },
  { saml: { single_logout: 'true' } },
);

let sent = 0;
function post(world: SamlWorld, xml: string) {
  const headers = { 'x-forwarded-for': `192.0.2.${++sent}` };
  return new Browser().visit(`${world.url}/saml/slo`, { form: { SAMLRequest: encoded(xml) }, headers });
}

interface LogoutSaid {
  readonly issued?: number;
  readonly destination?: string;
  readonly issuer?: string;
}

function logoutXml(
  { url, idp }: SamlWorld,
  { issued = Date.now(), destination = `${url}/saml/slo`, issuer = idp.entityId }: LogoutSaid,
): string {
  return `<samlp:LogoutRequest xmlns:samlp="${PROTOCOL}" ID="_l${Math.random().toString(16).slice(2)}" Version="2.0" IssueInstant="${new Date(issued).toISOString()}" Destination="${destination}"><saml:Issuer xmlns:saml="${ASSERTION}">${issuer}</saml:Issuer><saml:NameID xmlns:saml="${ASSERTION}">ada-1</saml:NameID></samlp:LogoutRequest>`;
}
