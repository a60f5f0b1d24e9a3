import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend } from '../../storage/backend.js';
import { AS_ADMIN, type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { auditLog } from '../harness/audit-log.js';
import { onEachStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { ldapCalls, openDirectory, personDn, type TestDirectory } from './ldap-world.js';

const LEGACY = '/api/v1/sso-settings';
const audit = auditLog();

onEachStore('the last synchronization with a directory', openWithFile, (server) => {
  const { login, set, uidOf } = ldapCalls(server);
  let directory: TestDirectory;
  before(async function () {
    this.timeout(120_000);
    directory = await openDirectory(this);
    for (const name of ['ann', 'bob', 'cat']) await directory.person(name);
    // People whose groups can all not be read would not count as having left.
    await directory.person('dan', ['others']);
    await until(() => server().api.isElected());
  });
  after(() => directory?.close());

  const entry = async () => (await server().ask(`${LEGACY}/ldap`, { headers: AS_ADMIN })).json;
  /** Lets the time of the schedule come, and returns what is shown afterwards. */
  const synchronized = async (): Promise<Readonly<Record<string, unknown>>> => {
    const before = server().syncs.length;
    audit.take();
    server().advance(5 * 60_000);
    await until(() => server().syncs.length > before);
    return (await entry())['lastSync'] as Readonly<Record<string, unknown>>;
  };
  /** Who was enabled or disabled, as the audit log has it. */
  const recorded = () =>
    audit
      .take()
      .filter(({ annotations = {} }) => annotations['audit.svc.app/reason'] !== undefined)
      .map(({ user, verb, objectRef, responseStatus, annotations }) => ({
        by: user.username,
        did: `${verb} ${objectRef?.resource} ${objectRef?.name}`,
        code: responseStatus?.code,
        why: annotations?.['audit.svc.app/reason'],
      }));
  const row = (name: string, how: string) => ({
    by: 'system:apiserver',
    did: `update users ${uidOf(name)}`,
    code: 200,
    why: `synchronization with LDAP: ${name} ${how}`,
  });

  it('is shown nowhere before there was one', async () => {
    expect(await entry())
      .to.include({ source: 'system' })
      .and.not.to.have.property('lastSync');
  });

  it('says that nothing was asked, if the settings do not suffice', async () => {
    expect(await synchronized()).to.deep.include({ people: 0, problems: ['no server is set'] });
    await writeFile(join(server().folder, 'ldap.toml'), tomlOf(directory));
    await until(async () => JSON.stringify(await entry()).includes('"host":"127.0.0.1"'));
  });

  // Promise: security ldap
  it('is shown with its numbers, also if no settings are stored, and who is disabled and enabled is audited', async () => {
    for (const name of ['ann', 'bob', 'cat']) expect((await login(name)).status, name).to.equal(200);
    await directory.remove(personDn('ann'));
    const { at, ...numbers } = await synchronized();
    expect(numbers).to.deep.equal({ people: 2, disabled: 1, enabled: 0, kept: 0, failed: 0, problems: [] });
    expect(Date.parse(String(at))).to.be.closeTo(server().services.now(), 60_000);
    expect(recorded()).to.deep.equal([row('ann', 'has left the directory')]);
    expect(await synchronized()).to.deep.include({ people: 2, disabled: 0 });
    expect(recorded()).to.deep.equal([]);
    const [listed] = JSON.parse((await server().ask(LEGACY, { headers: AS_ADMIN })).text).filter(
      ({ provider }: { provider: string }) => provider === 'ldap',
    );
    expect(listed).to.deep.equal(await entry());
  });

  // Promise: security ldap
  it('says why it is not complete, and names nobody in the audit log then', async () => {
    await directory.stop();
    const { problems, ...numbers } = await synchronized();
    expect(numbers).to.deep.include({ people: 0, disabled: 0, enabled: 0, kept: 0 });
    expect(String(problems)).to.match(/^127\.0\.0\.1: \S/);
    expect(recorded()).to.deep.equal([]);
    await directory.start();
  });

  it('stays when settings are stored, and says what they lack', async () => {
    const { lastSync } = await entry();
    await set({ syncCron: '*/5 * * * *', activeSyncEnabled: true }, directory.server);
    expect(await entry()).to.deep.include({ source: 'database', lastSync });
    const group_mappings = [{ group_dn: 'cn=nobody,ou=groups,dc=example,dc=com', org_role: 'Viewer' }];
    await set({ syncCron: '*/5 * * * *', activeSyncEnabled: true }, { ...directory.server, group_mappings });
    const { disabled } = await synchronized();
    expect(disabled).to.equal(2);
    expect(recorded()).to.have.deep.members(['bob', 'cat'].map((name) => row(name, 'is in no mapped group any more')));
    await set({ syncCron: '*/5 * * * *', activeSyncEnabled: true }, directory.server);
    expect(await synchronized()).to.deep.include({ people: 2, enabled: 2 });
    expect(recorded()).to.have.deep.members(['bob', 'cat'].map((name) => row(name, 'is back in the directory')));
  });
});

interface ServerWithFile extends AuthnServer {
  readonly folder: string;
}

/** A server whose directory is in its settings file, so that nothing of it is stored. */
async function openWithFile(backend: Backend): Promise<ServerWithFile> {
  const folder = await mkdtemp(join(tmpdir(), 'last-sync-'));
  const argv = [
    '--auth.provider_networks=127.0.0.0/8',
    '--auth.ldap.enabled=true',
    '--auth.ldap.sync_cron=*/5 * * * *',
    `--auth.ldap.config_file=${join(folder, 'ldap.toml')}`,
  ];
  // The time of the schedule comes only when a test lets it come.
  const server = await openAuthnServer(backend, { argv, audit: audit.trail, isClockStopped: true });
  const close = async (): Promise<void> => {
    await server.close();
    await rm(folder, { recursive: true });
  };
  return { ...server, close, folder };
}

function tomlOf({ port }: TestDirectory): string {
  return `[[servers]]
host = "127.0.0.1"
port = ${port}
bind_dn = "cn=reader,dc=example,dc=com"
bind_password = "the password of the reader"
search_filter = "(uid=%s)"
search_base_dns = ["ou=people,dc=example,dc=com"]
[servers.attributes]
username = "uid"
email = "mail"
`;
}
