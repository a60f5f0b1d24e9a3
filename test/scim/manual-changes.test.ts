import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh } from '../legacy-api/legacy.js';
import { PATCH, scimOf } from './scim.js';

const KEPT = 'is kept by a provisioning system';

for (const manualChanges of ['allow', 'warn', 'refuse'] as const) {
  oneStore(
    `changes by hand of what SCIM keeps, with the setting ${manualChanges}`,
    (server) => {
      const { ask, makeGroup, makeUser } = scimOf(server);
      const resources = iam(server);
      type Answer = Awaited<ReturnType<typeof resources.get>>;

      const expected = ({ status, headers, text }: Answer, what: string): void => {
        const warnings = String(headers['warning'] ?? '');
        if (manualChanges === 'refuse') {
          expect([status, text.includes(KEPT)], `${what}: ${text}`).to.deep.equal([403, true]);
        } else {
          expect([status, warnings.includes(KEPT)], `${what}: ${text}`).to.deep.equal([200, manualChanges === 'warn']);
        }
      };

      it('are those of a profile, a membership, a team and its members, in both APIs', async () => {
        const user = await makeUser({ externalId: 'x' });
        const { id } = await makeGroup({ members: [{ value: user.id }] });
        expected(await resources.merge('User', user.id, { spec: { name: 'By hand' } }), 'profile');
        expected(await resources.merge('User', user.id, { spec: { disabled: true } }), 'disabled');
        expected(await resources.merge('OrganizationBinding', user.id, { spec: { externalUID: 'y' } }), 'externalUID');
        expected(await resources.merge('Team', id, { spec: { title: fresh('By hand') } }), 'title');
        const legacy = (await server().call('GET', `/api/teams/${id}`)).json() as unknown as { readonly id: number };
        expected(await server().call('PUT', `/api/teams/${legacy.id}`, { body: { name: fresh('Legacy') } }), 'legacy');
        expected(await resources.remove('TeamBinding', `${id}.${user.id}`), 'member');
        expected(await resources.remove('Team', id), 'team');
        expected(await resources.remove('OrganizationBinding', user.id), 'membership');
      });

      it('are not refused to server administrators who release people and teams', async () => {
        const { id } = await makeUser();
        const { id: team } = await makeGroup();
        for (const answer of [
          await resources.merge('OrganizationBinding', id, { spec: { provisioned: null } }),
          await resources.merge('Team', team, { spec: { provisioned: null } }),
        ]) {
          expect(answer.status, answer.text).to.equal(200);
          expect(String(answer.headers['warning'])).to.include('is no longer kept');
        }
        expect(bodyOf(await resources.get('User', id), 200).spec).to.not.have.any.keys('provisioned', 'provisionedBy');
        for (const answer of [
          await resources.merge('User', id, { spec: { name: 'By hand' } }),
          await resources.merge('Team', team, { spec: { title: fresh('By hand') } }),
        ])
          expect([answer.status, answer.headers['warning']], answer.text).to.deep.equal([200, undefined]);
      });

      it('are not those of other fields, of what people made, nor those by SCIM itself', async () => {
        const user = await makeUser();
        const { id } = await makeGroup();
        const silent = ({ status, headers, text }: Answer): void => {
          expect([status, String(headers['warning'] ?? '').includes(KEPT)], text).to.deep.equal([200, false]);
        };
        silent(await resources.merge('User', user.id, { spec: { activeOrganization: 'default' } }));
        silent(await resources.merge('OrganizationBinding', user.id, { spec: { role: 'Editor' } }));
        silent(await resources.merge('Team', id, { spec: { email: 'team@example.com' } }));
        const name = fresh('hand');
        await resources.made('User', name, { login: name, email: `${name}@example.com` });
        silent(await resources.merge('User', name, { spec: { name: 'Other' } }));
        silent(await resources.remove('User', name));
        await ask(204, 'DELETE', `/Groups/${id}`);
        await ask(204, 'DELETE', `/Users/${user.id}`);
      });
    },
    { scim: { manualChanges } },
  );
}

oneStore(
  'roles by groups of SCIM',
  (server) => {
    const { ask, makeGroup, makeUser } = scimOf(server);
    const { get, made } = iam(server);
    const roleOf = async (id: string) => bodyOf(await get('OrganizationBinding', id), 200).spec?.['role'];
    const patch = (id: string, ...operations: readonly object[]) =>
      ask(204, 'PATCH', `/Groups/${id}`, { schemas: [PATCH], Operations: operations });

    it('are the highest of the groups of a member, and follow members, names and the end of groups', async () => {
      const { id } = await makeUser();
      expect(await roleOf(id)).to.equal('None');
      const editors = await makeGroup({ displayName: 'EDITORS', members: [{ value: id }] });
      expect(await roleOf(id)).to.equal('Editor');
      const admins = await makeGroup({ displayName: 'Admins', members: [{ value: id }] });
      expect(await roleOf(id)).to.equal('Admin');
      // Somebody else administers the organization, so that this one need not.
      await made('User', 'boss', { login: 'boss', email: 'boss@example.com' });
      await made('OrganizationBinding', 'boss', { userRef: { name: 'boss' }, role: 'Admin' });
      await patch(admins.id, { op: 'remove', path: `members[value eq "${id}"]` });
      expect(await roleOf(id)).to.equal('Editor');
      await patch(editors.id, { op: 'replace', path: 'displayName', value: 'nothing' });
      expect(await roleOf(id)).to.equal('None');
      await patch(editors.id, { op: 'replace', path: 'displayName', value: 'Editors' });
      expect(await roleOf(id)).to.equal('Editor');
      await ask(204, 'DELETE', `/Groups/${editors.id}`);
      expect(await roleOf(id)).to.equal('None');
      await ask(204, 'DELETE', `/Groups/${admins.id}`);
    });

    // Promise: security scim
    it('are those of members whom SCIM has added, and not of those whom people or a sign-in have', async () => {
      const [byHand, added] = [await makeUser(), await makeUser()];
      // A client finds a team by its name, which its admins choose.
      await made('Team', 'found', { title: 'Admins' });
      const { id: editors } = await makeGroup({ displayName: 'Editors' });
      for (const [team, more] of [
        ['found', { permission: 'admin' }],
        [editors, { permission: 'member', external: true }],
      ] as const) {
        const spec = { teamRef: { name: team }, userRef: { name: byHand.id }, ...more };
        await made('TeamBinding', `${team}.${byHand.id}`, spec);
        await patch(team, { op: 'add', path: 'members', value: [{ value: added.id }] });
        await patch(team, { op: 'replace', path: 'externalId', value: fresh('x') });
      }
      expect([await roleOf(byHand.id), await roleOf(added.id)]).to.deep.equal(['None', 'Admin']);
      await patch('found', { op: 'add', path: 'members', value: [{ value: byHand.id }] });
      expect(await roleOf(byHand.id)).to.equal('Admin');
      const binding = bodyOf(await get('TeamBinding', `found.${byHand.id}`), 200).spec;
      expect(binding).to.include({ permission: 'admin', provisioned: true });
      for (const team of ['found', editors]) await ask(204, 'DELETE', `/Groups/${team}`);
    });

    it('are not given by a team that somebody made by hand', async () => {
      const { id } = await makeUser();
      await made('Team', 'by-hand', { title: 'Editors' });
      await made('TeamBinding', `by-hand.${id}`, {
        teamRef: { name: 'by-hand' },
        userRef: { name: id },
        permission: 'member',
      });
      await makeGroup({ members: [{ value: id }] });
      expect(await roleOf(id)).to.equal('None');
    });
  },
  {
    scim: {
      defaultRole: 'None',
      groupRoles: new Map([
        ['editors', 'Editor'],
        ['admins', 'Admin'],
      ]),
    },
  },
);
