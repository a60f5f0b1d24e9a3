import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh } from '../legacy-api/legacy.js';
import { peopleOf } from '../legacy-api/people.js';
import { type Json, PATCH, scimOf } from './scim.js';

const IAM = '/apis/iam.svc.app/v1beta1';
const patchOf = (...operations: readonly object[]) => ({ schemas: [PATCH], Operations: operations });

eachStore(
  'what SCIM keeps',
  (server) => {
    const { ask, client, makeGroup, makeUser, refused } = scimOf(server);
    const { person } = peopleOf(server);
    const { get, made, merge, remove } = iam(server);

    const send = (method: string, path: string, user: UserInfo, body: object, type = 'application/json') =>
      server().call(method, `${IAM}${path}`, { user, body, headers: { 'content-type': type } });

    /** Each way of the resource API to change an object, and to make one. */
    const refuses = async (user: UserInfo, collection: string, kind: string, name: string, change: object) => {
      const stored: Json = JSON.parse((await server().call('GET', `${IAM}${collection}/${name}`)).text);
      const path = `${collection}/${name}`;
      const { apiVersion, metadata } = stored;
      const spec = { ...stored.spec, ...change };
      const applied = { apiVersion, kind, metadata: { name }, spec };
      const manager = `${path}?fieldManager=x&force=true`;
      const answers = [
        await send('PUT', path, user, { apiVersion, kind, metadata, spec }),
        await send('PATCH', path, user, { spec: change }, 'application/merge-patch+json'),
        await send('PATCH', manager, user, applied, 'application/apply-patch+yaml'),
      ];
      for (const { status, text } of answers)
        expect([status, text.includes('only a provisioning system')], `${kind}: ${text}`).to.deep.equal([403, true]);
      const after: Json = JSON.parse((await server().call('GET', path.replace(/^/, IAM))).text);
      expect(after.spec).to.deep.equal(stored.spec);
    };

    // Promise: security scim
    it('is said of teams and memberships by provisioning and server administrators only', async () => {
      const admin = await person({ role: 'Admin' });
      const other = await person();
      const [team, kept] = [fresh('team'), await makeGroup({ externalId: fresh('x') })];
      await made('Team', team, { title: team });
      const teams = '/namespaces/default/teams';
      for (const change of [{ provisioned: true }, { externalUID: 'x' }])
        await refuses(admin.info, teams, 'Team', team, change);
      for (const change of [{ provisioned: false }, { externalUID: 'y' }])
        await refuses(admin.info, teams, 'Team', kept.id, change);
      const bindings = '/namespaces/default/organizationbindings';
      for (const change of [{ provisioned: true }, { externalUID: 'x' }])
        await refuses(admin.info, bindings, 'OrganizationBinding', other.uid, change);
      const member = { teamRef: { name: team }, userRef: { name: other.uid } };
      await made('TeamBinding', `${team}.${other.uid}`, { ...member, permission: 'member' });
      const members = '/namespaces/default/teambindings';
      await refuses(admin.info, members, 'TeamBinding', `${team}.${other.uid}`, { provisioned: true });
      const spec = { title: fresh('new'), provisioned: true };
      const metadata = { name: fresh('new') };
      const create = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Team', metadata, spec };
      expect((await send('POST', teams, admin.info, create)).status).to.equal(403);
      expect((await merge('Team', team, { spec: { provisioned: true, externalUID: 'x' } })).status).to.equal(200);
    });

    // Promise: security scim
    it('is free when it is released, and stays when the service account of the client is deleted', async () => {
      const account = await client();
      const { id, userName } = await makeUser({}, { user: account });
      const { id: team } = await makeGroup({ members: [{ value: id }] }, { user: account });
      await remove('ServiceAccount', account.uid);
      const specs = async () => [
        bodyOf(await get('User', id), 200).spec?.['provisionedBy'],
        bodyOf(await get('OrganizationBinding', id), 200).spec?.['provisioned'],
        bodyOf(await get('Team', team), 200).spec?.['provisioned'],
      ];
      expect(await specs()).to.deep.equal(['default', true, true]);
      const user = await client();
      const replace = (path: string, value: unknown) => patchOf({ op: 'replace', path, value });
      await ask(200, 'PATCH', `/Users/${id}`, replace('displayName', 'Next'), { user });
      const own: UserInfo = { name: userName, uid: id, groups: ['system:authenticated'], extra: {} };
      const rename = () =>
        server().call('PUT', '/api/user', { user: own, body: { login: fresh('own'), email: userName, name: 'Own' } });
      expect((await rename()).status).to.equal(403);
      bodyOf(await merge('OrganizationBinding', id, { spec: { provisioned: null } }), 200);
      bodyOf(await merge('Team', team, { spec: { provisioned: null } }), 200);
      expect(await specs()).to.deep.equal([undefined, undefined, undefined]);
      const renamed = await rename();
      expect(renamed.status, renamed.text).to.equal(200);
      // Only a request with the verified address takes the account again.
      await refused(409, 'uniqueness', 'PATCH', `/Users/${id}`, replace('externalId', 'x'), { user });
      await ask(200, 'PATCH', `/Users/${id}`, replace('emails', [{ value: userName }]), { user });
      expect((await specs()).slice(0, 2)).to.deep.equal([undefined, true]);
    });

    // Promise: security scim
    it('gives no role by a name or a member that somebody without the role changes', async () => {
      const { id, userName } = await makeUser();
      const user: UserInfo = {
        name: userName,
        uid: id,
        groups: ['system:authenticated'],
        extra: { 'svc.app/organization': ['default'] },
      };
      const small = await makeGroup();
      const admins = await makeGroup({ displayName: 'Admins' });
      for (const { id: team } of [small, admins]) {
        const spec = { teamRef: { name: team }, userRef: { name: id }, permission: 'admin' };
        await made('TeamBinding', `${team}.${id}`, spec);
      }
      const friend = await makeUser();
      await remove('Team', admins.id);
      const title = { spec: { title: 'Admins' } };
      const path = `/namespaces/default/teams/${small.id}`;
      const renamed = await send('PATCH', path, user, title, 'application/merge-patch+json');
      expect(renamed.status, renamed.text).to.be.oneOf([403, 422]);
      const team: Json = JSON.parse((await server().call('GET', `/api/teams/${small.id}`)).text);
      const legacy = await server().call('PUT', `/api/teams/${team.id}`, { user, body: { name: 'Admins' } });
      expect(legacy.status, legacy.text).to.be.oneOf([403, 422]);
      expect((await merge('Team', small.id, title)).status).to.equal(200);
      const name = `${small.id}.${friend.id}`;
      const spec = { teamRef: { name: small.id }, userRef: { name: friend.id }, permission: 'member' };
      const metadata = { name };
      const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'TeamBinding', metadata, spec };
      const added = await send('POST', '/namespaces/default/teambindings', user, body);
      expect(added.status, added.text).to.be.oneOf([403, 422]);
      expect((await get('TeamBinding', name)).status).to.equal(404);
      expect(bodyOf(await get('OrganizationBinding', friend.id), 200).spec).to.include({ role: 'None' });
    });
  },
  { scim: { defaultRole: 'None', groupRoles: new Map([['admins', 'Admin']]) } },
);
