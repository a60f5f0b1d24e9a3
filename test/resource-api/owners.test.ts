import { expect } from 'chai';
import {
  account,
  addFolder,
  addPeople,
  addRole,
  addTeam,
  addTeamMember,
  bind,
  FOLDERS,
  HERE,
} from '../access/people.js';
import { oneStore } from '../harness/stores.js';

const USERS = '/apis/iam.svc.app/v1beta1/users';
const MERGE = { 'content-type': 'application/merge-patch+json' };

oneStore('owners', (server) => {
  before(() => addPeople(server()));

  const merge = (path: string, metadata: unknown, more = {}) =>
    server().call('PATCH', path, { headers: MERGE, body: { metadata }, ...more });
  const statusOf = async (path: string) => (await server().call('GET', path)).status;
  const remove = async (path: string, query = {}) => {
    const { status, text } = await server().call('DELETE', path, { query });
    expect(status, text).to.equal(200);
  };
  let made = 0;
  const team = async () => {
    const name = `owner-${++made}`;
    await addTeam(server(), name);
    const { uid } = (await server().call('GET', `${HERE}/teams/${name}`)).json().metadata;
    return {
      path: `${HERE}/teams/${name}`,
      reference: { apiVersion: 'iam.svc.app/v1beta1', kind: 'Team', name, uid },
    };
  };
  const folder = async (ownerReferences: readonly unknown[], finalizers: readonly string[] = []) => {
    const name = `owned-${++made}`;
    await addFolder(server(), name);
    const { status, text } = await merge(`${FOLDERS}/${name}`, { ownerReferences, finalizers });
    expect(status, text).to.equal(200);
    return `${FOLDERS}/${name}`;
  };

  it('are deleted with the objects that they alone own, directly or indirectly', async () => {
    const owner = await team();
    const owned = await folder([owner.reference]);
    const { uid, name } = (await server().call('GET', owned)).json().metadata;
    const next = await folder([{ apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', name, uid }]);
    await remove(owner.path);
    expect([await statusOf(owned), await statusOf(next)]).to.deep.equal([404, 404]);
  });

  it('are deleted without objects that have another owner, also one of an unknown kind', async () => {
    const [one, other] = [await team(), await team()];
    const foreign = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'd-1' };
    const [shared, distant] = [await folder([one.reference, other.reference]), await folder([one.reference, foreign])];
    await remove(one.path);
    expect([await statusOf(shared), await statusOf(distant)]).to.deep.equal([200, 200]);
    await remove(other.path);
    expect(await statusOf(shared)).to.equal(404);
  });

  it('are identified by uid, not only by name', async () => {
    const owner = await team();
    const owned = await folder([{ ...owner.reference, uid: 'another' }]);
    await remove(owner.path);
    expect(await statusOf(owned)).to.equal(200);
  });

  it('are removed from the objects that they own with Orphan', async () => {
    const [one, other] = [await team(), await team()];
    const owned = await folder([one.reference, other.reference]);
    await remove(one.path, { propagationPolicy: 'Orphan' });
    const { metadata } = (await server().call('GET', owned)).json();
    expect(metadata.ownerReferences).to.deep.equal([other.reference]);
    await remove(other.path, { propagationPolicy: 'Orphan' });
    expect((await server().call('GET', owned)).json().metadata).to.not.have.property('ownerReferences');
  });

  it('stay terminating as long as an object that they own has finalizers', async () => {
    const owner = await team();
    const owned = await folder([owner.reference], ['example.com/hold']);
    await remove(owner.path, { propagationPolicy: 'Foreground' });
    const { metadata } = (await server().call('GET', owner.path)).json();
    expect(metadata.deletionTimestamp).to.be.a('string');
    expect(metadata).to.not.have.property('finalizers');
    expect((await merge(owned, { finalizers: null })).status).to.equal(200);
    expect([await statusOf(owned), await statusOf(owner.path)]).to.deep.equal([404, 404]);
  });

  it('can be set only by callers who may delete the object', async () => {
    const owner = await team();
    const owned = await folder([]);
    const [action, scope] = ['folders:write', `folders:uid:${owned.split('/').at(-1)}`];
    await addRole(server(), 'writes-only', [
      { action, scope },
      { action: 'folders:read', scope },
    ]);
    await bind(server(), 'writes', { subject: ['ServiceAccount', 'robot'], role: ['Role', 'writes-only'] });
    const user = account('robot');
    expect((await merge(owned, { annotations: { a: 'b' } }, { user })).status).to.equal(200);
    const refused = await merge(owned, { ownerReferences: [owner.reference] }, { user });
    expect(refused.status).to.equal(403);
    expect(refused.json().message).to.include('cannot delete');
  });

  it('and referenced objects are removed together with the last object that held them, through several levels', async () => {
    await addTeam(server(), 'held');
    await addTeamMember(server(), 'held', 'vera');
    const binding = `${HERE}/teambindings/held.vera`;
    expect((await merge(binding, { finalizers: ['example.com/hold'] })).status).to.equal(200);
    await remove(`${USERS}/vera`);
    const waiting = [`${USERS}/vera`, `${HERE}/organizationbindings/vera`, binding];
    expect(await Promise.all(waiting.map(statusOf))).to.deep.equal([200, 200, 200]);
    expect((await merge(binding, { finalizers: null })).status).to.equal(200);
    expect(await Promise.all(waiting.map(statusOf))).to.deep.equal([404, 404, 404]);
  });
});
