import { expect } from 'chai';
import type { DirectoryCheck } from '../../pkg/identity/ldap/check.js';
import type { Backend } from '../../storage/backend.js';
import { AS_ADMIN, type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { onOneStore } from '../harness/stores.js';
import { ldapCalls, openDirectory, PEOPLE, type TestDirectory } from './ldap-world.js';

const open = (backend: Backend): Promise<AuthnServer> =>
  openAuthnServer(backend, { argv: ['--auth.provider_networks=127.0.0.0/8'] });

onOneStore('the test of the connection to a directory', open, (server) => {
  const { set } = ldapCalls(server);
  let directory: TestDirectory;
  before(async function () {
    this.timeout(120_000);
    directory = await openDirectory(this);
    await directory.person('ann');
  });
  after(() => directory?.close());
  beforeEach(() => set({ enabled: false }, directory.server));

  const ask = (body?: unknown) =>
    server().ask('/api/v1/sso-settings/ldap/test', { method: 'POST', headers: AS_ADMIN, body });
  const checksOf = async (...servers: readonly object[]): Promise<readonly string[]> => {
    const answer = await ask(servers.length === 0 ? undefined : { settings: { config: { servers } } });
    expect(answer.status, answer.text).to.equal(200);
    const { checks } = answer.json as unknown as { readonly checks: readonly DirectoryCheck[] };
    return checks.map(({ name, ok, message }) => `${name} ${ok} ${message}`);
  };

  // Promise: specification 4.10
  it('connects, binds and looks for the search bases, with what is stored', async () => {
    expect(await checksOf()).to.deep.equal([
      'config.servers[0].host true It answers, without encryption.',
      'config.servers[0].search_base_dns[0] true People are found below it.',
    ]);
  });

  it('does it with what is typed, and with the secrets that are stored for the host', async () => {
    const typed = { ...directory.server, bind_password: '*********', host: '127.0.0.1' };
    const secure = { ...typed, host: 'localhost', port: directory.tlsPort, use_ssl: true };
    expect(await checksOf({ ...typed, search_base_dns: [PEOPLE, 'dc=gone'] })).to.deep.equal([
      'config.servers[0].host true It answers, without encryption.',
      'config.servers[0].search_base_dns[0] true People are found below it.',
      'config.servers[0].search_base_dns[1] false There is no such entry, or it may not be read.',
    ]);
    expect(await checksOf({ ...typed, bind_password: 'wrong' })).to.include(
      'config.servers[0].bind_password false bind_dn or bind_password is wrong.',
    );
    expect(await checksOf({ ...typed, port: 1 })).to.deep.equal([
      'config.servers[0].host false The host refuses the connection: nothing listens at this port.',
    ]);
    expect(await checksOf({ ...secure, bind_password: 'x' })).to.deep.equal([
      'config.servers[0].host false Its certificate is of an authority that this server does not trust. If it is your own authority, set root_ca_cert_value.',
    ]);
    const trusted = { root_ca_cert_value: [directory.authority.certificate] };
    expect((await checksOf({ ...secure, ...trusted, bind_password: directory.server['bind_password'] }))[0]).to.equal(
      'config.servers[0].host true It answers by TLS.',
    );
  });

  // Promise: security ldap
  it('sends no stored secret to another host, reads no files, and asks no address that is not allowed', async () => {
    const typed = { ...directory.server, bind_password: '*********' };
    for (const [change, expected] of [
      [{ host: 'localhost' }, 'Type it again'],
      [{ root_ca_cert: '/etc/passwd' }, 'root_ca_cert cannot be stored'],
    ] as const) {
      const answer = await ask({ settings: { config: { servers: [{ ...typed, ...change }] } } });
      expect([answer.status, answer.text.includes(expected)], answer.text).to.deep.equal([400, true]);
    }
    const inside = { ...directory.server, host: '10.0.0.1', ssl_skip_verify: true };
    expect((await checksOf(inside))[0]).to.contain('It is an internal address.');
  });
});
