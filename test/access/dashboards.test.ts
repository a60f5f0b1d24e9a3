import { expect } from 'chai';
import type { CallOptions } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import {
  addDashboard,
  addFolder,
  addPeople,
  addPerson,
  addRole,
  bind,
  bindingSpec,
  DASHBOARDS,
  FOLDERS,
  HERE,
  namesOf,
  person,
} from './people.js';

const BINDINGS = `${HERE}/rolebindings`;
const MERGE = { 'content-type': 'application/merge-patch+json' };
const TO_NORM = ['User', 'norm'] as const;

oneStore('permissions on dashboards', (server) => {
  let next = 0;
  /**
   * A member without a role, who administers the folder `top-<uid>`. The dashboards `in-<uid>` and `out-<uid>` are
   * below it and beside it.
   */
  const newAdministrator = async (): Promise<string> => {
    const uid = `d${next++}`;
    await addPerson(server(), uid, 'None');
    for (const name of ['top', 'beside']) await addFolder(server(), `${name}-${uid}`);
    await addFolder(server(), `below-${uid}`, `top-${uid}`);
    await addDashboard(server(), `in-${uid}`, `below-${uid}`);
    await addDashboard(server(), `out-${uid}`, `beside-${uid}`);
    const folder = `top-${uid}`;
    await bind(server(), `admin-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Admin'], folder });
    return uid;
  };
  const call = (uid: string, method: string, path: string, options: CallOptions = {}) =>
    server().call(method, path, { user: person(uid), ...options });
  const bindAs = (uid: string, name: string, on: string) => {
    const spec = bindingSpec({ subject: TO_NORM, role: ['BuiltIn', 'View'], dashboard: on });
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name }, spec };
    return call(uid, 'POST', BINDINGS, { body });
  };
  const move = async (name: string, folder: string): Promise<void> => {
    const body = { metadata: { annotations: { 'svc.app/folder': folder } } };
    const { status, text } = await server().call('PATCH', `${DASHBOARDS}/${name}`, { body, headers: MERGE });
    expect(status, text).to.equal(200);
  };
  const revision = async (): Promise<string> =>
    (await server().call('GET', BINDINGS)).json().metadata.resourceVersion ?? '';
  const watch = async (uid: string, path: string) =>
    (await call(uid, 'GET', path, { query: { watch: 'true', resourceVersion: await revision() } })).frames;

  before(() => addPeople(server()));

  it('come from the folders above a dashboard, and show no other one', async () => {
    const uid = await newAdministrator();
    expect(await namesOf(call(uid, 'GET', DASHBOARDS))).to.deep.equal([`in-${uid}`]);
    expect((await call(uid, 'GET', `${DASHBOARDS}/out-${uid}`)).status).to.equal(403);
    expect((await call(uid, 'GET', `${DASHBOARDS}/none`)).status).to.equal(403);
    const body = { spec: { refresh: '1m' } };
    expect((await call(uid, 'PATCH', `${DASHBOARDS}/in-${uid}`, { body, headers: MERGE })).status).to.equal(200);
    expect((await call(uid, 'PATCH', `${DASHBOARDS}/out-${uid}`, { body, headers: MERGE })).status).to.equal(403);
  });

  it('come from a binding on the dashboard, and end with it', async () => {
    await addDashboard(server(), 'single');
    await addDashboard(server(), 'another');
    await bind(server(), 'on-single', { subject: TO_NORM, role: ['BuiltIn', 'Edit'], dashboard: 'single' });
    expect(await namesOf(call('norm', 'GET', DASHBOARDS))).to.deep.equal(['single']);
    expect((await call('norm', 'DELETE', `${DASHBOARDS}/single`)).status).to.equal(200);
    expect((await server().call('GET', `${BINDINGS}/on-single`)).status).to.equal(404);
    await addDashboard(server(), 'single');
    expect((await call('norm', 'GET', `${DASHBOARDS}/single`)).status).to.equal(403);
  });

  it('by a custom role are its actions on the dashboard only', async () => {
    await addRole(server(), 'reader', [{ action: 'dashboards:read', scope: 'dashboards:*' }]);
    await addDashboard(server(), 'custom');
    await bind(server(), 'on-custom', { subject: TO_NORM, role: ['Role', 'reader'], dashboard: 'custom' });
    expect(await namesOf(call('norm', 'GET', DASHBOARDS))).to.deep.equal(['custom']);
    expect((await call('norm', 'DELETE', `${DASHBOARDS}/custom`)).status).to.equal(403);
  });

  it('are given by the administrators of the folders above the dashboard, and of the dashboard', async () => {
    const uid = await newAdministrator();
    expect((await bindAs(uid, `given-${uid}`, `in-${uid}`)).status).to.equal(201);
    expect((await bindAs(uid, `not-given-${uid}`, `out-${uid}`)).status).to.equal(403);
    expect(await namesOf(call(uid, 'GET', BINDINGS))).to.deep.equal([`admin-${uid}`, `given-${uid}`]);
    expect((await bindAs('norm', `by-norm-${uid}`, `in-${uid}`)).status).to.equal(403);
    await bind(server(), `norm-${uid}`, { subject: TO_NORM, role: ['BuiltIn', 'Admin'], dashboard: `in-${uid}` });
    expect((await bindAs('norm', `by-norm-${uid}`, `in-${uid}`)).status).to.equal(201);
    expect((await call(uid, 'DELETE', `${BINDINGS}/by-norm-${uid}`)).status).to.equal(200);
  });

  it('are on a folder or on a dashboard, not on both', async () => {
    await addFolder(server(), 'both');
    await addDashboard(server(), 'both');
    const scope = { folder: 'both', dashboard: 'both' };
    const spec = bindingSpec({ subject: TO_NORM, role: ['BuiltIn', 'View'], ...scope });
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name: 'wrong' }, spec };
    expect((await server().call('POST', BINDINGS, { body })).status).to.equal(422);
  });

  it('on what a folder loses end the watch of its administrator with 410', async () => {
    const uid = await newAdministrator();
    const frames = await watch(uid, BINDINGS);
    await move(`in-${uid}`, `beside-${uid}`);
    const [event] = await frames.take(1);
    expect(event?.object.code).to.equal(410);
  });

  it('are in a watch of the administrator of the folder until they are deleted with it', async () => {
    const uid = await newAdministrator();
    await bind(server(), `seen-${uid}`, { subject: TO_NORM, role: ['BuiltIn', 'View'], dashboard: `in-${uid}` });
    const frames = await watch(uid, BINDINGS);
    await bind(server(), `unseen-${uid}`, { subject: TO_NORM, role: ['BuiltIn', 'View'], dashboard: `out-${uid}` });
    await server().call('DELETE', `${FOLDERS}/below-${uid}`);
    const [event] = await frames.take(1);
    expect([event?.type, event?.object.metadata.name]).to.deep.equal(['DELETED', `seen-${uid}`]);
  });

  it('refuse a move to a folder of others with one message, whether the folder exists or not, and whatever lies in it', async () => {
    const uid = await newAdministrator();
    const moved = (folder: string, title: string) => {
      const body = { metadata: { annotations: { 'svc.app/folder': folder } }, spec: { title } };
      return call(uid, 'PATCH', `${DASHBOARDS}/in-${uid}`, { body, headers: MERGE, query: { dryRun: 'All' } });
    };
    const { title } = (await server().call('GET', `${DASHBOARDS}/out-${uid}`)).json()['spec'] as { title: string };
    const answers = [
      await moved(`beside-${uid}`, title),
      await moved(`beside-${uid}`, 'another title'),
      await moved('no-such-folder', title),
    ].map(({ text }) => JSON.parse(text));
    expect(answers.map(({ code, reason }) => [code, reason])).to.deep.equal([
      [403, 'Forbidden'],
      [403, 'Forbidden'],
      [403, 'Forbidden'],
    ]);
    expect(new Set(answers.map(({ message }) => message)).size).to.equal(1);
  });

  it('are not needed on the root to change a dashboard there, even if the request names the root as its folder', async () => {
    const uid = await newAdministrator();
    await addDashboard(server(), `root-${uid}`);
    await bind(server(), `edit-${uid}`, {
      subject: ['User', uid],
      role: ['BuiltIn', 'Edit'],
      dashboard: `root-${uid}`,
    });
    for (const folder of ['general', '']) {
      const body = { metadata: { annotations: { 'svc.app/folder': folder } }, spec: { title: `Changed ${folder}` } };
      const { status, text } = await call(uid, 'PATCH', `${DASHBOARDS}/root-${uid}`, { body, headers: MERGE });
      expect(status, text).to.equal(200);
    }
  });

  it('refuse a move to the root, whatever lies there', async () => {
    const uid = await newAdministrator();
    await addDashboard(server(), `root-${uid}`);
    const { title } = (await server().call('GET', `${DASHBOARDS}/root-${uid}`)).json()['spec'] as { title: string };
    for (const one of [title, 'another title']) {
      const body = { metadata: { annotations: { 'svc.app/folder': null } }, spec: { title: one } };
      const { status } = await call(uid, 'PATCH', `${DASHBOARDS}/in-${uid}`, { body, headers: MERGE });
      expect(status).to.equal(403);
    }
  });
});
