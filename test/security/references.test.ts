import { expect } from 'chai';
import { addPeople, addRole, addTeam, bind, HERE, person } from '../access/people.js';
import { writesOf } from '../access/writes.js';
import { oneStore } from '../harness/stores.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };

oneStore('Bindings', (server) => {
  const { create, patch, inLegacy, idOf, userId, refused } = writesOf(server);
  const adam = person('adam');
  before(async () => {
    await addPeople(server());
    await addRole(server(), 'reader', [{ action: 'folders:read', scope: 'folders:*' }]);
    await addTeam(server(), 'there');
    await bind(server(), 'known', { subject: ['Team', 'there'], role: ['Role', 'reader'] });
  });

  it('cannot be changed to a role or a subject that can never exist', async () => {
    const missing = [
      { roleRef: { kind: 'Role', name: 'no.thing' } },
      { subject: { kind: 'Team', name: 'no.thing' } },
      { subject: { kind: 'User', name: 'no.body' } },
      { subject: { kind: 'ServiceAccount', name: 'no.body' } },
    ];
    for (const spec of missing) {
      const answer = await refused(() => patch(adam, 'RoleBinding', 'known', spec), 422);
      const [field] = Object.keys(spec);
      expect(answer.json().details?.causes?.[0]).to.include({
        reason: 'FieldValueNotFound',
        field: `spec.${field}.name`,
      });
    }
  });

  it('cannot name a team or a role that is being deleted, through either API', async () => {
    await addTeam(server(), 'going');
    await addRole(server(), 'going', [{ action: 'folders:read', scope: 'folders:*' }]);
    const [team, user] = [await idOf(`${HERE}/teams/going`), await userId('norm')];
    for (const path of [`${HERE}/teams/going`, `${HERE}/roles/going`]) {
      const body = { metadata: { finalizers: ['example.com/hold'] } };
      expect((await server().call('PATCH', path, { headers: MERGE, body })).status).to.equal(200);
      expect((await server().call('DELETE', path)).status).to.equal(200);
    }
    const teamRef = { name: 'going' };
    const binding = { teamRef, userRef: { name: 'norm' }, permission: 'member' };
    await refused(() => create(adam, 'TeamBinding', 'going.norm', binding), 409);
    const roleRef = { kind: 'BuiltIn', name: 'Viewer' };
    const subject = { kind: 'Team', name: 'going' };
    await refused(() => create(adam, 'RoleBinding', 'going', { subject, roleRef }), 409);
    await refused(() => patch(adam, 'RoleBinding', 'known', { subject }), 409);
    await refused(() => patch(adam, 'RoleBinding', 'known', { roleRef: { kind: 'Role', name: 'going' } }), 409);
    await refused(() => inLegacy(adam, 'POST', `/teams/${team}/members`, { userId: user }), 409);
  });
});
