import { expect } from 'chai';
import { usedSignOns } from '../../apis/authentication/signon/used.js';
import type { OrganizationBindingSpec } from '../../apis/iam/organizationbinding/schema.js';
import type { TeamBindingSpec } from '../../apis/iam/teambinding/schema.js';
import type { UserSpec } from '../../apis/iam/user/schema.js';
import { AS_ADMIN, basic } from '../authn/harness.js';
import { failedWith } from './fake-provider.js';
import type { PersonClaims } from './openid-provider.js';
import { eachWorld, oneWorld, type SignedIn } from './world.js';

const ROLE = "role || contains(groups || `[]`, 'ops') && 'Editor' || ''";
const person = (name: string, more: PersonClaims = {}): PersonClaims => ({
  preferred_username: name,
  email: `${name}@example.com`,
  email_verified: true,
  ...more,
});

eachWorld(
  'the account of somebody who signs in by a provider',
  (world) => {
    const reader = () => world().server.services.reader;
    const uidOf = ({ caller }: SignedIn): string => String(caller?.['uid']);
    const user = (uid: string) => reader().get<UserSpec>('users.iam.svc.app', '', uid)?.spec;
    const roles = (uid: string) =>
      Object.fromEntries(
        reader()
          .range<OrganizationBindingSpec>('organizationbindings.iam.svc.app', 'byUser', [uid])
          .map(({ metadata, spec }) => [metadata.namespace, spec?.role]),
      );

    // Promise: security browsers
    it('has the role of the mapping, after each sign-in', async () => {
      const first = await world().signInAs('eve', person('eve', { groups: ['ops'] }));
      expect(roles(uidOf(first))).to.deep.equal({ default: 'Editor' });
      const then = await world().signInAs('eve', person('eve', { role: 'Admin' }));
      expect(roles(uidOf(then))).to.deep.equal({ default: 'Admin' });
      const last = await world().signInAs('eve', person('eve', { groups: [] }));
      expect(roles(uidOf(last))).to.deep.equal({ default: 'Viewer' });
    });

    it('administers the server as long as the provider says so', async () => {
      const up = await world().signInAs('gus', person('gus', { role: 'GrafanaAdmin' }));
      expect(up.caller?.['groups']).to.include('system:masters');
      const down = await world().signInAs('gus', person('gus', { role: 'Editor' }));
      expect(uidOf(down)).to.equal(uidOf(up));
      expect(user(uidOf(down))?.grafanaAdmin).to.equal(false);
      expect(roles(uidOf(down))).to.deep.equal({ default: 'Editor' });
    });

    // Promise: specification 4.11, security browsers
    it('is a member of the teams that have one of its groups, and of those to which somebody added it', async () => {
      const { services } = world().server;
      const team = (name: string, spec: object) =>
        services.objects('iam/teams', 'default').create({ metadata: { name }, spec: { title: name, ...spec } });
      await team('ops', { groups: ['ops', 'sre'] });
      await team('dev', { groups: ['dev'] });
      await team('choir', {});
      await team('scim', { provisioned: true });
      const first = await world().signInAs('tea', person('tea', { groups: ['sre', 'other'] }));
      const uid = uidOf(first);
      const teams = () =>
        reader()
          .range<TeamBindingSpec>('teambindings.iam.svc.app', 'byUser', [uid])
          .map(({ spec }) => `${spec?.teamRef.name} ${spec?.permission} ${spec?.external ?? false}`)
          .sort();
      expect(teams()).to.deep.equal(['ops member true']);
      const join = (name: string, external: boolean) =>
        services.objects('iam/teambindings', 'default').create({
          metadata: { name: `${name}.${uid}` },
          spec: { teamRef: { name }, userRef: { name: uid }, permission: 'admin', ...(external && { external }) },
        });
      await join('choir', false);
      await join('scim', true);
      const byHand = ['choir admin false', 'scim admin true'];
      await world().signInAs('tea', person('tea', { groups: ['dev'] }));
      expect(teams()).to.deep.equal([...byHand, 'dev member true'].sort());
      await world().signInAs('tea', person('tea', { groups: [] }));
      expect(teams()).to.deep.equal(byHand);
    });

    it('joins no team of an organization to which it does not belong', async () => {
      const { services } = world().server;
      await services.objects('iam/organizations').create({ metadata: { name: 'far' }, spec: { title: 'Far' } });
      await services
        .objects('iam/teams', 'far')
        .create({ metadata: { name: 'far' }, spec: { title: 'Far', groups: ['far'] } });
      const { caller } = await world().signInAs('fay', person('fay', { groups: ['far'] }));
      expect(reader().range('teambindings.iam.svc.app', 'byUser', [String(caller?.['uid'])])).to.deep.equal([]);
    });

    it('is refused if it is disabled, and made again by nobody', async () => {
      const before = await world().signInAs('dan', person('dan'));
      await world().server.patch('iam/users', uidOf(before), { disabled: true });
      const after = await world().signInAs('dan', person('dan'));
      expect([failedWith(after.page), after.caller]).to.deep.equal(['not_allowed', undefined]);
    });

    it('is another one than that of a user with the same login or e-mail address', async () => {
      await world().server.user('local', { email: 'local@example.com', grafanaAdmin: true });
      for (const claims of [
        person('local'),
        person('else', { email: 'local@example.com' }),
        person('local@example.com'),
      ]) {
        const { page, caller } = await world().signInAs(`stranger ${JSON.stringify(claims)}`, claims);
        expect([failedWith(page), caller]).to.deep.equal(['taken', undefined]);
      }
      const reserved = await world().signInAs('reserved', person('system:admin'));
      expect([failedWith(reserved.page), reserved.caller]).to.deep.equal(['taken', undefined]);
    });

    it('keeps its login and address if the provider gives those of another user', async () => {
      const before = await world().signInAs('tom', person('tom'));
      await world().server.user('owner', { email: 'owner@example.com' });
      const after = await world().signInAs('tom', person('owner', { name: 'Tom' }));
      expect(uidOf(after)).to.equal(uidOf(before));
      expect(user(uidOf(after))).to.include({ login: 'tom', email: 'tom@example.com', name: 'Tom' });
    });

    it('is shown as external, with its provider, and cannot get a password', async () => {
      const { browser, caller } = await world().signInAs('ext', person('ext', { role: 'Admin' }));
      const shown = JSON.parse((await browser.visit(`${world().url}/api/user`)).text);
      expect(shown).to.deep.include({ isExternal: true, isExternallySynced: true, authLabels: ['Generic OAuth'] });
      expect(shown.isGrafanaAdminExternallySynced).to.equal(true);
      const body = { oldPassword: 'x', newPassword: 'long enough 1' };
      const answer = await world().server.ask('/api/user/password', {
        method: 'PUT',
        body,
        headers: {
          cookie: [...browser.cookies(world().url)].map((pair) => pair.join('=')).join('; '),
          origin: world().url,
        },
      });
      expect([answer.status, answer.json['message']]).to.deep.equal([400, 'Cannot update external user password']);
      const list = await world().server.ask('/api/users/search?query=ext%40', { headers: AS_ADMIN });
      expect((list.json['users'] as Record<string, unknown>[])[0]).to.deep.include({ authLabels: ['Generic OAuth'] });
      await world().server.user('root', { grafanaAdmin: true }, 'right');
      const change = await world().server.ask(`/api/users/${caller?.['uid']}`, {
        method: 'PUT',
        body: { login: 'other', email: 'other@example.com' },
        headers: basic('root', 'right'),
      });
      expect([change.status, change.json['message']]).to.deep.equal([
        403,
        'User info cannot be updated for external Users',
      ]);
    });

    it('ends with its user, and the next sign-in makes a new one', async () => {
      const before = await world().signInAs('gone', person('gone'));
      const answer = await world().server.ask(`/apis/iam.svc.app/v1beta1/users/${uidOf(before)}`, {
        method: 'DELETE',
        headers: AS_ADMIN,
      });
      expect(answer.status).to.equal(200);
      const after = await world().signInAs('gone', person('gone'));
      expect(uidOf(after)).to.not.equal(uidOf(before));
      expect(after.caller).to.include({ name: 'gone' });
    });

    it('leaves behind no states of sign-ins that have ended', async () => {
      const left = () => reader().range('usedsignons.internal.svc.app', 'byEnd', [], 100).length;
      world().server.advance(600_000);
      const before = left();
      expect(before).to.be.above(2);
      await world().signInAs('eve', person('eve'));
      expect(left()).to.equal(before - 1);
      for (let i = 0; i < before; i++) await world().signInAs('eve', person('eve'));
      expect(left()).to.equal(before + 1);
      world().server.advance(600_000);
      await usedSignOns(world().server.services).sweep();
      expect(left()).to.equal(0);
    });

    it('is one, however many browsers sign in at once for the first time', async () => {
      world().provider.people.set('many', person('many'));
      const all = await Promise.all(Array.from({ length: 5 }, () => world().signInAs('many', person('many'))));
      expect(new Set(all.map(uidOf)).size).to.equal(1);
    });
  },
  { providers: { generic_oauth: { role_attribute_path: ROLE, allow_assign_grafana_admin: 'true' } } },
);

oneWorld(
  'the last administrator who signs in by a provider',
  (world) => {
    it('stays administrator of the server and of the organization, whatever the provider says', async () => {
      const admin = await world().signInAs('boss', person('boss', { role: 'GrafanaAdmin' }));
      expect(admin.caller?.['groups'], `${admin.page.location} ${world().server.warnings}`).to.include(
        'system:masters',
      );
      const { services } = world().server;
      await services
        .objects<UserSpec>('iam/users')
        .update('admin', (old) => ({ ...old, spec: { ...(old.spec as UserSpec), disabled: true } }));
      await services.objects('iam/organizationbindings', 'default').delete('admin');
      const again = await world().signInAs('boss', person('boss', { role: 'Viewer' }));
      expect(again.caller?.['groups']).to.include('system:masters');
      expect(again.caller?.['uid']).to.equal(admin.caller?.['uid']);
      const binding = services.reader.get('organizationbindings.iam.svc.app', 'default', String(admin.caller?.['uid']));
      expect(binding?.spec).to.include({ role: 'Admin' });
      expect(world().server.warnings.join('\n')).to.contain('kept the administration of the server');
    });
  },
  { providers: { generic_oauth: { role_attribute_path: ROLE, allow_assign_grafana_admin: 'true' } } },
);

oneWorld(
  'organizations by groups of the provider',
  (world) => {
    const roles = ({ caller }: SignedIn) =>
      Object.fromEntries(
        world()
          .server.services.reader.range<OrganizationBindingSpec>('organizationbindings.iam.svc.app', 'byUser', [
            String(caller?.['uid']),
          ])
          .map(({ metadata, spec }) => [metadata.namespace, spec?.role]),
      );

    before(async () => {
      await world().server.create('iam/organizations', 'north', { title: 'North Side' });
      await world().server.create('iam/organizations', 'south', { title: 'South' });
    });

    it('are those of the mapping, by title, number or name, and no others', async () => {
      const both = await world().signInAs('map', person('map', { orgs: ['n', 's'] }));
      expect(roles(both)).to.deep.equal({ north: 'Editor', south: 'Editor', default: 'Viewer' });
      const one = await world().signInAs('map', person('map', { orgs: ['n'] }));
      expect(roles(one)).to.deep.equal({ north: 'Editor' });
      const none = await world().signInAs('map', person('map', { orgs: [] }));
      expect(roles(none)).to.deep.equal({ default: 'Viewer' });
    });
  },
  {
    providers: {
      generic_oauth: {
        org_attribute_path: 'orgs',
        org_mapping: 'n:North Side:Editor,s:south:Editor,s:1:Viewer,s:Nowhere:Admin',
      },
    },
  },
);

oneWorld(
  'sign-ups',
  (world) => {
    it('are refused without allow_sign_up, for domains that are not allowed, and for addresses that are not verified', async () => {
      const sign = async (name: string, claims: PersonClaims, provider: string) =>
        failedWith((await world().signInAs(name, claims, { provider })).page);
      expect(await sign('a', person('a'), 'okta')).to.equal('no_account');
      expect(await sign('b', person('b'), 'generic_oauth')).to.equal('not_allowed');
      const claims = { preferred_username: 'c', email: 'c@corp.example' };
      expect(await sign('c', { ...claims, email_verified: false }, 'generic_oauth')).to.equal('not_allowed');
      expect(await sign('c', { ...claims, email: 'c@corp.example.evil' }, 'generic_oauth')).to.equal('not_allowed');
      expect(await sign('c', { ...claims, email_verified: true }, 'generic_oauth')).to.equal(null);
      expect(await sign('d', person('d', { groups: ['others'] }), 'google')).to.equal('not_allowed');
      const logged = world().server.failedSignIns.map(({ by, login, why }) => [by, login, why]);
      expect(logged).to.deep.equal([
        ['okta', 'a', 'there is no user, and allow_sign_up is off'],
        ['generic_oauth', undefined, 'the e-mail address is not of an allowed domain, or is not verified'],
        ['google', undefined, 'the account is in no allowed group'],
      ]);
      expect(await sign('d', person('d', { groups: ['staff'] }), 'google')).to.equal(null);
    });
  },
  {
    providers: {
      okta: { allow_sign_up: 'false' },
      generic_oauth: { allowed_domains: 'corp.example, other.example' },
      google: { allowed_groups: 'staff' },
    },
  },
);

oneWorld(
  'accounts with the e-mail address of somebody who signs in',
  (world) => {
    it('are used if the setting allows it and the address is verified', async () => {
      await world().server.user('mary', { email: 'Mary@example.com' });
      const unverified = await world().signInAs('m', person('m', { email: 'mary@example.com', email_verified: false }));
      expect(failedWith(unverified.page)).to.equal('taken');
      const verified = await world().signInAs('m', person('m', { email: 'mary@example.com' }));
      expect(verified.caller?.['uid']).to.equal('mary');
      const later = await world().signInAs('m', person('m', { email: 'new@example.com' }));
      expect(later.caller?.['uid']).to.equal('mary');
    });
  },
  { argv: ['--auth.oauth_allow_insecure_email_lookup=true'] },
);
