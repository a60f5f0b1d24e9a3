import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import { accepted, bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { dashboard, dashboardsOf, FOLDER } from './dashboards.js';
import { foldersOf } from './folders.js';

const FINALIZER = 'example.com/hold';
const TAKEN = 'A dashboard with the same name in the folder already exists';

oneStore('a dashboard', (server) => {
  const dashboards = dashboardsOf(server);
  const folders = foldersOf(server);
  const newFolder = async (parent?: string, finalizers: readonly string[] = []): Promise<string> => {
    const name = freshName();
    await folders.make(name, { finalizers, ...(parent === undefined ? {} : { parent }) });
    return name;
  };
  const newDashboard = async (folder?: string, finalizers: readonly string[] = []): Promise<string> => {
    const name = freshName();
    await dashboards.make(name, { finalizers, ...(folder === undefined ? {} : { folder }) });
    return name;
  };
  const isGone = async (name: string) => expectStatus(await dashboards.get(name), 404, 'NotFound');

  it('does not store the id, the uid and the version that it was saved with', async () => {
    const name = freshName();
    const spec = { id: 7, uid: 'another', version: 3, schemaVersion: 39, panels: [{ id: 1 }] };
    const made = await dashboards.make(name, { spec });
    expect(made.spec).to.deep.equal({ title: name, schemaVersion: 39, panels: [{ id: 1 }] });
    const same = await changingNothing(server(), () => dashboards.merge(name, { spec: { uid: 'x', version: 9 } }));
    expect(bodyOf(same, 200).metadata.generation).to.equal(1);
  });

  it('warns of a uid that is not its name', async () => {
    const name = freshName();
    const warningOf = async (answer: Promise<Answer>): Promise<unknown> => (await answer).headers['warning'];
    expect(`${await warningOf(dashboards.create(dashboard(name, { spec: { uid: 'another' } })))}`).to.include(
      'spec.uid',
    );
    expect(`${await warningOf(dashboards.merge(name, { spec: { uid: 'another' } }))}`).to.include('spec.uid');
    for (const uid of [name, '', null])
      expect(await warningOf(dashboards.merge(name, { spec: { uid, id: 7, version: 3 } })), `${uid}`).to.equal(
        undefined,
      );
  });

  it('has each tag once, without blanks around it, and no empty one', async () => {
    const made = await dashboards.make(freshName(), { spec: { tags: [' ops ', 'ops', '', 'Ops'] } });
    expect(made.spec).to.have.deep.property('tags', ['ops', 'Ops']);
  });

  it('is at the root for "general" and "", which are never stored', async () => {
    for (const folder of ['general', '']) {
      const made = await dashboards.make(freshName(), { folder });
      expect(made.metadata.annotations).to.not.have.property(FOLDER);
    }
  });

  it('has a title that no other dashboard in its folder has, in upper or lower case', async () => {
    const [first, second] = [await newFolder(), await newFolder()];
    const titled = (folder: string, title: string) => dashboard(freshName(), { folder, spec: { title } });
    const made = bodyOf(await dashboards.create(titled(first, 'Latency')), 201);
    const again = await changingNothing(server(), () => dashboards.create(titled(first, ' LATENCY')));
    const { details } = expectStatus(again, 422, 'Invalid', TAKEN);
    expect(details.causes).to.deep.equal([{ reason: 'FieldValueDuplicate', message: TAKEN, field: 'spec.title' }]);
    const elsewhere = bodyOf(await dashboards.create(titled(second, 'latency')), 201);
    expectStatus(await dashboards.move(elsewhere.metadata.name, first), 422, 'Invalid', TAKEN);
    accepted(await dashboards.remove(made.metadata.name), 200);
    accepted(await dashboards.move(elsewhere.metadata.name, first), 200);
  });

  it('gets a new generation by a change of its spec or of its folder, and by nothing else', async () => {
    const name = await newDashboard();
    const generation = async (patch: unknown) => bodyOf(await dashboards.merge(name, patch), 200).metadata.generation;
    expect(await generation({ metadata: { annotations: { 'svc.app/message': 'why' } } })).to.equal(1);
    expect(await generation({ spec: { refresh: '1m' } })).to.equal(2);
    expect(await generation({ metadata: { annotations: { [FOLDER]: await newFolder() } } })).to.equal(3);
  });

  it('cannot lie in a folder that can never exist', async () => {
    const name = freshName();
    const answer = await changingNothing(server(), () => dashboards.create(dashboard(name, { folder: 'no.ne' })));
    expectStatus(answer, 422, 'Invalid', 'there is no "no.ne" in folders.folder.svc.app');
  });

  it('cannot be put into a terminating folder', async () => {
    const folder = await newFolder(undefined, [FINALIZER]);
    const name = await newDashboard();
    bodyOf(await folders.remove(folder), 200);
    await changingNothing(server(), async () => {
      expectStatus(await dashboards.create(dashboard(freshName(), { folder })), 409, 'Conflict', 'is being deleted');
      expectStatus(await dashboards.move(name, folder), 409, 'Conflict', 'is being deleted');
    });
  });

  // Promise: specification 2.10
  it('is deleted with the folders above it, in one commit', async () => {
    const top = await newFolder();
    const middle = await newFolder(top);
    const names = [await newDashboard(top), await newDashboard(middle), await newDashboard(middle)];
    const beside = await newDashboard();
    const watch = await dashboards.watch({ resourceVersion: await folders.revision() });
    bodyOf(await folders.remove(top), 200);
    for (const name of names) await isGone(name);
    await dashboards.read(beside);
    const events = await watch.take(3);
    expect(events.map(({ type }) => type)).to.deep.equal(['DELETED', 'DELETED', 'DELETED']);
    expect(events.map(({ object }) => object.metadata.name)).to.have.members(names);
  });

  it('with finalizers stays terminating with the folders above it until the last finalizer is removed', async () => {
    const top = await newFolder();
    const middle = await newFolder(top);
    const [held, free] = [await newDashboard(middle, [FINALIZER]), await newDashboard(middle)];
    bodyOf(await folders.remove(top), 200);
    await isGone(free);
    expect((await dashboards.read(held)).metadata.deletionTimestamp).to.be.a('string');
    for (const name of [top, middle]) expect((await folders.read(name)).metadata.deletionTimestamp).to.be.a('string');
    accepted(await dashboards.merge(held, { metadata: { finalizers: null } }), 200);
    await isGone(held);
    for (const name of [top, middle]) expectStatus(await folders.get(name), 404, 'NotFound');
  });

  it('of more levels than a document may have is refused', async () => {
    const nested = (levels: number): string => `${'{"panels":['.repeat(levels)}1${']}'.repeat(levels)}`;
    const text = (panel: string) =>
      JSON.stringify(dashboard(freshName(), { spec: { panel: 0 } })).replace('"panel":0', `"panel":${panel}`);
    const answer = await changingNothing(server(), () => dashboards.create(text(nested(250))));
    expectStatus(answer, 400, 'BadRequest', 'deep');
    accepted(await dashboards.create(text(nested(45))), 201);
  });
});
