import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { addPeople, addPerson, bind, CALLERS, namesOf, person, unbind } from '../access/people.js';
import { bodyOf, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { TRASH, worldOf } from '../history/past.js';
import { type Defined, define, redefine } from './definition.js';

const inFolder = (folder: string) => ({ annotations: { 'svc.app/folder': folder } });
const PRIVATE = { annotations: { 'svc.app/basic-roles': 'none' } };

oneStore('custom objects in folders', (server) => {
  const world = worldOf(server);
  const { folders } = world;
  let reports: Defined;
  const as = (name: string): { user: UserInfo } => ({ user: CALLERS[name] as UserInfo });
  const create = async (name: string, folder?: string) =>
    bodyOf(
      await reports.objects.create(reports.object(name, { title: name }, folder === undefined ? {} : inFolder(folder))),
      201,
    );
  const seen = (name: string) => namesOf(reports.objects.list(as(name)));

  before(async () => {
    await addPeople(server());
    reports = await define(server);
    await world.folder('open');
    await world.folder('inner', 'open');
    bodyOf(
      await folders.create({
        apiVersion: 'folder.svc.app/v1beta1',
        kind: 'Folder',
        metadata: { name: 'shut', ...PRIVATE },
        spec: { title: 'Shut' },
      }),
      201,
    );
    await create('root');
    await create('in-open', 'open');
    await create('in-inner', 'inner');
    await create('in-shut', 'shut');
  });

  // Promise: security rights
  it('are seen by the roles that the labels name, but not in private folders', async () => {
    for (const name of ['editor', 'viewer', 'service account']) {
      expect(await seen(name), name).to.deep.equal(['in-inner', 'in-open', 'root']);
      expectStatus(await reports.objects.get('in-shut', as(name)), 403, 'Forbidden');
    }
    expect(await seen('admin')).to.include('in-shut');
    expect(await seen('server admin')).to.include('in-shut');
    expectStatus(await reports.objects.list(as('outsider')), 403, 'Forbidden');
    expectStatus(await reports.objects.list(as('anonymous')), 403, 'Forbidden');
  });

  // Promise: security rights
  it('are written by editors only', async () => {
    const change = { spec: { note: 'changed' } };
    expectStatus(await reports.objects.merge('root', change, as('viewer')), 403, 'Forbidden');
    bodyOf(await reports.objects.merge('root', change, as('editor')), 200);
    expectStatus(await reports.objects.merge('in-shut', change, as('editor')), 403, 'Forbidden');
    expectStatus(await reports.objects.remove('root', as('viewer')), 403, 'Forbidden');
    const scale = { spec: { replicas: 3 } };
    expectStatus(await reports.objects.subresource('scale').merge('root', scale, as('viewer')), 403, 'Forbidden');
    bodyOf(await reports.objects.subresource('scale').merge('root', scale, as('editor')), 200);
  });

  it('inherit the permissions that somebody has on a folder', async () => {
    await addPerson(server(), 'gast', 'None');
    const user = person('gast');
    expectStatus(await reports.objects.get('in-inner', { user }), 403, 'Forbidden');
    await bind(server(), 'gast-view', { subject: ['User', 'gast'], role: ['BuiltIn', 'View'], folder: 'open' });
    expect(await namesOf(reports.objects.list({ user }))).to.deep.equal(['in-inner', 'in-open']);
    expectStatus(await reports.objects.merge('in-inner', { spec: { note: 'x' } }, { user }), 403, 'Forbidden');
    await unbind(server(), 'gast-view');
    await bind(server(), 'gast-edit', { subject: ['User', 'gast'], role: ['BuiltIn', 'Edit'], folder: 'shut' });
    expect(await namesOf(reports.objects.list({ user }))).to.deep.equal(['in-shut']);
    bodyOf(await reports.objects.merge('in-shut', { spec: { note: 'x' } }, { user }), 200);
  });

  it('move only where the caller may create them', async () => {
    await create('moving', 'open');
    const move = (folder: string, user?: UserInfo) =>
      reports.objects.merge('moving', { metadata: inFolder(folder) }, user && { user });
    expectStatus(await move('shut', CALLERS['editor']), 403, 'Forbidden');
    bodyOf(await move('inner', CALLERS['editor']), 200);
    bodyOf(await move('shut'), 200);
    expectStatus(await reports.objects.get('moving', as('editor')), 403, 'Forbidden');
    expectStatus(await move('nowhere'), 422, 'Invalid', 'there is no "nowhere"');
    bodyOf(await move('general'), 200);
    expect((await reports.objects.get('moving')).json().metadata.annotations).to.not.have.property('svc.app/folder');
  });

  it('are deleted with their folder, and come back with it', async () => {
    await world.folder('gone');
    await world.folder('gone-sub', 'gone');
    await create('gone-a', 'gone');
    await create('gone-b', 'gone-sub');
    bodyOf(await folders.remove('gone'), 200);
    for (const name of ['gone-a', 'gone-b']) expectStatus(await reports.objects.get(name), 404, 'NotFound');
    expect(await namesOf(reports.objects.list({ query: TRASH }))).to.include.members(['gone-a', 'gone-b']);
    bodyOf(await world.restore(folders, 'gone'), 201);
    for (const name of ['gone-a', 'gone-b']) bodyOf(await reports.objects.get(name), 200);
  });

  it('keep their place while the definition may not say otherwise', async () => {
    const answer = await server().call(
      'PATCH',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/reports.example.com',
      {
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { labels: { 'svc.app/containment': null } } },
      },
    );
    expectStatus(answer, 422, 'Invalid', 'delete them before');
  });

  // Promise: security rights
  it('are hidden from viewers as soon as the label of the definition is gone', async () => {
    await redefine(server, reports.definition, {
      metadata: { labels: { 'svc.app/viewer': null, 'svc.app/editor': null } },
    });
    for (const name of ['viewer', 'editor']) {
      expectStatus(await reports.objects.get('root', as(name)), 403, 'Forbidden');
    }
    bodyOf(await reports.objects.get('root', as('admin')), 200);
    await redefine(server, reports.definition, {
      metadata: { labels: { 'svc.app/viewer': 'read', 'svc.app/editor': 'write' } },
    });
    bodyOf(await reports.objects.get('root', as('viewer')), 200);
  });
});
