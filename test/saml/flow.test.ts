import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { Browser } from '../signon/browser.js';
import { callerOf } from '../signon/world.js';
import { pairNamed } from './certificates.js';
import { type IdentityProvider, openIdentityProvider } from './identity-provider.js';
import { eachSamlWorld, formIn, oneSamlWorld, postedBack, type SamlWorld } from './world.js';

const ADA = {
  nameId: 'ada-1',
  attributes: { displayName: ['Ada Lovelace'], login: ['ada'], mail: ['ada@example.com'] },
};

const userOf = (world: SamlWorld, caller: Readonly<Record<string, unknown>> | undefined) =>
  world.server.services.reader.get('users.iam.svc.app', '', String(caller?.['uid']));
const rolesOf = (world: SamlWorld, caller: Readonly<Record<string, unknown>> | undefined) =>
  world.server.services.reader
    .range('organizationbindings.iam.svc.app', 'byUser', [String(caller?.['uid'])])
    .map(({ metadata, spec }) => `${metadata.namespace} ${(spec as { role: string }).role}`)
    .sort();

eachSamlWorld('signing in by SAML', (world) => {
  it('goes to the provider with a request that the browser keeps in a sealed cookie', async () => {
    const page = await new Browser().visit(`${world().url}/login/saml`);
    const { origin, pathname, searchParams } = new URL(page.location);
    expect(`${origin}${pathname}`).to.equal(`${world().idp.url}/sso`);
    const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    expect(xml).to.contain(`AssertionConsumerServiceURL="${world().url}/saml/acs"`);
    const id = /\bID="(_[0-9a-f]{40})"/.exec(xml)?.[1] ?? 'none';
    const [cookie = ''] = page.headers.getSetCookie();
    expect(cookie).to.match(/^apiserver_sign_on=v1:[\w-]+; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly$/);
    expect(cookie).to.not.contain(id);
  });

  it('makes a user at the first time, and opens a session', async () => {
    const { page, caller, browser } = await world().signInAs(ADA, { redirectTo: '/d/abc?x=1' });
    expect([page.status, page.location]).to.deep.equal([303, `${world().url}/d/abc?x=1`]);
    expect(caller).to.include({ name: 'ada' });
    expect([...browser.cookies(world().url).keys()].sort()).to.deep.equal([
      'grafana_session',
      'grafana_session_expiry',
    ]);
    expect(userOf(world(), caller)?.spec).to.include({ name: 'Ada Lovelace', email: 'ada@example.com' });
    expect(rolesOf(world(), caller)).to.deep.equal(['default Viewer']);
  });

  it('finds the same user again by the NameID, whatever else has changed', async () => {
    const before = await world().signInAs(ADA);
    const changed = { nameId: 'ada-1', attributes: { login: ['countess'], mail: ['countess@example.com'] } };
    const after = await world().signInAs(changed);
    expect(after.caller?.['uid']).to.equal(before.caller?.['uid']);
    expect(after.caller?.['name']).to.equal('countess');
  });

  it('sends a form that comes from another site through a page of this server, which has the cookies', async () => {
    const { idp, url } = world();
    idp.person = ADA;
    const browser = new Browser();
    const there = await browser.visit((await browser.visit(`${url}/login/saml`)).location);
    const fields = formIn(there)?.fields ?? {};
    const form = { ...fields, submit: 'x' };
    const page = await new Browser().visit(`${url}/saml/acs`, { form, headers: { origin: idp.url } });
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'");
    const again = formIn(page);
    expect(again).to.deep.equal({ action: `${url}/saml/acs`, fields: { ...fields, again: '1' } });
    const ended = await browser.visit(`${url}/saml/acs`, { form: again?.fields ?? {} });
    expect(ended.location).to.equal(`${url}/`);
    expect(await callerOf(browser, url)).to.not.equal(undefined);
  });

  it('has metadata with its addresses and the end of their validity', async () => {
    const page = await new Browser().visit(`${world().url}/saml/metadata`);
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([
      200,
      'application/samlmetadata+xml; charset=utf-8',
    ]);
    expect(page.text).to.contain(`entityID="${world().url}/saml/metadata"`).and.contain(`${world().url}/saml/acs`);
    const ends = Date.parse(/validUntil="([^"]*)"/.exec(page.text)?.[1] ?? '');
    expect(ends - Date.now()).to.be.within(47 * 3_600_000, 48 * 3_600_000);
    expect((await new Browser().visit(`${world().url}/saml/other`)).status).to.equal(404);
    expect((await new Browser().visit(`${world().url}/saml/github/metadata`)).status).to.equal(404);
  });
});

oneSamlWorld(
  'signing in by SAML with signed requests and encrypted assertions',
  (world) => {
    it('is what the provider wants and reads', async () => {
      const { caller } = await world().signInAs(ADA);
      expect(caller).to.include({ name: 'ada' });
      expect(world().idp.lastRequest).to.have.property('request');
    });

    it('signs its metadata, too', async () => {
      const { text } = await new Browser().visit(`${world().url}/saml/metadata`);
      expect(text).to.contain('xmldsig-more#rsa-sha512').and.contain('use="encryption"');
    });
  },
  { saml: { signature_algorithm: 'rsa-sha512' }, idp: { wantsSignedRequests: true, isEncrypted: true } },
);

oneSamlWorld(
  'signing in by SAML with requests by HTTP-POST',
  (world) => {
    it('posts the request from a page', async () => {
      const browser = new Browser();
      const page = await browser.visit(`${world().url}/login/saml`);
      expect([page.status, formIn(page)?.action]).to.deep.equal([200, `${world().idp.url}/sso`]);
      world().idp.person = ADA;
      await postedBack(browser, page);
      expect(await callerOf(browser, world().url)).to.include({ name: 'ada' });
    });
  },
  { saml: { signature_algorithm: 'rsa-sha256' }, idp: { wantsSignedRequests: true, binding: 'post' } },
);

oneSamlWorld(
  'what SAML attributes give',
  (world) => {
    const person = (nameId: string, attributes: Readonly<Record<string, readonly string[]>>) => ({
      nameId,
      attributes: { login: [nameId], mail: [`${nameId}@example.com`], ...attributes },
    });
    const signIn = (nameId: string, attributes: Readonly<Record<string, readonly string[]>>) =>
      world().signInAs(person(nameId, attributes));

    it('the highest role that the values mean, and Viewer if they mean none', async () => {
      expect(rolesOf(world(), (await signIn('a', { role: ['dev', 'ops'], org: ['x'] })).caller)).to.deep.equal([
        'default Admin',
      ]);
      expect(rolesOf(world(), (await signIn('b', { role: ['dev'], org: ['x'] })).caller)).to.deep.equal([
        'default Editor',
      ]);
      expect(rolesOf(world(), (await signIn('c', { role: ['?'], org: ['x'] })).caller)).to.deep.equal([
        'default Viewer',
      ]);
    });

    it('the administration of the server, until they no longer do', async () => {
      const { caller } = await signIn('root', { role: ['super'], org: ['x'] });
      expect(userOf(world(), caller)?.spec).to.include({ grafanaAdmin: true });
      const later = await signIn('root', { role: ['dev'], org: ['x'] });
      expect(userOf(world(), later.caller)?.spec).to.include({ grafanaAdmin: false });
    });

    it('memberships of several organizations, and of the teams with a group', async () => {
      await world().server.create('iam/organizations', 'guests', { title: 'Guests' });
      await world().server.create('iam/teams', 'blue', { title: 'Blue', groups: ['blue-people'] }, 'default');
      const { caller } = await signIn('both', { role: ['dev'], org: ['x', 'y'], groups: ['blue-people'] });
      expect(rolesOf(world(), caller)).to.deep.equal(['default Editor', 'guests Editor']);
      const teams = world().server.services.reader.range('teambindings.iam.svc.app', 'byUser', [
        String(caller?.['uid']),
      ]);
      expect(teams.map(({ metadata }) => metadata.namespace)).to.deep.equal(['default']);
    });

    it('a refusal, if the person is of no allowed organization, or in more groups than the provider sends', async () => {
      expect((await signIn('d', { org: ['z'] })).page.location).to.contain('/login?error=not_allowed');
      const overage = { org: ['x'], 'http://schemas.microsoft.com/claims/groups.link': ['https://graph.example'] };
      expect((await signIn('d', overage)).page.location).to.contain('/login?error=settings');
    });

    it('a name of several attributes, and who somebody is', async () => {
      const uid = { userUID: ['u-1'], org: ['x'], given: ['Ada'], sn: ['Byron'] };
      const before = await signIn('e', uid);
      const after = await signIn('other', uid);
      expect(after.caller?.['uid']).to.equal(before.caller?.['uid']);
      expect(userOf(world(), after.caller)?.spec).to.include({ name: 'Ada Byron' });
    });
  },
  {
    saml: {
      assertion_attribute_name: '$__saml{given} $__saml{sn}',
      role_values_editor: 'dev',
      role_values_admin: 'ops, chief',
      role_values_grafana_admin: 'super',
      org_mapping: 'x:Main Org.:Viewer, y:Guests:Viewer',
      allowed_organizations: 'x y',
    },
  },
);

oneSamlWorld(
  'a SAML provider that is off',
  (world) => {
    it('has metadata, but signs nobody in', async () => {
      expect((await new Browser().visit(`${world().url}/saml/metadata`)).status).to.equal(200);
      expect((await new Browser().visit(`${world().url}/login/saml`)).location).to.contain('error=disabled');
      const page = await new Browser().visit(`${world().url}/saml/acs`, { form: { SAMLResponse: 'x', again: '1' } });
      expect(page.location).to.contain('error=disabled');
    });
  },
  { saml: { enabled: 'false' } },
);

oneSamlWorld(
  'a second SAML provider',
  (world) => {
    let west: IdentityProvider;
    before(async () => {
      west = await openIdentityProvider({ pair: await pairNamed('west') });
      const settings = { enabled: true, idpMetadataUrl: `${west.url}/metadata`, assertionAttributeLogin: 'login' };
      await world().server.create('iam/ssosettings', 'saml-west', { settings });
      west.trust((await new Browser().visit(`${world().url}/saml/saml-west/metadata`)).text);
    });
    after(() => west.close());

    const signInAt = async (path: string, browser = new Browser()) => {
      const page = await postedBack(browser, await browser.visit(`${world().url}/login/${path}`));
      return { page, caller: await callerOf(browser, world().url) };
    };

    it('signs people in, who are others than those of the first with the same NameID', async () => {
      west.person = { nameId: 'ada-1', attributes: { login: ['ada-of-west'] } };
      const [first, second] = [await world().signInAs(ADA), await signInAt('saml-west')];
      expect([first.caller?.['name'], second.caller?.['name']]).to.deep.equal(['ada', 'ada-of-west']);
      expect(first.caller?.['uid']).to.not.equal(second.caller?.['uid']);
    });

    // Promise: security saml
    it('does not end the sign-in that has begun with the first, and the other way round', async () => {
      const browser = new Browser();
      const page = await browser.visit((await browser.visit(`${world().url}/login/saml`)).location);
      const form = formIn(page)?.fields ?? {};
      const there = await browser.visit(`${world().url}/saml/saml-west/acs`, { form });
      expect(there.location).to.contain('/login?error=state');
      expect((await browser.visit(`${world().url}/saml/acs`, { form })).location).to.equal(`${world().url}/`);
    });

    it('has metadata of its own, which are made once for its settings', async () => {
      const metadata = async () => (await new Browser().visit(`${world().url}/saml/saml-west/metadata`)).text;
      const before = await metadata();
      expect(before).to.contain(`entityID="${world().url}/saml/saml-west/metadata"`);
      world().server.advance(60_000);
      expect(await metadata()).to.equal(before);
      await world().server.patch('iam/ssosettings', 'saml-west', { settings: { entityId: 'urn:west' } });
      expect(await metadata()).to.contain('entityID="urn:west"');
    });
  },
  { argv: ['--auth.provider_networks=127.0.0.0/8'] },
);

oneSamlWorld(
  'a sign-in that the SAML provider begins',
  (world) => {
    it('works with the relay state of the setting only, and leads to this server', async () => {
      world().idp.person = ADA;
      const post = async (RelayState: string) => {
        const form = { SAMLResponse: await world().idp.unsolicited(), RelayState, again: '1' };
        return (await new Browser().visit(`${world().url}/saml/acs`, { form })).location;
      };
      expect(await post('/d/start')).to.equal(`${world().url}/d/start`);
      expect(await post('/d/other')).to.equal(`${world().url}/login?error=state`);
    });
  },
  { saml: { allow_idp_initiated: 'true', relay_state: '/d/start' } },
);
