import { expect } from 'chai';
import { Attribute, Change } from 'ldapts';
import { ldapServer } from '../../pkg/identity/ldap/config.js';
import { groupsOf } from '../../pkg/identity/ldap/directory.js';
import type { SignOnFailure } from '../../pkg/identity/signon/failure.js';
import type { Backend } from '../../storage/backend.js';
import { type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { onOneStore } from '../harness/stores.js';
import { GROUPS, groupDn, ldapCalls, openDirectory, personDn, type TestDirectory } from './ldap-world.js';

const open = (backend: Backend): Promise<AuthnServer> =>
  openAuthnServer(backend, { argv: ['--auth.provider_networks=127.0.0.0/8'] });

onOneStore('the groups of a directory', open, (server) => {
  const { set, login, userOf, rolesOf, teamsOf } = ldapCalls(server);
  let directory: TestDirectory;
  before(async function () {
    this.timeout(120_000);
    directory = await openDirectory(this);
    await server().create('iam/organizations', 'second', { title: 'Second' });
    await server().create('iam/teams', 'ops', { title: 'Ops', groups: [groupDn('ops')] }, 'default');
    await server().create('iam/teams', 'dev', { title: 'Dev', groups: [groupDn('dev')] }, 'default');
    await directory.person('ann', ['ops', 'dev']);
    await directory.person('bob', ['dev']);
    await directory.person('eve');
    await directory.group('all', ['group:ops']);
  });
  after(() => directory?.close());

  const admin = (login_: string): boolean =>
    (userOf(login_)?.spec as { readonly grafanaAdmin?: boolean } | undefined)?.grafanaAdmin === true;
  const signsIn = async (name: string): Promise<void> => {
    const answer = await login(name);
    expect(answer.status, answer.text).to.equal(200);
  };
  const numberOf = async (name: string): Promise<number> => {
    const { metadata } = server().services.objects('iam/organizations').find(name) ?? { metadata: { labels: {} } };
    return Number(Object.entries(metadata.labels ?? {}).find(([key]) => key.endsWith('/internalId'))?.[1] ?? 2);
  };

  it('by memberOf give roles, organizations, teams and the administration of the server, whatever the case', async () => {
    const second = await numberOf('second');
    const mappings = [
      { group_dn: groupDn('ops').toUpperCase(), org_role: 'Admin', grafana_admin: true },
      { group_dn: groupDn('dev').replace(/,/g, ' , '), org_role: 'Editor' },
      { group_dn: groupDn('dev'), org_role: 'Viewer', org_id: second },
    ];
    await set({}, { ...directory.server, group_mappings: mappings });
    await signsIn('ann');
    await signsIn('bob');
    expect([rolesOf('ann'), rolesOf('bob')]).to.deep.equal([
      'default Admin, second Viewer',
      'default Editor, second Viewer',
    ]);
    expect([admin('ann'), admin('bob')]).to.deep.equal([true, false]);
    expect([teamsOf('ann'), teamsOf('bob')]).to.deep.equal([['dev', 'ops'], ['dev']]);
  });

  // Promise: security ldap
  it('are the same however their characters are escaped, and no others', async () => {
    await directory.write(async (client) => {
      const member = personDn('eve');
      await client.add(`cn=Ops\\, E\u00dc #1,${GROUPS}`, {
        objectClass: 'groupOfNames',
        cn: 'Ops, E\u00dc #1',
        member,
      });
    });
    const same = ['cn=ops\\, e\u00fc #1', 'CN = OPS\\2C EU\u0308 #1', 'cn=Ops\\2c\\20e\\C3\\BC \\#1'];
    const others = ['cn=ops, e\u00fc #1', 'cn=ops\\\\, e\u00fc #1', 'cn=ops\\2C eu #1', 'cn=ops\\, e\u00fc #1\\ '];
    for (const [names, status] of [
      [same, 200],
      [others, 403],
    ] as const) {
      for (const name of names) {
        await set({}, { ...directory.server, group_mappings: [{ group_dn: `${name},${GROUPS}`, org_role: 'Viewer' }] });
        server().advance(3_600_000);
        expect((await login('eve')).status, name).to.equal(status);
      }
    }
  });

  it('may be very many', async () => {
    await directory.person('many');
    await directory.write(async (client) => {
      const values = Array.from({ length: 10_000 }, (_, number) => groupDn(`g${number}`));
      const modification = new Attribute({ type: 'description', values });
      await client.modify(personDn('many'), new Change({ operation: 'add', modification }));
    });
    const attributes = { ...(directory.server['attributes'] as object), member_of: 'description' };
    const group_mappings = [{ group_dn: groupDn('g9999'), org_role: 'Editor' }];
    await set({}, { ...directory.server, attributes, group_mappings });
    await signsIn('many');
    expect(rolesOf('many')).to.equal('default Editor');
  });

  it('let nobody else sign in, if there are mappings, and everybody with a mapping for *', async () => {
    const mapping = { group_dn: groupDn('ops'), org_role: 'Admin' };
    await set({}, { ...directory.server, group_mappings: [mapping] });
    const answer = await login('eve');
    expect([answer.status, answer.json['messageId']]).to.deep.equal([403, 'sign-on.no-role']);
    await set({}, { ...directory.server, group_mappings: [mapping, { group_dn: '*', org_role: 'None' }] });
    await signsIn('eve');
    expect(rolesOf('eve')).to.equal('default None');
  });

  it('take a role away at the next sign-in', async () => {
    const mappings = [
      { group_dn: groupDn('dev'), org_role: 'Editor' },
      { group_dn: groupDn('ops'), org_role: 'Viewer', grafana_admin: true },
    ];
    await set({}, { ...directory.server, group_mappings: mappings });
    await signsIn('ann');
    expect([rolesOf('ann'), admin('ann')]).to.deep.equal(['default Editor', true]);
    await set({}, { ...directory.server, group_mappings: [mappings[0], { ...mappings[1], grafana_admin: false }] });
    await signsIn('ann');
    expect(admin('ann')).to.equal(false);
  });

  it('may be found by a search, also nested ones', async () => {
    // OpenLDAP has no rule for chains of groups, so the search names the group that contains the group.
    const search = {
      group_search_filter: '(&(objectClass=groupOfNames)(|(member=%s)(cn=all)))',
      group_search_filter_user_attribute: 'dn',
      group_search_base_dns: [GROUPS],
    };
    const mappings = [{ group_dn: groupDn('all'), org_role: 'Admin' }];
    await set({}, { ...directory.server, ...search, group_mappings: mappings });
    await signsIn('bob');
    expect([rolesOf('bob'), teamsOf('bob')]).to.deep.equal(['default Admin', ['dev']]);
    const byName = { ...search, group_search_filter: '(member=uid=%s,ou=people,dc=example,dc=com)' };
    const attributes = { ...(directory.server['attributes'] as object), member_of: 'cn' };
    const named = { ...directory.server, ...byName, group_search_filter_user_attribute: '', attributes };
    await set({}, { ...named, group_mappings: [{ group_dn: 'dev', org_role: 'Viewer' }] });
    await signsIn('bob');
    expect(rolesOf('bob')).to.equal('default Viewer');
  });

  it('decide nothing if roles are not synchronized', async () => {
    const before = rolesOf('bob');
    await set(
      { skipOrgRoleSync: true },
      { ...directory.server, group_mappings: [{ group_dn: groupDn('ops'), org_role: 'Admin' }] },
    );
    await signsIn('bob');
    expect(rolesOf('bob')).to.equal(before);
  });
});

describe('the groups of a person in Active Directory', () => {
  // Promise: security ldap
  it('are not taken for none, if the answer has only the first of them', async () => {
    const server = ldapServer({ host: 'ad' });
    const entry = { dn: 'cn=ann', memberOf: [], 'memberOf;range=0-1499': ['cn=ops'] };
    const connection = { bind: async () => true, search: async () => [] };
    const failure = await groupsOf(connection, server, entry).catch((error: SignOnFailure) => error);
    expect(failure).to.include({ code: 'settings' });
  });
});
