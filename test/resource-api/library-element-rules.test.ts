import { expect } from 'chai';
import { accepted, bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { legacyOf } from '../legacy-api/legacy.js';
import { dashboardsOf, FOLDER } from './dashboards.js';
import { foldersOf } from './folders.js';
import { elementsOf, libraryElement } from './library-elements.js';

const IN_USE = 'dashboards use this library element: remove it from them first';
const HOLDS_USED = { message: 'Folder could not be deleted because it contains library elements in use' };

oneStore('a library element', (server) => {
  const elements = elementsOf(server);
  const dashboards = dashboardsOf(server);
  const folders = foldersOf(server);
  const { ask, refused } = legacyOf(server);
  const newFolder = async (parent?: string): Promise<string> => {
    const name = freshName();
    await folders.make(name, parent === undefined ? {} : { parent });
    return name;
  };
  const connect = (element: string, folder?: string) =>
    dashboards.make(freshName(), {
      spec: { panels: [{ id: 1, libraryPanel: { uid: element } }] },
      ...(folder === undefined ? {} : { folder }),
    });

  // Promise: specification 2.10
  it('has the type and description of its model, and a panel whose libraryPanel has no uid gets its own', async () => {
    const name = freshName();
    const model = { type: 'stat', description: 'What', libraryPanel: { uid: '' } };
    const { spec } = await elements.make(name, { spec: { type: 'table', description: 'old', model } });
    expect(spec).to.deep.include({ type: 'stat', description: 'What' });
    expect(spec).to.have.deep.property('model', { ...model, libraryPanel: { uid: name } });
    const variable = await elements.make(freshName(), { spec: { kind: 2, model: { type: 'query' } } });
    expect(variable.spec).to.deep.include({ type: 'query', model: { type: 'query' } });
  });

  it('takes a change of its type or description into its model, if the model does not change them', async () => {
    const name = freshName();
    await elements.make(name, { spec: { model: { type: 'stat' } } });
    const typed = bodyOf(await elements.merge(name, { spec: { type: 'table', description: 'Rows' } }), 200);
    expect(typed.spec).to.have.nested.include({ 'model.type': 'table', 'model.description': 'Rows', type: 'table' });
    const both = { spec: { type: 'graph', model: { type: 'stat' } } };
    expect(bodyOf(await elements.merge(name, both), 200).spec).to.have.nested.include({
      'model.type': 'stat',
      type: 'stat',
    });
    await changingNothing(server(), () => elements.merge(name, { spec: { model: { type: 'stat' } } }));
  });

  it('cannot contain itself or another element', async () => {
    const name = freshName();
    for (const uid of [name, 'another']) {
      const model = { panels: [{ type: 'row', panels: [{ libraryPanel: { uid } }] }] };
      const refusal = await changingNothing(server(), () => elements.create(libraryElement(name, { spec: { model } })));
      expectStatus(refusal, 422, 'Invalid', 'spec.model.panels: Forbidden');
    }
  });

  it('has a name that no other element of its kind has in its folder', async () => {
    const [folder, name] = [await newFolder(), freshName()];
    await elements.make(name, { folder });
    const again = (more: object) => elements.create(libraryElement(freshName(), { folder, ...more }));
    expectStatus(await again({ spec: { name } }), 422, 'Invalid', 'spec.name');
    accepted(await again({ spec: { name, kind: 2 } }), 201);
    const elsewhere = await elements.make(freshName(), { spec: { name } });
    const move = { metadata: { annotations: { [FOLDER]: folder } } };
    expectStatus(await elements.merge(elsewhere.metadata.name, move), 422, 'Invalid', 'spec.name');
  });

  it('is at the root for "general" and "", and in no folder that can never exist', async () => {
    for (const folder of ['general', ''])
      expect((await elements.make(freshName(), { folder })).metadata.annotations).to.not.have.property(FOLDER);
    const missing = await elements.create(libraryElement(freshName(), { folder: 'no.where' }));
    expectStatus(missing, 422, 'Invalid', 'there is no "no.where"');
  });

  // Promise: specification 4.7
  it('is not deleted while a dashboard uses it, in both APIs', async () => {
    const name = freshName();
    await elements.make(name);
    const { metadata } = await connect(name);
    const refusal = await changingNothing(server(), () => elements.remove(name));
    const { details } = expectStatus(refusal, 403, 'Forbidden', IN_USE);
    expect(details.causes).to.deep.equal([{ reason: 'LibraryElementInUse', message: IN_USE }]);
    await changingNothing(server(), () => ask(403, 'DELETE', `/library-elements/${name}`));
    accepted(await dashboards.remove(metadata.name), 200);
    accepted(await elements.remove(name), 200);
  });

  it('goes with its folder and the dashboards in it that use it, in one commit', async () => {
    const outer = await newFolder();
    const [inner, name] = [await newFolder(outer), freshName()];
    await elements.make(name, { folder: outer });
    const { metadata } = await connect(name, inner);
    accepted(await folders.remove(outer), 200);
    expectStatus(await elements.get(name), 404, 'NotFound');
    expectStatus(await dashboards.get(metadata.name), 404, 'NotFound');
  });

  it('keeps its folder while dashboards elsewhere use it, in both APIs', async () => {
    const [folder, name] = [await newFolder(), freshName()];
    await elements.make(name, { folder });
    const { metadata } = await connect(name);
    await changingNothing(server(), async () => {
      expectStatus(await folders.remove(folder), 403, 'Forbidden', IN_USE);
      await refused(403, HOLDS_USED, 'DELETE', `/folders/${folder}`);
    });
    accepted(await dashboards.move(metadata.name, folder), 200);
    await ask(200, 'DELETE', `/folders/${folder}`);
  });

  it('is watched: what the legacy API writes arrives, and the other way round', async () => {
    const name = freshName();
    const frames = await elements.watch({ fieldSelector: `metadata.name=${name}` });
    await ask(200, 'POST', '/library-elements', { uid: name, name, kind: 1, model: { type: 'stat' } });
    bodyOf(await elements.merge(name, { spec: { model: { type: 'table' } } }), 200);
    const { result } = await ask(200, 'GET', `/library-elements/${name}`);
    expect(result).to.include({ uid: name, type: 'table', version: 2 });
    await ask(200, 'PATCH', `/library-elements/${name}`, { kind: 1, version: 2, name: `${name} renamed` });
    await ask(200, 'DELETE', `/library-elements/${name}`);
    const events = await frames.take(4);
    expect(events.map(({ type }) => type)).to.deep.equal(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED']);
    expect(events[2]?.object.spec).to.include({ name: `${name} renamed`, type: 'table' });
    await frames.close();
  });
});
