import { expect } from 'chai';
import { accepted, bodyOf } from '../harness/resource.js';
import { eachStore, oneStore } from '../harness/stores.js';
import { LEGACY, signOnCalls } from './settings.js';

const MASK = '*********';
const ORDER = ['github', 'gitlab', 'google', 'generic_oauth', 'grafana_com', 'azuread', 'okta', 'ldap', 'saml'];

eachStore('GET, PUT and DELETE of /api/v1/sso-settings/:provider', (server) => {
  const { read, put, end, get, create, list, values } = signOnCalls(server);

  // Promise: specification 2.9, specification 4.10
  it('PUT answers 204 without a body, and GET returns the settings with the secret masked', async () => {
    const answer = accepted(await put('gitlab', { clientId: 'mine', clientSecret: 'hidden', enabled: true }), 204);
    expect(answer.text).to.equal('');
    const { id, provider, source, settings } = await read('gitlab');
    expect({ provider, source }).to.deep.equal({ provider: 'gitlab', source: 'database' });
    expect(id).to.equal(bodyOf(await get('gitlab'), 200).metadata.uid);
    expect(settings).to.include({ clientId: 'mine', clientSecret: MASK, enabled: true });
    expect(values('gitlab')?.clientSecret).to.equal('hidden');
  });

  // Promise: specification 4.10
  it('PUT replaces what was stored; keys that it leaves out come from the defaults again', async () => {
    accepted(await put('gitlab', { clientId: 'mine', scopes: 'api', name: 'Ours' }), 204);
    accepted(await put('gitlab', { clientId: 'mine', name: 'Theirs' }), 204);
    const { settings } = await read('gitlab');
    expect(settings).to.include({ name: 'Theirs', scopes: 'openid,email,profile', clientSecret: '' });
  });

  // Promise: specification 4.10
  it('PUT with the masked value keeps the secret', async () => {
    accepted(await put('okta', { ...OKTA, clientSecret: 'kept' }), 204);
    accepted(await put('okta', { ...OKTA, clientSecret: MASK, name: 'Renamed' }), 204);
    expect(values('okta')).to.include({ clientSecret: 'kept', name: 'Renamed' });
  });

  // Promise: specification 4.11
  it('PUT with what GET returned is accepted, also with the addresses that belong to the provider', async () => {
    for (const provider of ['github', 'gitlab', 'google', 'grafana_com']) {
      await end(provider);
      const { settings } = await read(provider);
      accepted(await put(provider, { ...settings, clientId: 'mine', enabled: true }), 204);
      expect((await read(provider)).settings, provider).to.deep.equal({ ...settings, clientId: 'mine', enabled: true });
      accepted(await end(provider), 204);
    }
  });

  // Promise: specification 4.11
  it('PUT takes texts where clients have nothing else, and keeps keys of newer clients with a warning', async () => {
    const sent = {
      ...OKTA,
      apiUrl: '',
      clientId: 7,
      enabled: 'true',
      force_use_graph_api: 'false',
      newer_key: 'x',
      newerFlag: true,
    };
    const answer = accepted(await put('azuread', sent), 204);
    const warning = String(answer.headers['warning']);
    for (const key of ['newer_key', 'newerFlag'])
      expect(warning).to.include(`settings.${key}: this server does not know`);
    const { settings } = await read('azuread');
    expect(settings).to.include({
      clientId: '7',
      enabled: true,
      forceUseGraphApi: false,
      newerKey: 'x',
      newerFlag: true,
    });
    expect(settings).to.not.have.property('newer_key');
    expect(bodyOf(await get('azuread'), 200).spec['custom']).to.deep.equal({ newer_key: 'x', newerFlag: true });
    // What was read is taken, and what is left out is gone.
    accepted(await put('azuread', settings), 204);
    accepted(await put('azuread', { ...OKTA, apiUrl: '' }), 204);
    expect((await read('azuread')).settings).to.not.have.property('newerKey');
    accepted(await end('azuread'), 204);
  });

  // Promise: specification 4.11
  it('PUT and kubectl warn of an address that the server does not ask, with the setting that allows it', async () => {
    const addresses = {
      tokenUrl: 'https://10.1.2.3/token',
      apiUrl: 'http://localhost:9/me',
      tlsSkipVerifyInsecure: true,
    };
    const answers = [await put('okta', { ...OKTA, ...addresses }), await create('okta-two', { ...OKTA, ...addresses })];
    for (const answer of answers) {
      expect(answer.status, answer.text).to.be.within(200, 299);
      const warning = String(answer.headers['warning']);
      const rest = 'is internal, and not in the setting auth.provider_networks';
      expect(warning).to.include(`spec.settings.tokenUrl: the address 10.1.2.3 ${rest}`);
      expect(warning).to.include(`spec.settings.apiUrl: the address 127.0.0.1 ${rest}`);
    }
    expect(accepted(await put('okta', OKTA), 204).headers['warning']).to.equal(undefined);
    accepted(await end('okta-two'), 204);
  });

  it('PUT warns that SAML needs server.root_url, and the list has that as a problem while the provider is enabled', async () => {
    const why = 'SAML needs server.root_url, because assertions are for this address';
    const problems = async () => (await list()).find(({ provider }) => provider === 'saml')?.problems;
    const saml = { idpMetadataUrl: 'https://id.example.com' };
    expect(String(accepted(await put('saml', saml), 204).headers['warning'])).to.contain(why);
    expect(await problems()).to.equal(undefined);
    accepted(await put('saml', { ...saml, enabled: true, idpMetadataUrl: 'https://10.1.2.3/' }), 204);
    const [first, second] = (await problems()) ?? [];
    expect(first).to.equal(`${why}.`);
    expect(second).to.contain('spec.settings.idpMetadataUrl: the address 10.1.2.3 is internal');
    accepted(await end('saml'), 204);
  });

  // Promise: specification 2.10, specification 3, specification 4.10
  it('DELETE answers 204, falls back to the other sources, and then 404', async () => {
    accepted(await put('github', { clientId: 'mine' }), 204);
    expect(accepted(await end('github'), 204).text).to.equal('');
    expect(await read('github')).to.include({ id: '', source: 'system' });
    expect(accepted(await end('github'), 404).json()).to.include(NOT_FOUND);
  });

  it('shows what kubectl wrote, and the other way round', async () => {
    bodyOf(await create('google', { clientId: 'from-kubectl' }), 201);
    expect((await read('google')).settings).to.include({ clientId: 'from-kubectl' });
    accepted(await put('google', { client_id: 'from-legacy', clientSecret: 'hidden' }), 204);
    expect(bodyOf(await get('google'), 200).spec).to.deep.equal({
      settings: { clientId: 'from-legacy', clientSecret: MASK },
    });
  });
});

const OKTA: Readonly<Record<string, unknown>> = {
  clientId: 'mine',
  authUrl: 'https://okta.example.com/authorize',
  tokenUrl: 'https://okta.example.com/token',
  apiUrl: 'https://okta.example.com/userinfo',
};
const NOT_FOUND = { statusCode: 404, messageId: 'sso.notFound', message: 'The provider was not found.' };

oneStore('GET /api/v1/sso-settings', (server) => {
  const { put, list, read } = signOnCalls(server);

  // Promise: specification 2.10, specification 4.10, specification 9
  it('lists all providers in their order, and then those with a suffix', async () => {
    accepted(await put('okta-west', OKTA), 204);
    const entries = await list();
    expect(entries.map(({ provider }) => provider)).to.deep.equal([...ORDER, 'okta-west']);
    expect(entries.map(({ source }) => source)).to.deep.equal([...ORDER.map(() => 'system'), 'database']);
    for (const entry of entries) expect(entry).to.deep.equal(await read(entry.provider));
  });

  // Promise: specification 2.9, specification 2.10
  it('shows a value of every key, and the keys that only some providers have', async () => {
    const [github, gitlab] = await list();
    expect(Object.keys(gitlab?.settings ?? {})).to.include.members(KEYS);
    expect(gitlab?.settings).to.not.have.any.keys('teamIds', 'entityId');
    expect(github?.settings).to.have.any.keys('teamIds', 'allowedOrganizations');
    expect(github?.settings).to.include({
      enabled: false,
      clientId: '',
      clientSecret: '',
      authUrl: 'https://github.com/login/oauth/authorize',
      apiUrl: 'https://api.github.com/user',
      scopes: 'user:email,read:org',
    });
  });

  // Promise: specification 4.10
  it('answers with an ETag of 16 digits, which changes with the entry, and 304 to a client that has it', async () => {
    const get = (headers = {}) => server().call('GET', `${LEGACY}/gitlab`, { headers });
    const etag = String((await get()).headers['etag']);
    expect(etag).to.match(/^[0-9a-f]{16}$/);
    for (const known of [etag, `"${etag}"`, `W/"${etag}"`, `"other", ${etag}`, '*']) {
      const same = accepted(await get({ 'if-none-match': known }), 304);
      expect([same.text, same.headers['etag']], known).to.deep.equal(['', etag]);
    }
    accepted(await put('gitlab', { clientId: 'changed' }), 204);
    expect(accepted(await get({ 'if-none-match': etag }), 200).headers['etag']).to.not.equal(etag);
  });
});

const KEYS =
  'clientAuthentication clientId clientSecret managedIdentityClientId federatedCredentialAudience workloadIdentityTokenFile scopes emptyScopes authStyle authUrl tokenUrl apiUrl teamsUrl enabled emailAttributeName emailAttributePath roleAttributePath roleAttributeStrict groupsAttributePath teamIdsAttributePath allowedDomains hostedDomain allowSignUp name icon skipOrgRoleSync tlsClientCert tlsClientKey tlsClientCa tlsSkipVerifyInsecure usePkce useRefreshToken allowAssignGrafanaAdmin autoLogin allowedGroups signoutRedirectUrl orgMapping orgAttributePath loginPrompt'.split(
    ' ',
  );
