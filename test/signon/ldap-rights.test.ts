import { expect } from 'chai';
import { type SyncReport, syncLdap } from '../../apis/authentication/ldap/sync.js';
import { type SignOnAccounts, signOnAccounts } from '../../apis/authentication/signon/accounts.js';
import { ldapProviders } from '../../apis/iam/ssosetting/directories.js';
import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import type { Backend } from '../../storage/backend.js';
import { AS_ADMIN, type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { ENVIRONMENT } from '../harness/server.js';
import { onEachStore } from '../harness/stores.js';
import { groupDn, ldapCalls, openDirectory, personDn, READER, type TestDirectory } from './ldap-world.js';

const open = (backend: Backend): Promise<AuthnServer> =>
  openAuthnServer(backend, { argv: ['--auth.provider_networks=127.0.0.0/8'] });

/** The account that searches may read these attributes only while it is in the group with this name. */
const only = (group: string, attributes: string, filter = ''): string =>
  `access to ${filter}attrs=${attributes} by group/groupOfNames/member="${groupDn(group)}" read by dn.exact="${READER.bind_dn}" none by * break`;

onEachStore('a directory that takes rights away from the account that searches', open, (server) => {
  const { set, login, userOf, uidOf } = ldapCalls(server);
  let directory: TestDirectory;
  const staff = ['ann', 'bob', 'cat', 'dan', 'eva', 'fay', 'gil'];
  const group_mappings = [{ group_dn: groupDn('staff'), org_role: 'Viewer' }];
  before(async function () {
    this.timeout(120_000);
    directory = await openDirectory(this, [
      only('identities', 'entryUUID', 'filter="(employeeType=guest)" '),
      only('groups', 'memberOf'),
      only('logins', 'uid'),
    ]);
    for (const name of ['identities', 'groups', 'logins']) await allow(name, true);
    for (const name of staff) await directory.person(name, ['staff'], name < 'c' ? { employeeType: 'guest' } : {});
    await set({ activeSyncEnabled: false }, { ...directory.server, group_mappings });
    for (const name of staff) expect((await login(name)).status, name).to.equal(200);
  });
  after(() => directory?.close());

  const allow = (name: string, isAllowed: boolean): Promise<void> =>
    directory.write(async (client) => {
      const member = [READER.bind_dn];
      if (isAllowed) await client.add(groupDn(name), { objectClass: 'groupOfNames', cn: name, member });
      else await client.del(groupDn(name));
    });
  /** Synchronizes while a right is missing, and gives it back. */
  const without = async (name: string): Promise<SyncReport> => {
    await allow(name, false);
    try {
      return await synchronize();
    } finally {
      await allow(name, true);
    }
  };
  const synchronize = (change: (accounts: SignOnAccounts) => SignOnAccounts = (same) => same): Promise<SyncReport> => {
    const { services } = server();
    const accounts = change(signOnAccounts({ services, findsByEmail: false, warn: () => undefined }));
    const signOn = { ...ENVIRONMENT.signOn, networks: ['127.0.0.0/8'], secretKey: () => 'the secret key of the tests' };
    const provider = ldapProviders(signOnProviders(services.reader, { ...ENVIRONMENT, signOn }))();
    if (provider === undefined) throw new Error('LDAP is off');
    return syncLdap({ services, accounts }, provider, new AbortController().signal);
  };
  const disabled = () =>
    staff.filter((name) => (userOf(name)?.spec as { readonly disabled?: boolean } | undefined)?.disabled === true);

  // Promise: security ldap
  it('disables nobody whose entry is there without anything that identifies it, and says what is missing', async () => {
    await directory.remove(personDn('gil'));
    const report = await without('identities');
    expect([report.disabled, disabled(), report.people]).to.deep.equal([[], [], 4]);
    expect(report.problems).to.deep.equal([
      'entryUUID or what else identifies people cannot be read (ann, bob): give bind_dn the right to read it',
    ]);
    expect((await synchronize()).disabled).to.deep.equal(['gil']);
  });

  // Promise: security ldap
  it('is told by the test of the connection that somebody could be taken for another person', async () => {
    const test = async (): Promise<string> =>
      (await server().ask('/api/v1/sso-settings/ldap/test', { method: 'POST', headers: AS_ADMIN })).text;
    expect(await test()).to.not.contain('cannot read entryUUID');
    await allow('identities', false);
    expect(await test()).to.contain('bind_dn cannot read entryUUID or the like of all');
    await allow('identities', true);
  });

  // Promise: security ldap
  it('disables nobody while it shows no groups of anybody, or nobody at all', async () => {
    const ungrouped = await without('groups');
    expect([ungrouped.disabled, disabled(), ungrouped.problems]).to.deep.equal([[], ['gil'], []]);
    expect(ungrouped.failed)
      .to.have.length(6)
      .and.include('ann: no group of anybody is found, so bind_dn may have lost the right to read groups');
    const unseen = await without('logins');
    expect([unseen.disabled, unseen.kept, disabled()]).to.deep.equal([[], [], ['gil']]);
    expect(unseen.problems.join()).to.match(/^search_filter finds nobody/);
    expect(await synchronize()).to.deep.include({ people: 6, disabled: [], failed: [], problems: [] });
  });

  // Promise: security ldap
  it('goes on with the others if one person fails, and says of how many that is true and why', async () => {
    await directory.write((client) => client.modifyDN(personDn('cat'), 'uid=cleo'));
    const report = await synchronize((accounts) => ({
      signIn: (signOn) =>
        signOn.person.login === 'bob' ? Promise.reject(new TypeError('a fault')) : accounts.signIn(signOn),
    }));
    expect(report).to.deep.include({ people: 6, failed: ['bob: the log of the server has the reason'], problems: [] });
    expect([userOf('cat'), uidOf('cleo') === '']).to.deep.equal([undefined, false]);
  });

  it('stops if everybody fails', async () => {
    for (const name of Array.from({ length: 12 }, (_, number) => `p${number}`)) {
      await directory.person(name, ['staff']);
      expect((await login(name)).status).to.equal(200);
    }
    const all = synchronize(() => ({ signIn: () => Promise.reject(new Error('the store is away')) }));
    expect(await all.catch(({ message }: Error) => message)).to.equal('the store is away');
  });
});
