import { expect } from 'chai';
import { eachStore, oneStore } from '../harness/stores.js';
import {
  ADMINISTRATOR,
  addPeople,
  addTeam,
  addUser,
  DASHBOARDS,
  EDITOR,
  FOLDERS,
  HERE,
  person,
  VIEWER,
} from './people.js';
import { conditionOf, ready, worldOf } from './waiting.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };

eachStore('an object that names what does not exist', (server) => {
  const { made, waiting, read, status, putDashboard, putFolder, putBinding, create } = worldOf(server);
  before(() => addPeople(server()));

  it('is stored with a warning and a condition, and is ready in the commit that creates what it waits for', async () => {
    await waiting(putDashboard('d-1', 'f-1'));
    const condition = conditionOf(await read(`${DASHBOARDS}/d-1`));
    expect(condition).to.include({ type: 'Ready', reason: 'ReferenceNotFound' });
    expect(condition?.['message']).to.contain('there is no "f-1" in folders.folder.svc.app');
    const { metadata } = (await made(putFolder('f-1'))).json();
    const after = await read(`${DASHBOARDS}/d-1`);
    expect(ready(after)).to.equal('True');
    expect(Number(after.metadata.resourceVersion)).to.equal(Number(metadata.resourceVersion) + 1);
    expect(after.metadata.generation, 'nobody changed it').to.equal(1);
    expect(await status(`${DASHBOARDS}/d-1`, VIEWER)).to.equal(200);
  });

  // Promise: contract 8
  it('may be a tree in the worst order', async () => {
    await waiting(putDashboard('w-dash', 'w-child'));
    await waiting(putFolder('w-child', 'w-parent'));
    await waiting(putBinding('w-user', { subject: ['User', 'zoe'], role: ['BuiltIn', 'Edit'], folder: 'w-parent' }));
    await waiting(putBinding('w-team', { subject: ['Team', 'w-team'], role: ['Role', 'w-role'] }));
    const membership = { teamRef: { name: 'w-team' }, userRef: { name: 'zoe' }, permission: 'member' };
    await waiting(create(ADMINISTRATOR, 'TeamBinding', 'w-team.zoe', membership));
    await waiting(create(ADMINISTRATOR, 'OrganizationBinding', 'zoe', { userRef: { name: 'zoe' }, role: 'None' }));
    await made(create(ADMINISTRATOR, 'Team', 'w-team', { title: 'w' }));
    await made(create(ADMINISTRATOR, 'Role', 'w-role', { permissions: [{ action: 'teams:read', scope: 'teams:*' }] }));
    await made(putFolder('w-parent'));
    expect(await status(`${FOLDERS}/w-parent`, person('zoe')), 'who does not exist').to.equal(403);
    await addUser(server(), 'zoe');
    for (const path of [
      `${DASHBOARDS}/w-dash`,
      `${FOLDERS}/w-child`,
      `${HERE}/rolebindings/w-user`,
      `${HERE}/rolebindings/w-team`,
      `${HERE}/teambindings/w-team.zoe`,
      `${HERE}/organizationbindings/zoe`,
    ])
      expect(ready(await read(path)), path).to.equal('True');
    expect(await status(`${DASHBOARDS}/w-dash`, person('zoe'))).to.equal(200);
    expect(await status(`${HERE}/teams/w-team`, person('zoe')), 'by the team').to.equal(200);
  });

  it('waits until the last of several is there, and again when it is changed to name another one', async () => {
    await waiting(putBinding('two', { subject: ['Team', 'two'], role: ['BuiltIn', 'View'], folder: 'two' }));
    await addTeam(server(), 'two');
    const condition = conditionOf(await read(`${HERE}/rolebindings/two`));
    expect(condition?.['message']).to.contain('"two" in folders').and.not.contain('teams');
    const told = String((await made(putFolder('two'))).headers['warning']);
    expect(told, 'who gains access, as soon as it does').to.contain('these gain access').and.contain('Team/two');
    expect(ready(await read(`${HERE}/rolebindings/two`))).to.equal('True');
    const body = { metadata: { annotations: { 'svc.app/folder': 'three' } } };
    await made(putDashboard('mover', 'two'));
    const moved = await server().call('PATCH', `${DASHBOARDS}/mover`, { body, headers: MERGE, user: ADMINISTRATOR });
    expect(ready(moved.json())).to.equal('False');
    const back = { metadata: { annotations: { 'svc.app/folder': 'two' } } };
    const again = await server().call('PATCH', `${DASHBOARDS}/mover`, { body: back, headers: MERGE });
    expect(ready(again.json())).to.equal('True');
  });

  it('is deleted with its folder once that exists, and alone while it waits', async () => {
    await waiting(putDashboard('gone-1', 'gone'));
    await waiting(putDashboard('gone-2', 'gone'));
    expect(await status(`${DASHBOARDS}/gone-2`, ADMINISTRATOR, 'DELETE')).to.equal(200);
    await made(putFolder('gone'));
    expect(await status(`${FOLDERS}/gone`, ADMINISTRATOR, 'DELETE')).to.equal(200);
    expect(await status(`${DASHBOARDS}/gone-1`, ADMINISTRATOR)).to.equal(404);
  });

  it('is still there and waits after a restart', async () => {
    await waiting(putDashboard('kept', 'later'));
    await server().restart();
    expect(await status(`${DASHBOARDS}/kept`, EDITOR)).to.equal(403);
    await made(putFolder('later'));
    expect(ready(await read(`${DASHBOARDS}/kept`))).to.equal('True');
    expect(await status(`${DASHBOARDS}/kept`, EDITOR)).to.equal(200);
  });
});

oneStore(
  'a server whose setting refuses missing references',
  (server) => {
    const { refused, putDashboard } = worldOf(server);

    it('refuses objects that name what does not exist', async () => {
      await addPeople(server());
      await refused(() => putDashboard('d', 'nowhere'), 422);
    });
  },
  { acceptsMissing: false },
);
