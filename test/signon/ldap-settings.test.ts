import { expect } from 'chai';
import { generateCa } from '../../pkg/identity/certs/generate.js';
import { accepted, bodyOf } from '../harness/resource.js';
import { eachStore, oneStore } from '../harness/stores.js';
import { LEGACY, PATH, signOnCalls } from './settings.js';

const MASK = '*********';
const SERVER = {
  host: 'ldap.example.com',
  use_ssl: true,
  bind_dn: 'cn=reader,dc=example,dc=com',
  bind_password: 'first-password',
  search_filter: '(uid=%s)',
  search_base_dns: ['dc=example,dc=com'],
};
const withServers = (...servers: readonly object[]) => ({ config: { servers } });

eachStore('the settings of a directory', (server) => {
  const { put, read, values, get, end } = signOnCalls(server);
  const passwords = () => values('ldap')?.config.servers.map(({ bind_password: password }) => password);

  afterEach(() => end('ldap'));

  // Promise: specification 2.9, specification 4.10
  it('are stored with all their keys, and have their secrets masked in every answer', async () => {
    const validity = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
    const { certificate, key } = await generateCa(validity);
    const full = {
      ...SERVER,
      port: 1636,
      start_tls: false,
      ssl_skip_verify: true,
      min_tls_version: 'TLS1.2',
      tls_ciphers: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
      root_ca_cert_value: [certificate, Buffer.from(certificate).toString('base64')],
      client_cert_value: certificate,
      client_key_value: key,
      timeout: 5,
      group_search_filter: '(member:1.2.840.113556.1.4.1941:=%s)',
      group_search_filter_user_attribute: 'dn',
      group_search_base_dns: ['ou=groups,dc=example,dc=com'],
      email_verified: true,
      attributes: { username: 'uid', name: 'cn', surname: 'sn', email: 'mail', member_of: 'memberOf' },
      group_mappings: [{ group_dn: 'cn=ops,dc=example,dc=com', org_role: 'Admin', org_id: 2, grafana_admin: true }],
    };
    const flags = { enabled: true, allowSignUp: false, skipOrgRoleSync: true, activeSyncEnabled: false };
    accepted(await put('ldap', { ...flags, syncCron: '*/5 * * * *', ...withServers(full) }), 204);
    const shown = { ...full, bind_password: MASK, client_key_value: MASK };
    expect((await read('ldap')).settings).to.deep.equal({
      ...flags,
      syncCron: '*/5 * * * *',
      config: { servers: [shown] },
    });
    const { spec } = bodyOf(await get('ldap'), 200);
    expect(spec).to.deep.equal({ settings: { ...flags, syncCron: '*/5 * * * *', config: { servers: [shown] } } });
    for (const path of [PATH, `${PATH}/ldap`, LEGACY, `${LEGACY}/ldap`]) {
      const { text } = await server().call('GET', path);
      expect(text, path).to.contain(MASK).and.not.contain('first-password').and.not.contain('PRIVATE KEY');
    }
    expect(values('ldap')?.config.servers).to.deep.equal([full]);
    const stored = server().api.registry.reader.entry('sealedsecrets.internal.svc.app', '', 'ldap');
    expect(Buffer.from(stored?.value ?? []).toString())
      .to.contain('bind_password')
      .and.not.contain('first-password');
  });

  // Promise: specification 4.10
  it('keep a secret that is sent back masked, also in another order, and after a restart', async () => {
    const [one, two] = [SERVER, { ...SERVER, host: 'other.example.com', bind_password: 'second-password' }];
    accepted(await put('ldap', withServers(one, two)), 204);
    const masked = [two, one].map((each) => ({ ...each, bind_password: MASK, timeout: 7 }));
    accepted(await put('ldap', withServers(...masked)), 204);
    expect(passwords()).to.deep.equal(['second-password', 'first-password']);
    await server().restart();
    expect(passwords()).to.deep.equal(['second-password', 'first-password']);
    accepted(await put('ldap', withServers({ ...one, bind_password: 'third-password' })), 204);
    expect(passwords()).to.deep.equal(['third-password']);
  });

  it('change nothing when they are sent back as they are, and count a secret that changes', async () => {
    accepted(await put('ldap', withServers(SERVER)), 204);
    const before = bodyOf(await get('ldap'), 200);
    accepted(await put('ldap', (await read('ldap')).settings), 204);
    accepted(await put('ldap', withServers({ ...SERVER, bind_password: 'changed' })), 204);
    const after = bodyOf(await get('ldap'), 200);
    expect(before.metadata.annotations).to.include({ 'svc.app/secretsVersion': '1' });
    expect(after.metadata.annotations).to.include({ 'svc.app/secretsVersion': '2' });
  });
});

oneStore('settings of a directory that are wrong', (server) => {
  const { put, create } = signOnCalls(server);
  const refused = async (settings: object): Promise<string> =>
    String((JSON.parse(accepted(await put('ldap', { ...settings }), 400).text) as { message: string }).message);

  // Promise: security ldap
  it('are refused if a masked secret would go to another host', async () => {
    accepted(await put('ldap', withServers(SERVER)), 204);
    const moved = withServers({ ...SERVER, host: 'evil.example.com', bind_password: MASK });
    expect(await refused(moved)).to.contain('Type it again');
  });

  const cases: readonly (readonly [string, object, string])[] = [
    ['an unknown key', { hosts: 'a' }, 'config.servers.0.hosts is not a setting of a directory.'],
    ['an unknown key in a mapping', { group_mappings: [{ dn: '*' }] }, 'config.servers.0.group_mappings.0.dn is not'],
    ['no host', { host: '' }, 'A host is needed.'],
    ['a file of the server', { root_ca_cert: '/etc/passwd' }, 'root_ca_cert cannot be stored.'],
    ['a key file', { client_key: '/etc/shadow', client_cert: '/etc/passwd' }, 'client_cert cannot be stored.'],
    ['no encryption', { use_ssl: false }, 'Passwords would be sent without encryption'],
    ['an old version of TLS', { min_tls_version: 'TLS1.0' }, 'The versions are TLS1.2 and TLS1.3.'],
    ['an unknown cipher', { tls_ciphers: ['TLS_RSA_WITH_RC4_128_SHA'] }, 'no such cipher suite'],
    ['a certificate that is none', { root_ca_cert_value: ['abc'] }, 'It is no certificate in PEM.'],
    ['a key that is none', { client_key_value: 'abc' }, 'It is no private key in PEM.'],
    ['a filter that is none', { search_filter: '(uid=%s' }, 'It must be a filter of RFC 4515'],
    ['a filter for everybody', { search_filter: '(objectClass=person)' }, 'has %s for the login'],
    ['a name without a password', { bind_password: '' }, 'bind_dn needs a password.'],
    ['a password that is not used', { bind_dn: 'uid=%s,dc=a' }, 'It would have no effect'],
    ['a mapping without a right', { group_mappings: [{ group_dn: '*' }] }, 'A role in the organization is needed'],
    ['a role that does not exist', { group_mappings: [{ group_dn: '*', org_role: 'Boss' }] }, 'org_role'],
  ];
  for (const [what, change, expected] of cases) {
    it(`are refused with a reason: ${what}`, async () => {
      expect(await refused({ enabled: true, ...withServers({ ...SERVER, ...change }) })).to.contain(expected);
    });
  }

  it('are refused with a reason: no servers, a schedule that is none, and a second directory', async () => {
    expect(await refused({ enabled: true })).to.contain('No server is given.');
    expect(await refused({ syncCron: 'often' })).to.contain('syncCron is not a cron expression');
    expect(accepted(await create('ldap-west', withServers(SERVER)), 422).text).to.contain('must be a provider');
  });

  it('take null and the unused switches of other clients for what is not set', async () => {
    const sent = { ...SERVER, tls_ciphers: null, root_ca_cert_value: null, tls_skip_verify: false };
    accepted(await put('ldap', withServers(sent)), 204);
  });
});
