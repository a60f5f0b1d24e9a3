import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { dashboardsOf } from '../resource-api/dashboards.js';
import { ELEMENTS, legacyElementsOf } from './elements.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const NOT_FOUND = { message: 'library element could not be found' };
const BAD = { message: 'bad request data' };

oneStore('lists of library elements in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const dashboards = dashboardsOf(server);
  const path = ELEMENTS;
  const { make, get, folder, connect } = legacyElementsOf(server);

  describe('GET /api/library-elements', () => {
    const found = async (query: string, user?: Json): Promise<Json> =>
      (await ask(200, 'GET', `${path}?${query}`, undefined, user && { user })).result;
    const names = ({ elements: list }: Json): string[] => list.map(({ name }: Json) => name);

    // Promise: specification 4.7, specification 8
    it('lists elements by name in pages: totalCount, page, perPage, elements', async () => {
      const tag = fresh('Paged');
      for (const suffix of ['b', 'A', 'c']) await make({ name: `${tag} ${suffix}` });
      const all = await found(`searchString=${tag}`);
      expect(all).to.include({ totalCount: 3, page: 1, perPage: 100 });
      expect(names(all)).to.deep.equal([`${tag} A`, `${tag} b`, `${tag} c`]);
      expect(all.elements[0]).to.deep.equal(await get(all.elements[0].uid));
      expect(names(await found(`searchString=${tag}&sortDirection=alpha-desc`))).to.deep.equal(names(all).reverse());
      expect(names(await found(`searchString=${tag}&sortDirection=alpha-asc`))).to.deep.equal(names(all));
      const second = await found(`searchString=${tag}&perPage=2&page=2`);
      expect(second).to.include({ totalCount: 3, page: 2, perPage: 2 });
      expect(names(second)).to.deep.equal([`${tag} c`]);
      expect(await found(`searchString=${tag}&page=9`)).to.deep.include({ totalCount: 3, elements: [] });
      expect(await found(`searchString=${tag}&perPage=0&page=-1`)).to.include({ page: 1, perPage: 100 });
    });

    // Promise: specification 4.7
    it('searches name, description and title of the folder, ignoring case', async () => {
      const tag = fresh('Sought');
      const { uid: folderUid } = await folder(`Folder ${tag}`);
      await make({ name: `${tag} in the name` });
      await make({ name: 'B described', model: { description: `with ${tag}` } });
      await make({ name: 'A within', folderUid });
      await make({ name: fresh('other') });
      const expected = ['A within', 'B described', `${tag} in the name`];
      expect(names(await found(`searchString=${tag.toUpperCase()}`))).to.deep.equal(expected);
      expect(names(await found(`searchString=${tag}.*`))).to.deep.equal([]);
    });

    // Promise: specification 4.7
    it('filters by kind, types, excluded uid and folders', async () => {
      const tag = fresh('Filter');
      const one = await folder();
      const stat = await make({ name: `${tag} 1`, folderUid: one.uid });
      await make({ name: `${tag} 2`, model: { type: 'table' } });
      await make({ name: `${tag} 3`, kind: 2, model: { type: 'query' } });
      for (const [query, expected] of [
        ['kind=1', [1, 2]],
        ['kind=2', [3]],
        ['typeFilter=stat,query', [1, 3]],
        [`excludeUid=${stat.uid}`, [2, 3]],
        [`folderFilter=${one.id}`, [1]],
        [`folderFilter=0,${one.id}`, [1, 2, 3]],
        ['folderFilter=0', [2, 3]],
        ['folderFilter=999999', []],
        [`folderFilterUIDs=${one.uid}`, [1]],
        ['folderFilterUIDs=general', [2, 3]],
        [`folderFilterUIDs=${one.uid}&folderFilter=&kind=&typeFilter=&excludeUid=`, [1]],
      ] as const) {
        const list = names(await found(`searchString=${tag}&${query}`));
        expect(list, query).to.deep.equal(expected.map((number) => `${tag} ${number}`));
      }
      const both = { message: 'cannot pass both folderFilter and folderFilterUIDs' };
      await refused(400, both, 'GET', `${path}?folderFilter=1&folderFilterUIDs=x`);
      await refused(400, BAD, 'GET', `${path}?folderFilter=x`);
      const direction = { message: 'sortDirection must be alpha-asc or alpha-desc' };
      await refused(400, direction, 'GET', `${path}?sortDirection=desc`);
    });

    it('shows and counts only what the caller may view, and searches no titles of hidden folders', async () => {
      const tag = fresh('Hidden');
      const { uid: folderUid } = await folder(tag);
      const element = await make({ folderUid });
      const { info, id } = await person({ role: 'None' });
      expect(await found(`searchString=${tag}`, info)).to.deep.include({ totalCount: 0, elements: [] });
      for (const hidden of [element.uid, 'nothing', `${element.uid}/connections`, `name/${element.name}`])
        expect(await ask(404, 'GET', `${path}/${hidden}`, undefined, { user: info })).to.deep.equal(NOT_FOUND);
      await ask(200, 'POST', `/access-control/folders/${folderUid}/users/${id}`, { permission: 'View' });
      expect(names(await found(`searchString=${tag}`, info))).to.deep.equal([element.name]);
      await ask(200, 'GET', `${path}/${element.uid}`, undefined, { user: info });
    });
  });

  describe('GET /api/library-elements/:uid and /name/:name', () => {
    // Promise: specification 4.7, specification 7
    it('answer 404 for an unknown uid and for a name that none has', async () => {
      await refused(404, NOT_FOUND, 'GET', `${path}/nothing`);
      await refused(404, NOT_FOUND, 'GET', `${path}/name/nothing`);
    });

    // Promise: specification 4.7
    it('find all elements of a name, exactly', async () => {
      const [{ uid: folderUid }, name] = [await folder(), `${fresh('Named')} 50% & more`];
      const made = [await make({ name }), await make({ name, folderUid }), await make({ name, kind: 2 })];
      await make({ name: name.toUpperCase() });
      const { result } = await ask(200, 'GET', `${path}/name/${encodeURIComponent(name)}`);
      expect(result.map(({ uid }: Json) => uid)).to.have.members(made.map(({ uid }) => uid));
    });
  });

  describe('GET /api/library-elements/:uid/connections', () => {
    const connections = async (uid: string, user?: Json): Promise<Json> =>
      (await ask(200, 'GET', `${path}/${uid}/connections`, undefined, user && { user })).result;

    // Promise: specification 1, specification 2.6, specification 4.7
    it('lists the dashboards that use the element from the commit that saves them, also in rows', async () => {
      const { uid, id } = await make();
      expect(await connections(uid)).to.deep.equal([]);
      const first = await connect(uid);
      const inRow = [{ type: 'row', panels: [{ libraryPanel: { uid } }, { libraryPanel: { uid } }] }];
      const second = await connect(uid, { spec: { panels: inRow } });
      const list = await connections(uid);
      expect(list.map((one: Json) => one.connectionUid)).to.have.members(
        [first, second].map(({ metadata }) => metadata.name),
      );
      expect(list[0]).to.have.keys('id', 'kind', 'elementId', 'connectionId', 'connectionUid', 'created', 'createdBy');
      expect(list[0]).to.include({ kind: 1, elementId: id });
      expect(list[0].created).to.match(TIME);
      expect((await get(uid)).meta.connectedDashboards).to.equal(2);
      await dashboards.merge(first.metadata.name, { spec: { panels: [] } });
      expect(await connections(uid)).to.have.length(1);
      await dashboards.remove(second.metadata.name);
      expect(await connections(uid)).to.deep.equal([]);
      expect((await get(uid)).meta.connectedDashboards).to.equal(0);
    });

    // Promise: specification 4.7
    it('answers with a slash at the end, too, and 404 for an unknown element', async () => {
      const { uid } = await make();
      expect((await call('GET', `${path}/${uid}/connections/`)).status).to.equal(200);
      await refused(404, NOT_FOUND, 'GET', `${path}/nothing/connections/`);
    });

    it('lists only dashboards that the caller may view, and counts all of them', async () => {
      const [open, closed] = [await folder(), await folder()];
      const { uid } = await make({ folderUid: open.uid });
      await connect(uid, { folder: closed.uid });
      const visible = await connect(uid, { folder: open.uid });
      const { info, id } = await person({ role: 'None' });
      await ask(200, 'POST', `/access-control/folders/${open.uid}/users/${id}`, { permission: 'View' });
      const list = await connections(uid, info);
      expect(list.map((one: Json) => one.connectionUid)).to.deep.equal([visible.metadata.name]);
      const { result } = await ask(200, 'GET', `${path}/${uid}`, undefined, { user: info });
      expect(result.meta.connectedDashboards).to.equal(2);
    });
  });
});
