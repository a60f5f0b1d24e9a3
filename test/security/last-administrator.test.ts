import { expect } from 'chai';
import { addMember, addPeople, addTeam, addUser, HERE, person } from '../access/people.js';
import { writesOf } from '../access/writes.js';
import { oneStore } from '../harness/stores.js';

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

  for (const isHeld of [false, true]) {
    const how = isHeld ? 'that leaves both terminating' : 'that removes both';

    it(`of the server is not deleted in one cascade with the other one, ${how}`, async () => {
      const [sam, sue] = [`${USERS}/sam`, `${USERS}/sue`];
      await own(sam, sue);
      if (isHeld) for (const path of [sam, sue]) await finalize(path, HOLD);
      const { text } = await refused(() => server().call('DELETE', sam));
      expect(text).to.include('last grafana admin');
      const id = await userId('sam');
      await refused(() => server().call('DELETE', `/api/admin/users/${id}`), 400);
      for (const path of [sam, sue]) await merge(path, { metadata: { finalizers: null, ownerReferences: null } });
    });

    it(`of an organization is not deleted in one cascade with the other one, ${how}`, async () => {
      const [adam, eve, team] = [
        `${HERE}/organizationbindings/adam`,
        `${HERE}/organizationbindings/eve`,
        `both-${isHeld}`,
      ];
      await addTeam(server(), team);
      for (const path of [adam, eve]) {
        await own(`${HERE}/teams/${team}`, path);
        if (isHeld) await finalize(path, HOLD);
      }
      const { text } = await refused(() => server().call('DELETE', `${HERE}/teams/${team}`));
      expect(text).to.include('last organization admin');
      await merge(adam, { metadata: { ownerReferences: null } });
      await own(adam, eve);
      await refused(() => server().call('DELETE', adam));
      const id = await userId('adam');
      await refused(() => inLegacy(person('eve'), 'DELETE', `/org/users/${id}`), 400);
      await refused(() => server().call('DELETE', `${USERS}/adam`));
      for (const path of [adam, eve]) await merge(path, { metadata: { finalizers: null, ownerReferences: null } });
    });
  }

  it('of an organization is not the one that is terminating', async () => {
    const [adam, eve] = [`${HERE}/organizationbindings/adam`, `${HERE}/organizationbindings/eve`];
    await finalize(adam, HOLD);
    expect((await server().call('DELETE', adam)).status).to.equal(200);
    await refused(() => server().call('DELETE', eve));
    const id = await userId('eve');
    await refused(() => inLegacy(person('eve'), 'PATCH', `/org/users/${id}`, { role: 'Viewer' }), 400);
    await finalize(adam, null);
  });

  it('of the server is not the one that is terminating', async () => {
    await finalize(`${USERS}/sam`, HOLD);
    expect((await server().call('DELETE', `${USERS}/sam`)).status).to.equal(200);
    await refused(() => server().call('DELETE', `${USERS}/sue`));
    const id = await userId('sue');
    const demotion = { body: { isGrafanaAdmin: false } };
    await refused(() => server().call('PUT', `/api/admin/users/${id}/permissions`, demotion), 400);
    await refused(() => server().call('POST', `/api/admin/users/${id}/disable`), 400);
  });
});
