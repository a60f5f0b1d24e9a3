import { expect } from 'chai';
import { type SyncReport, syncLdap } from '../../apis/authentication/ldap/sync.js';
import { signOnAccounts } from '../../apis/authentication/signon/accounts.js';
import { ldapProviders } from '../../apis/iam/ssosetting/directories.js';
import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import type { Backend } from '../../storage/backend.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { ENVIRONMENT } from '../harness/server.js';
import { onEachStore, STORES } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { groupDn, ldapCalls, openDirectory, PEOPLE, passwordOf, personDn, type TestDirectory } from './ldap-world.js';

const argv = ['--auth.provider_networks=127.0.0.0/8'];
const open = (backend: Backend): Promise<AuthnServer> => openAuthnServer(backend, { argv });

onEachStore('the synchronization with a directory', open, (server) => {
  const { set, login, whoami, userOf, uidOf, rolesOf, sessionsOf } = ldapCalls(server);
  let directory: TestDirectory;
  const staff = ['ann', 'bob', 'cat', 'dan', 'eva', 'fay'];
  const mappings = [
    { group_dn: groupDn('staff'), org_role: 'Viewer' },
    { group_dn: groupDn('ops'), org_role: 'Editor' },
  ];
  before(async function () {
    this.timeout(120_000);
    directory = await openDirectory(this);
    for (const name of staff) await directory.person(name, ['staff']);
  });
  after(() => directory?.close());
  beforeEach(async () => {
    await set({ activeSyncEnabled: false }, { ...directory.server, group_mappings: mappings });
    server().advance(3_600_000);
    for (const name of staff) expect((await login(name)).status, name).to.equal(200);
  });

  const synchronize = async (): Promise<SyncReport> => {
    const { services, warnings } = server();
    const accounts = signOnAccounts({
      services,
      findsByEmail: false,
      warn: (text) => void (warnings as string[]).push(text),
    });
    const environment = {
      ...ENVIRONMENT,
      signOn: { ...ENVIRONMENT.signOn, networks: ['127.0.0.0/8'], secretKey: () => 'the secret key of the tests' },
    };
    const provider = ldapProviders(signOnProviders(services.reader, environment))();
    if (provider === undefined) throw new Error('LDAP is off');
    return syncLdap({ services, accounts }, provider, new AbortController().signal);
  };
  const isDisabled = (name: string): boolean =>
    (userOf(name)?.spec as { readonly disabled: boolean } | undefined)?.disabled === true;
  const dropFrom = (group: string, name: string): Promise<void> =>
    directory.write(async (client) => {
      const { Attribute, Change } = await import('ldapts');
      const modification = new Attribute({ type: 'member', values: [personDn(name)] });
      await client.modify(groupDn(group), new Change({ operation: 'delete', modification }));
    });

  it('changes nothing while everybody is there', async () => {
    const users = server().services.reader.version('users.iam.svc.app');
    expect(await synchronize()).to.deep.equal({
      people: staff.length,
      disabled: [],
      enabled: [],
      kept: [],
      failed: [],
      problems: [],
    });
    expect(server().services.reader.version('users.iam.svc.app')).to.equal(users);
  });

  // Promise: security ldap
  it('disables who has left, with the sessions, and enables who comes back, by sign-in and without', async () => {
    expect(sessionsOf('ann').length).to.be.greaterThan(0);
    expect((await whoami('ann')).status).to.equal(200);
    await directory.remove(personDn('ann'));
    await dropFrom('staff', 'bob');
    expect((await synchronize()).disabled).to.have.members(['ann', 'bob']);
    expect([isDisabled('ann'), isDisabled('bob'), isDisabled('cat')]).to.deep.equal([true, true, false]);
    expect([...sessionsOf('ann'), ...sessionsOf('bob')]).to.deep.equal([]);
    expect([(await whoami('ann')).status, (await whoami('bob')).status]).to.deep.equal([401, 403]);
    expect((await synchronize()).disabled).to.deep.equal([]);
    await directory.group('staff', ['bob']);
    const report = await synchronize();
    expect([report.enabled, isDisabled('bob')]).to.deep.equal([['bob'], false]);
    await dropFrom('staff', 'cat');
    expect((await synchronize()).disabled).to.deep.equal(['cat']);
    await directory.group('staff', ['cat']);
    server().advance(3_600_000);
    expect((await login('cat')).status).to.equal(200);
    expect(isDisabled('cat')).to.equal(false);
    // Another person with the name of one who has left is somebody else.
    await directory.person('ann', ['staff']);
    server().advance(3_600_000);
    expect((await login('ann')).json['messageId']).to.equal('sign-on.taken');
    await server().services.objects('iam/users').delete(uidOf('ann'));
  });

  it('leaves those disabled whom an administrator has disabled', async () => {
    await server().patch('iam/users', uidOf('dan'), { disabled: true });
    expect((await synchronize()).enabled).to.deep.equal([]);
    expect([isDisabled('dan'), (await login('dan')).status]).to.deep.equal([true, 403]);
    await server().patch('iam/users', uidOf('dan'), { disabled: false });
  });

  // Promise: security ldap
  it('leaves those disabled whom it disabled first, and an administrator later', async () => {
    await dropFrom('staff', 'dan');
    expect((await synchronize()).disabled).to.deep.equal(['dan']);
    await directory.group('staff', ['dan']);
    for (const disabled of [false, true]) await server().patch('iam/users', uidOf('dan'), { disabled });
    server().advance(3_600_000);
    expect((await synchronize()).enabled).to.deep.equal([]);
    expect([(await login('dan')).status, isDisabled('dan')]).to.deep.equal([403, true]);
    await server().patch('iam/users', uidOf('dan'), { disabled: false });
  });

  it('gives people the roles and the names that they have now', async () => {
    await directory.group('ops', ['eva']);
    await directory.write((client) => client.modifyDN(personDn('eva'), `uid=eve,${PEOPLE}`));
    expect((await synchronize()).problems).to.deep.equal([]);
    expect([userOf('eva'), rolesOf('eve')]).to.deep.equal([undefined, 'default Viewer']);
    await directory.write((client) => client.modifyDN(`uid=eve,${PEOPLE}`, 'uid=eva'));
    await synchronize();
    expect(userOf('eva')).to.not.equal(undefined);
  });

  // Promise: security ldap
  it('disables nobody while a directory is away, refuses the account, or has no such base', async () => {
    await dropFrom('staff', 'fay');
    const wrong: readonly (readonly [object, string])[] = [
      [{ port: 1, timeout: 1 }, '127.0.0.1: '],
      [{ bind_password: 'wrong' }, 'bind_dn or bind_password is wrong'],
      [{ search_base_dns: ['ou=gone,dc=example,dc=com'] }, 'there is no search base'],
    ];
    for (const [change, expected] of wrong) {
      await set({ activeSyncEnabled: false }, { ...directory.server, group_mappings: mappings, ...change });
      const report = await synchronize();
      expect(report.problems.join(), expected).to.contain(expected);
      expect(report.disabled, expected).to.deep.equal([]);
    }
    await directory.stop();
    await set({ activeSyncEnabled: false }, { ...directory.server, group_mappings: mappings });
    expect((await synchronize()).disabled).to.deep.equal([]);
    await directory.start();
    await directory.group('staff', ['fay']);
    expect((await synchronize()).problems).to.deep.equal([]);
  });

  it('disables nobody if more than half of the people are missing at once', async () => {
    const none = { ...directory.server, group_mappings: [{ group_dn: groupDn('nobody'), org_role: 'Viewer' }] };
    await set({ activeSyncEnabled: false }, none);
    const report = await synchronize();
    expect(report.disabled).to.deep.equal([]);
    expect(report.kept).to.include.members(['bob', 'cat']);
    expect(report.problems.join()).to.contain('which is more than half');
  });

  it('keeps the last administrator of the server', async () => {
    await directory.person('root', ['staff']);
    expect((await login('root')).status).to.equal(200);
    await server().patch('iam/users', uidOf('root'), { grafanaAdmin: true });
    for (const { metadata } of [
      ...server().services.objects('iam/users').range({ index: 'byAdministrator', prefix: [] }),
    ])
      if (metadata.name !== uidOf('root')) await server().patch('iam/users', metadata.name, { grafanaAdmin: false });
    await dropFrom('staff', 'root');
    expect(await synchronize()).to.deep.include({ disabled: [], kept: ['root'] });
    expect(passwordOf('root')).to.not.equal('');
  });
});

describe('the schedule of the synchronization, with two servers on one database (mongodb)', () => {
  let directory: TestDirectory;
  const servers: AuthnServer[] = [];
  before(async function () {
    this.timeout(120_000);
    if (!STORES.includes('mongodb')) this.skip();
    directory = await openDirectory(this);
    const uri = await sharedMongodb(this);
    const database = freshDatabase();
    // The servers know the schedule before its time comes, which only the test lets come.
    const known = [...argv, '--auth.ldap.enabled=true', '--auth.ldap.sync_cron=*/5 * * * *'];
    for (let number = 0; number < 2; number++)
      servers.push(
        await openAuthnServer(await openMongodb({ uri, database, domain: 'svc.app' }), {
          argv: known,
          isClockStopped: true,
        }),
      );
  });
  after(async () => {
    for (const server of servers) await server.close();
    await directory?.close();
  });

  it('runs on the elected one, and ends a session on the other', async () => {
    const [first, second] = servers as [AuthnServer, AuthnServer];
    const { set, login, whoami, sessionsOf } = ldapCalls(() => second);
    await directory.person('ann');
    await directory.person('bob');
    await set({ syncCron: '*/5 * * * *' }, directory.server);
    for (const name of ['ann', 'bob']) expect((await login(name)).status).to.equal(200);
    await until(() => servers.some(({ api }) => api.isElected()));
    await directory.remove(personDn('ann'));
    for (const server of servers) server.advance(5 * 60_000);
    await until(() => first.syncs.length + second.syncs.length > 0);
    const elected = servers.find(({ api }) => api.isElected());
    expect(elected?.syncs).to.deep.equal([
      { people: 1, disabled: ['ann'], enabled: [], kept: [], failed: [], problems: [] },
    ]);
    expect(servers.find((server) => server !== elected)?.syncs).to.deep.equal([]);
    expect((await whoami('ann')).status).to.equal(401);
    expect(sessionsOf('ann')).to.deep.equal([]);
    expect((await whoami('bob')).status).to.equal(200);
  });
});
