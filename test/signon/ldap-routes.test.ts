import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend } from '../../storage/backend.js';
import { AS_ADMIN, type AuthnServer, basic, openAuthnServer } from '../authn/harness.js';
import { onEachStore } from '../harness/stores.js';
import { groupDn, ldapCalls, openDirectory, PEOPLE, personDn, type TestDirectory } from './ldap-world.js';

let folder: string;

async function open(backend: Backend): Promise<AuthnServer> {
  folder = await mkdtemp(join(tmpdir(), 'ldap-routes-'));
  const file = join(folder, 'ldap.toml');
  const argv = ['--auth.provider_networks=127.0.0.0/8', `--auth.ldap.config_file=${file}`];
  await writeFile(
    file,
    '[[servers]]\nhost = "127.0.0.1"\nsearch_filter = "(uid=%s)"\nsearch_base_dns = ["dc=example"]\n',
  );
  const server = await openAuthnServer(backend, { argv });
  return { ...server, close: () => server.close().then(() => rm(folder, { recursive: true })) };
}

onEachStore('the routes /api/admin/ldap', open, (server) => {
  const { set, login, userOf, uidOf } = ldapCalls(server);
  let directory: TestDirectory;
  before(async function () {
    this.timeout(120_000);
    directory = await openDirectory(this);
    await directory.person('ann', ['staff', 'ops'], { givenName: 'Ann' });
    await directory.person('bob');
    await server().user('local', {}, 'local password');
  });
  after(() => directory?.close());

  const call = async (method: string, path: string, headers = AS_ADMIN) => {
    const { status, text } = await server().ask(`/api/admin/ldap/${path}`, { method, headers });
    return { status, json: JSON.parse(text) as Readonly<Record<string, unknown>> };
  };
  const idOf = (name: string): string =>
    Object.entries(userOf(name)?.metadata.labels ?? {}).find(([key]) => key.endsWith('deprecatedInternalID'))?.[1] ??
    '';
  const mapped = (...more: readonly object[]) => ({
    ...directory.server,
    group_mappings: [
      { group_dn: groupDn('OPS').replace(',', ' , '), org_role: 'Editor', grafana_admin: false },
      { group_dn: groupDn('staff'), org_role: 'Viewer' },
      ...more,
    ],
  });

  it('say that LDAP is off', async () => {
    for (const [method, path] of [
      ['GET', 'status'],
      ['GET', 'ann'],
      ['POST', 'reload'],
      ['POST', 'sync/1'],
    ] as const)
      expect(await call(method, path), path).to.deep.equal({ status: 400, json: { message: 'LDAP is not enabled' } });
  });

  // Promise: specification 4
  it('are for callers with the actions of existing servers', async () => {
    await set({ activeSyncEnabled: false }, mapped());
    const rows = [
      ['GET', 'status', 'ldap.status:read'],
      ['GET', 'ann', 'ldap.user:read'],
      ['POST', 'reload', 'ldap.config:reload'],
      ['POST', 'sync/1', 'ldap.user:sync'],
    ] as const;
    for (const [method, path, action] of rows) {
      const { status, json } = await call(method, path, basic('local', 'local password'));
      expect([status, String(json['message'])], path).to.deep.equal([
        403,
        `You'll need additional permissions to perform this action. Permissions needed: ${action}`,
      ]);
    }
  });

  it('tell of each directory whether it can be asked', async () => {
    await set({ activeSyncEnabled: false }, mapped(), { ...directory.server, host: 'localhost', port: 1, timeout: 1 });
    const { status, json } = await call('GET', 'status');
    expect([status, json]).to.deep.equal([
      200,
      [
        { host: '127.0.0.1', port: directory.port, available: true, error: '' },
        {
          host: 'localhost',
          port: 1,
          available: false,
          error: 'The host refuses the connection: nothing listens at this port.',
        },
      ],
    ]);
  });

  it('show what a directory says about a login, and the roles that count', async () => {
    await set({ activeSyncEnabled: false }, mapped());
    expect((await call('GET', 'ANN')).json).to.deep.equal({
      dn: personDn('ann'),
      name: { cfgAttrValue: 'givenName', ldapValue: 'Ann' },
      surname: { cfgAttrValue: 'sn', ldapValue: 'Example' },
      email: { cfgAttrValue: 'mail', ldapValue: 'ann@example.com' },
      login: { cfgAttrValue: 'uid', ldapValue: 'ann' },
      isGrafanaAdmin: false,
      isDisabled: false,
      roles: [
        { orgId: 1, orgName: 'Main Org.', orgRole: 'Editor', groupDN: groupDn('ops') },
        { orgId: 0, orgName: '', orgRole: '', groupDN: groupDn('staff') },
      ],
      teams: null,
    });
    expect((await call('GET', 'bob')).json).to.deep.include({
      isDisabled: true,
      roles: [],
      refusal: 'the person is in no mapped group',
    });
    for (const wrong of ['nobody', '*', 'ann)(uid=*', '%00', '\u00e4'])
      expect(await call('GET', encodeURIComponent(wrong)), wrong).to.deep.equal({
        status: 404,
        json: { message: 'No user was found in the LDAP server(s) with that username' },
      });
    expect(userOf('ann')).to.equal(undefined);
  });

  it('refuse a mapping to an organization that does not exist', async () => {
    await set({ activeSyncEnabled: false }, mapped({ group_dn: '*', org_role: 'Viewer', org_id: 99 }));
    expect(await call('GET', 'ann')).to.deep.equal({
      status: 400,
      json: {
        message: 'An organization was not found - Please verify your LDAP configuration',
        error: "unable to find organization with ID '99'",
      },
    });
  });

  // Promise: security ldap
  it('show no secret, whatever attribute is set', async () => {
    const attributes = { ...(directory.server['attributes'] as object), name: 'userPassword' };
    const root = { bind_dn: 'cn=root,dc=example,dc=com', bind_password: 'the password of the root' };
    await set({ activeSyncEnabled: false }, { ...directory.server, ...root, attributes });
    const { json } = await call('GET', 'ann');
    expect(json['name']).to.deep.equal({ cfgAttrValue: 'userPassword', ldapValue: '' });
    expect(JSON.stringify(json)).to.not.contain('password of');
  });

  // Promise: security ldap
  it('synchronize one user of the directory, and nobody else', async () => {
    await set({ activeSyncEnabled: false }, directory.server);
    for (const name of ['ann', 'bob']) expect((await login(name)).status, name).to.equal(200);
    await directory.write((client) => client.modifyDN(personDn('ann'), `uid=anna,${PEOPLE}`));
    await directory.remove(personDn('bob'));
    expect(await call('POST', `sync/${idOf('ann')}`)).to.deep.equal({
      status: 200,
      json: { message: 'User synced successfully' },
    });
    expect([uidOf('ann') === '', uidOf('anna') === '']).to.deep.equal([true, false]);
    expect(userOf('bob')?.spec).to.include({ disabled: false });
    expect(await call('POST', `sync/${idOf('bob')}`)).to.deep.equal({
      status: 400,
      json: { message: 'User not found in LDAP. Disabled the user without updating information' },
    });
    expect(userOf('bob')?.spec).to.include({ disabled: true });
    for (const id of [idOf('local'), '987654'])
      expect(await call('POST', `sync/${id}`), id).to.deep.equal({ status: 404, json: { message: 'user not found' } });
    expect((await call('POST', 'sync/x')).status).to.equal(404);
    await directory.stop();
    expect((await call('POST', `sync/${idOf('anna')}`)).json['message']).to.match(/^The user was not synchronized: /);
    expect((await call('GET', 'anna')).status).to.equal(503);
    await directory.start();
  });

  it('read the file again, and say what is wrong with it', async () => {
    expect(await call('POST', 'reload')).to.deep.equal({ status: 200, json: { message: 'LDAP config reloaded' } });
    await writeFile(join(folder, 'ldap.toml'), 'servers = [');
    const { status, json } = await call('POST', 'reload');
    expect([status, json['message']]).to.deep.equal([400, 'Failed to reload LDAP config']);
    expect(json['error']).to.match(/auth\.ldap\.config_file: .*: line 1, column \d+: it is no TOML/);
  });

  // Promise: security ldap
  it('tell before settings are stored what a login would get', async () => {
    const settings = { enabled: true, config: { servers: [mapped()] } };
    const test = async (name: string) => {
      const body = { settings, login: name };
      const path = '/api/v1/sso-settings/ldap/test';
      return (await server().ask(path, { method: 'POST', headers: AS_ADMIN, body })).json['person'];
    };
    expect(await test('anna')).to.deep.include({ ok: true, message: 'A sign-in would succeed.' });
    expect(await test('nobody')).to.deep.equal({ ok: false, message: 'search_filter finds nobody with this login.' });
  });
});
