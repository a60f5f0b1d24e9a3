import { expect } from 'chai';
import { addFolder, addMember, addPeople, addTeam, addUser, FOLDERS, HERE, person } from '../access/people.js';
import { writesOf } from '../access/writes.js';
import { oneStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';

const USERS = '/apis/iam.svc.app/v1beta1/users';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const HOLD = ['example.com/hold'];

oneStore('The last administrator', (server) => {
  const { refused, inLegacy, userId } = writesOf(server);

  const merge = async (path: string, body: object) => {
    const { status, text } = await server().call('PATCH', path, { headers: MERGE, body });
    expect(status, text).to.equal(200);
  };
  const referenceTo = async (path: string) => {
    const { apiVersion, kind, metadata } = (await server().call('GET', path)).json();
    return { apiVersion, kind, name: metadata.name, uid: metadata.uid };
  };
  const own = async (owner: string, path: string) =>
    merge(path, { metadata: { ownerReferences: [await referenceTo(owner)] } });
  const finalize = (path: string, finalizers: readonly string[] | null) => merge(path, { metadata: { finalizers } });
  before(async () => {
    await addPeople(server());
    for (const name of ['sam', 'sue', 'eve']) await addUser(server(), name);
    for (const name of ['sam', 'sue']) await merge(`${USERS}/${name}`, { spec: { grafanaAdmin: true } });
    await addMember(server(), 'eve', 'Admin');
  });

  const isThere = async (path: string) => (await server().call('GET', path)).status === 200;
  const stays = async (path: string) => {
    const { metadata } = (await server().call('GET', path)).json();
    expect(metadata).to.not.have.property('deletionTimestamp');
  };
  /** Makes an object that the garbage collector deletes when it has seen that the owner is gone. */
  const canary = async (owner: string, name: string) => {
    await addFolder(server(), name);
    await own(owner, `${FOLDERS}/${name}`);
    return `${FOLDERS}/${name}`;
  };

  it('of the server stays when the owner is deleted, whether a finalizer delays that or not', async () => {
    for (const [index, finalizers] of [null, HOLD].entries()) {
      const [owner, sue] = [`${USERS}/owner-${index}`, `${USERS}/sue`];
      await addUser(server(), `owner-${index}`);
      await merge(owner, { spec: { grafanaAdmin: true }, metadata: { finalizers } });
      await merge(`${USERS}/sam`, { spec: { grafanaAdmin: false } });
      await own(owner, sue);
      const other = await canary(owner, `canary-${index}`);
      expect((await server().call('DELETE', owner)).status).to.equal(200);
      if (finalizers !== null) await finalize(owner, null);
      await until(async () => !(await isThere(other)));
      await stays(sue);
      await refused(() => server().call('DELETE', sue));
      await merge(sue, { metadata: { ownerReferences: null } });
      await merge(`${USERS}/sam`, { spec: { grafanaAdmin: true } });
    }
  });

  it('of an organization stays when the owner of all of them is deleted', async () => {
    const [adam, eve] = [`${HERE}/organizationbindings/adam`, `${HERE}/organizationbindings/eve`];
    await addTeam(server(), 'all');
    for (const path of [adam, eve]) await own(`${HERE}/teams/all`, path);
    expect((await server().call('DELETE', `${HERE}/teams/all`)).status).to.equal(200);
    await until(async () => !((await isThere(adam)) && (await isThere(eve))));
    const [left = '', gone = ''] = (await isThere(adam)) ? [adam, eve] : [eve, adam];
    await refused(() => server().call('DELETE', left));
    await stays(left);
    await merge(left, { metadata: { ownerReferences: null } });
    await addMember(server(), gone.split('/').at(-1) ?? '', 'Admin');
  });

  it('of an organization is not the one that is terminating', async () => {
    const [adam, eve] = [`${HERE}/organizationbindings/adam`, `${HERE}/organizationbindings/eve`];
    await finalize(adam, HOLD);
    expect((await server().call('DELETE', adam)).status).to.equal(200);
    await refused(() => server().call('DELETE', eve));
    await refused(() => server().call('PATCH', eve, { headers: MERGE, body: { spec: { role: 'Viewer' } } }));
    const id = await userId('eve');
    await refused(() => inLegacy(person('eve'), 'PATCH', `/org/users/${id}`, { role: 'Viewer' }), 400);
    await finalize(adam, null);
  });

  it('of the server is not the one that is terminating', async () => {
    await finalize(`${USERS}/sam`, HOLD);
    expect((await server().call('DELETE', `${USERS}/sam`)).status).to.equal(200);
    await refused(() => server().call('DELETE', `${USERS}/sue`));
    const id = await userId('sue');
    await refused(() =>
      server().call('PATCH', `${USERS}/sue`, { headers: MERGE, body: { spec: { grafanaAdmin: false } } }),
    );
    const demotion = { body: { isGrafanaAdmin: false } };
    await refused(() => server().call('PUT', `/api/admin/users/${id}/permissions`, demotion), 400);
    await refused(() => server().call('POST', `/api/admin/users/${id}/disable`), 400);
  });
});
