import { bodyOf } from '../harness/resource.js';
import type { Server } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

/** Runs `deletes` when the next write begins, after its route has found the object. */
function beforeNextWrite(server: () => Server, deletes: () => Promise<unknown>): void {
  const { writer } = server().api.registry;
  const { transact } = writer;
  writer.transact = (async (...input: Parameters<typeof transact>) => {
    writer.transact = transact;
    await deletes();
    return transact.apply(writer, input);
  }) as typeof transact;
}

oneStore('what the legacy API answers if an object is deleted after a route has found it', (server) => {
  const { ask, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const { made, merge } = iam(server);
  const organization = async (): Promise<number> => (await ask(200, 'POST', '/orgs', { name: fresh('org') })).orgId;
  const newUser = (OrgId: number): Json => ({ login: fresh('new'), password: 'a long password', OrgId });

  it('POST /api/orgs/:orgId/users answers like for an unknown user', async () => {
    const [orgId, { id, login }] = [await organization(), await person({ role: '' })];
    beforeNextWrite(server, () => ask(200, 'DELETE', `/admin/users/${id}`));
    const body = { loginOrEmail: login, role: 'Viewer' };
    await refused(404, { message: 'User not found' }, 'POST', `/orgs/${orgId}/users`, body);
  });

  for (const method of ['PUT', 'PATCH'])
    it(`${method} /api/teams/:teamId/preferences answers like for an unknown team`, async () => {
      const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
      beforeNextWrite(server, () => ask(200, 'DELETE', `/teams/${teamId}`));
      await refused(404, { message: 'Team not found' }, method, `/teams/${teamId}/preferences`, { theme: 'dark' });
    });

  it('permissions of a service account are answered like those of an unknown user', async () => {
    const { uid } = await ask(200, 'POST', '/folders', { title: fresh('folder') });
    const refusedFor = async (pathFor: (id: number) => string, bodyFor: (id: number) => Json): Promise<void> => {
      const { id } = await ask(201, 'POST', '/serviceaccounts', { name: fresh('robot'), role: 'None' });
      beforeNextWrite(server, () => ask(200, 'DELETE', `/serviceaccounts/${id}`));
      await refused(400, { message: 'user not found' }, 'POST', pathFor(id), bodyFor(id));
    };
    const names = `/access-control/folders/${uid}`;
    await refusedFor(
      (id) => `${names}/users/${id}`,
      () => ({ permission: 'Edit' }),
    );
    await refusedFor(
      () => names,
      (userId) => ({ permissions: [{ userId, permission: 'Edit' }] }),
    );
    await refusedFor(
      () => `/folders/${uid}/permissions`,
      (userId) => ({ items: [{ userId, permission: 2 }] }),
    );
  });

  it('POST /api/admin/users answers like for an unknown organization', async () => {
    const orgId = await organization();
    beforeNextWrite(server, () => ask(200, 'DELETE', `/orgs/${orgId}`));
    await refused(400, { message: 'organization not found' }, 'POST', '/admin/users', newUser(orgId));
  });

  it('POST /api/admin/users answers so, too, while the organization is being emptied', async () => {
    const orgId = await organization();
    const namespace = `org-${orgId}`;
    await made('Team', 'held', { title: 'Held' }, namespace);
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: ['example.com/hold'] } }, namespace), 200);
    await ask(200, 'DELETE', `/orgs/${orgId}`);
    await refused(400, { message: 'organization not found' }, 'POST', '/admin/users', newUser(orgId));
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: null } }, namespace), 200);
  });
});
