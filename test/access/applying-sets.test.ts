import { expect } from 'chai';
import { changingNothing, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { applySets, folder, team, user } from '../resource-api/apply-sets.js';
import { addPeople, addPerson, addRole, bind, bindingSpec, HERE, person } from './people.js';

const WRITES = ['applysets:read', 'applysets:create', 'applysets:write'].map((action) => ({
  action,
  scope: 'applysets:*',
}));
const iam = (kind: string, name: string, spec: unknown) => ({
  apiVersion: 'iam.svc.app/v1beta1',
  kind,
  metadata: { name },
  spec,
});

oneStore('an atomic apply by somebody who may not do everything', (server) => {
  const { apply, get } = applySets(server);
  const dora = { user: person('dora') };

  before(async () => {
    await addPeople(server());
    await addPerson(server(), 'dora', 'Editor');
    const teams = { action: 'teams:read', scope: 'teams:*' };
    await addRole(server(), 'publisher', [...WRITES, { action: 'roles:write', scope: 'roles:*' }, teams]);
    await bind(server(), 'publisher', { subject: ['User', 'dora'], role: ['Role', 'publisher'] });
  });

  // Promise: contract 5.4, security rights
  it('gives nobody permissions that the caller does not have, and then changes nothing', async () => {
    const binding = bindingSpec({ subject: ['User', 'dora'], role: ['BuiltIn', 'Admin'] });
    const objects = [folder('mine', 'Mine'), iam('RoleBinding', 'more', binding)];
    const attempt = () => apply('set', objects, dora);
    expectStatus(await changingNothing(server(), attempt), 403, 'Forbidden', 'spec.objects[1] (RoleBinding "more")');
    expectStatus(await get('folders', 'mine'), 404, 'NotFound');
  });

  // Promise: security rights
  it('gives no permissions by a role of the same request either', async () => {
    const role = iam('Role', 'all', { permissions: [{ action: 'users:create', scope: 'global.users:*' }] });
    const binding = iam('RoleBinding', 'all', bindingSpec({ subject: ['User', 'dora'], role: ['Role', 'all'] }));
    for (const objects of [
      [role, binding],
      [binding, role],
    ]) {
      const answer = await changingNothing(server(), () => apply('set', objects, dora));
      expectStatus(answer, 403, 'Forbidden', 'spec.objects[');
    }
    expect((await server().call('GET', `${HERE}/rolebindings/all`)).status).to.equal(404);
  });

  // Promise: security rights
  it('applies what each of them may write, and prunes nothing that the caller may not delete', async () => {
    expect((await apply('set', [folder('mine', 'Mine')], dora)).status).to.equal(201);
    expect((await apply('set', [folder('mine', 'Mine'), user('extra')])).status).to.equal(201);
    const prune = { enabled: true };
    const attempt = () => apply('set', [folder('mine', 'Mine')], { ...dora, prune });
    const answer = await changingNothing(server(), attempt);
    expectStatus(answer, 403, 'Forbidden', 'an object of the kind User that you may not view');
    expect(answer.text).to.not.contain('extra');
    expect((await apply('seen', [folder('hers', 'Hers'), team('seen')])).status).to.equal(201);
    const again = () => apply('seen', [folder('hers', 'Hers')], { ...dora, prune });
    expectStatus(await changingNothing(server(), again), 403, 'Forbidden', 'Team "seen" cannot be pruned');
  });

  // Promise: security rights
  it('sets no finalizers and owners on what the caller may write only because it is their own', async () => {
    const preferences = (metadata: object) => ({
      apiVersion: 'preferences.svc.app/v1beta1',
      kind: 'Preferences',
      metadata: { name: 'user-dora', ...metadata },
      spec: { theme: 'dark' },
    });
    const owner = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', name: 'mine', uid: 'x' };
    for (const held of [{ finalizers: ['example.com/hold'] }, { ownerReferences: [owner] }]) {
      const answer = await changingNothing(server(), () => apply('own', [preferences(held)], dora));
      expectStatus(answer, 403, 'Forbidden', 'only because it is their own');
    }
    expect((await apply('own', [preferences({})], dora)).status).to.equal(201);
  });
});
