import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { differenceOf } from '../harness/described-answer.js';
import { routesElsewhereOf } from '../harness/legacy-routes.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

oneStore('GET /api/search', (server) => {
  const { ask } = legacyOf(server);
  const people = peopleOf(server);
  const save = (dashboard: Json, more: Json = {}): Promise<Json> =>
    ask(200, 'POST', '/dashboards/db', { dashboard, ...more });
  const newFolder = (more: Json = {}): Promise<Json> =>
    ask(200, 'POST', '/folders', { title: fresh('Folder'), ...more });
  const find = (query: string, user?: UserInfo): Promise<Json> =>
    ask(200, 'GET', `/search?${query}`, undefined, user === undefined ? {} : { user });
  const uids = async (query: string, user?: UserInfo): Promise<readonly string[]> =>
    (await find(query, user)).map(({ uid }: Json) => uid);
  const text = encodeURIComponent;

  it('finds dashboards and folders together, by title, with the folders that they lie in', async () => {
    const mark = fresh('Mark');
    const folder = await newFolder({ title: `${mark} b` });
    const inner = await save({ title: `${mark} C`, tags: ['ops', 'Blue'] }, { folderUid: folder.uid });
    const first = await save({ title: `${mark} A` });
    const found = await find(`query=${mark}`);
    expect(found.map(({ title }: Json) => title)).to.deep.equal([`${mark} A`, `${mark} b`, `${mark} C`]);
    expect(found[2]).to.deep.equal({
      id: inner.id,
      uid: inner.uid,
      orgId: 1,
      title: `${mark} C`,
      uri: `db/${inner.slug}`,
      url: inner.url,
      slug: '',
      type: 'dash-db',
      tags: ['ops', 'Blue'],
      sortMeta: 0,
      isStarred: false,
      folderId: folder.id,
      folderUid: folder.uid,
      folderTitle: folder.title,
      folderUrl: folder.url,
    });
    expect(found[0]).to.include({ uid: first.uid, type: 'dash-db' }).and.not.have.any.keys('folderUid', 'folderId');
    expect(found[1]).to.include({ uid: folder.uid, type: 'dash-folder', id: folder.id });
    expect(await uids(`query=${mark}&sort=alpha-desc`)).to.deep.equal([inner.uid, folder.uid, first.uid]);
    expect(await uids(`query=${mark}&type=dash-db`)).to.deep.equal([first.uid, inner.uid]);
    expect(await uids(`query=${mark}&type=dash-folder`)).to.deep.equal([folder.uid]);
    expect(await ask(200, 'GET', `/search/?query=${mark}`)).to.have.length(3);
  });

  it('finds what has all words of the query in its title, in any order', async () => {
    const mark = fresh('Mark');
    const both = await save({ title: `Requests of ${mark} by Zone` });
    const one = await save({ title: `Requests of ${mark}` });
    expect(await uids(`query=${text(`zone  ${mark} REQUESTS`)}`)).to.deep.equal([both.uid]);
    expect(await uids(`query=${text(`${mark} quest`)}`)).to.deep.equal([one.uid, both.uid]);
    expect(await uids(`query=${text(`${mark} quest none`)}`)).to.deep.equal([]);
  });

  it('finds dashboards that have every tag', async () => {
    const [red, blue] = [fresh('red'), fresh('blue')];
    const both = await save({ title: fresh('Both'), tags: [red, blue] });
    const one = await save({ title: fresh('One'), tags: [red] });
    expect(await uids(`tag=${red}`)).to.deep.equal([both.uid, one.uid]);
    expect(await uids(`tag=${red}&tag=${blue}`)).to.deep.equal([both.uid]);
    expect(await uids(`tag=${red}&query=one`)).to.deep.equal([one.uid]);
    expect(await uids(`tag=${red.toUpperCase()}`)).to.deep.equal([]);
    expect(await uids(`tag=${red}&type=dash-folder`)).to.deep.equal([]);
  });

  it('finds by uids, by the ids of dashboards, and by folders', async () => {
    const folder = await newFolder();
    const [inside, outside] = [
      await save({ title: fresh('Inside') }, { folderUid: folder.uid }),
      await save({ title: fresh('Outside') }),
    ];
    const ids = `dashboardIds=${inside.id}&dashboardIds=${outside.id}`;
    expect(await uids(`dashboardUIDs=${inside.uid},${folder.uid},none`)).to.deep.equal([folder.uid, inside.uid]);
    expect(await uids(`dashboardUID=${outside.uid}`)).to.deep.equal([outside.uid]);
    expect(await uids(ids)).to.deep.equal([inside.uid, outside.uid]);
    expect(await uids(`${ids}&folderIds=${folder.id}`)).to.deep.equal([inside.uid]);
    expect(await uids(`${ids}&folderIds=0`)).to.deep.equal([outside.uid]);
    expect(await uids(`${ids}&folderUIDs=general`)).to.deep.equal([outside.uid]);
    expect(await uids(`${ids}&folderUIDs=general&folderUIDs=${folder.uid}`)).to.deep.equal([inside.uid, outside.uid]);
    expect(await uids(`folderUIDs=${folder.uid}`)).to.deep.equal([inside.uid]);
    for (const none of ['dashboardIds=987654', 'folderIds=987654', 'folderUIDs=none'])
      expect(await uids(none), none).to.deep.equal([]);
  });

  it('answers in pages of at most the limit, and is empty after the last page', async () => {
    const mark = fresh('Mark');
    for (const number of [1, 2, 3]) await save({ title: `${mark} ${number}` });
    const all = await uids(`query=${mark}`);
    expect(await uids(`query=${mark}&limit=2`)).to.deep.equal(all.slice(0, 2));
    expect(await uids(`query=${mark}&limit=2&page=2`)).to.deep.equal(all.slice(2));
    expect(await uids(`query=${mark}&limit=2&page=3`)).to.deep.equal([]);
    for (const ignored of ['limit=0', 'limit=-1', 'limit=100000', 'page=0', 'page=-1', 'deleted=false', 'sort='])
      expect(await uids(`query=${mark}&${ignored}`), ignored).to.deep.equal(all);
  });

  it('finds what the caller may view, or may edit, and does not tell about folders that they may not view', async () => {
    const mark = fresh('Mark');
    const folder = await newFolder({ title: `${mark} folder` });
    const inside = await save({ title: `${mark} inside` }, { folderUid: folder.uid });
    const alone = await save({ title: `${mark} single` }, { folderUid: (await newFolder()).uid });
    await save({ title: `${mark} hidden` });
    const { id, info } = await people.person({ role: 'None' });
    expect(await uids(`query=${mark}`, info)).to.deep.equal([]);
    const grant = (path: string, permission: number): Promise<Json> =>
      ask(200, 'POST', `${path}/permissions`, { items: [{ userId: id, permission }] });
    await grant(`/folders/${folder.uid}`, 1);
    await grant(`/dashboards/uid/${alone.uid}`, 2);
    const found = await find(`query=${mark}`, info);
    expect(found.map(({ uid }: Json) => uid)).to.deep.equal([folder.uid, inside.uid, alone.uid]);
    expect(found[1]).to.include({ folderUid: folder.uid });
    expect(found[2]).to.not.have.any.keys('folderUid', 'folderTitle', 'folderId', 'folderUrl');
    expect(await uids(`query=${mark}&permission=Edit`, info)).to.deep.equal([alone.uid]);
    expect(await uids(`query=${mark}&permission=View`, info)).to.have.length(3);
    expect(await uids(`dashboardUIDs=${inside.uid}`, info)).to.deep.equal([inside.uid]);
  });

  it('finds nothing starred for a caller without stars', async () => {
    await save({ title: fresh('Starless') });
    expect(await uids('starred=true')).to.deep.equal([]);
  });

  it('finds the dashboards of this organization only, and sees every change at once', async () => {
    const mark = fresh('Mark');
    const { uid } = await save({ title: mark, tags: [mark] });
    const { orgId } = await ask(200, 'POST', '/orgs', { name: fresh('elsewhere') });
    expect(await uids(`orgId=${orgId}&query=${mark}`)).to.deep.equal([]);
    expect(await uids(`orgId=${orgId}&tag=${mark}`)).to.deep.equal([]);
    await save({ uid, title: `${mark} renamed`, tags: [] }, { overwrite: true });
    expect(await uids(`query=${text(`${mark} renamed`)}`)).to.deep.equal([uid]);
    expect(await uids(`tag=${mark}`)).to.deep.equal([]);
    await ask(200, 'DELETE', `/dashboards/uid/${uid}`);
    expect(await uids(`query=${mark}`)).to.deep.equal([]);
  });

  it('tells which hits are private, by themselves or by a folder above', async () => {
    const mark = fresh('Mark');
    const [open, closed] = [await newFolder({ title: `${mark} a` }), await newFolder({ title: `${mark} b` })];
    const inner = await newFolder({ title: `${mark} c`, parentUid: closed.uid });
    const deep = await save({ title: `${mark} d` }, { folderUid: inner.uid });
    await ask(200, 'POST', `/folders/${closed.uid}/permissions`, { items: [] });
    const path = `/apis/dashboard.svc.app/v0alpha1/namespaces/default/search?query=${mark}`;
    const answer = await server().call('GET', path);
    const { hits } = answer.json() as Json;
    expect(hits.map(({ name, private: isPrivate, inPrivate }: Json) => [name, isPrivate, inPrivate])).to.deep.equal([
      [open.uid, undefined, undefined],
      [closed.uid, true, undefined],
      [inner.uid, undefined, true],
      [deep.uid, undefined, true],
    ]);
    const route = routesElsewhereOf(server()).find(({ path: at }) => at.endsWith('/search'));
    expect(differenceOf(route ?? {}, answer.text)).to.equal(undefined);
  });

  // Promise: specification 4.11
  it('answers command lines by the namespace, with hits that name resources, and how many there are', async () => {
    const mark = fresh('Mark');
    const folder = await newFolder({ title: `${mark} a` });
    const inner = await save({ title: `${mark} b`, tags: ['ops', 'red, hot'] }, { folderUid: folder.uid });
    const path = (query: string, namespace = 'default'): string =>
      `/apis/dashboard.svc.app/v0alpha1/namespaces/${namespace}/search?query=${mark}${query}`;
    const get = async (query: string): Promise<Json> => {
      const answer = await server().call('GET', path(query));
      expect(answer.status, answer.text).to.equal(200);
      return answer.json();
    };
    expect(await get('')).to.deep.equal({
      kind: 'SearchResults',
      apiVersion: 'dashboard.svc.app/v0alpha1',
      offset: 0,
      totalHits: 2,
      hits: [
        { resource: 'folders', name: folder.uid, title: `${mark} a` },
        { resource: 'dashboards', name: inner.uid, title: `${mark} b`, tags: ['ops', 'red, hot'], folder: folder.uid },
      ],
    });
    const names = async (query: string) => (await get(query)).hits.map(({ name }: Json) => name);
    expect(await names('&type=dashboard')).to.deep.equal([inner.uid]);
    expect(await names('&type=folder')).to.deep.equal([folder.uid]);
    expect(await names('&tag=ops')).to.deep.equal([inner.uid]);
    expect(await names(`&tag=ops&tag=${text('red, hot')}`)).to.deep.equal([inner.uid]);
    expect(await names('&tag=ops&tag=other')).to.deep.equal([]);
    expect(await names(`&folder=${folder.uid}`)).to.deep.equal([inner.uid]);
    expect(await names('&limit=1&sort=-title')).to.deep.equal([inner.uid]);
    expect(await get('&limit=1&offset=1')).to.deep.include({ totalHits: 2, offset: 1 });
    const { info: user } = await people.person({ role: '' });
    expect((await server().call('GET', path('', 'none'))).status).to.equal(404);
    expect((await server().call('GET', path(''), { user })).json()).to.deep.include({ totalHits: 0, hits: [] });
  });

  it('tells with details who changed a hit and when, and what the caller may view in a folder', async () => {
    const mark = fresh('Mark');
    const folder = await newFolder({ title: `${mark} a` });
    const hidden = await newFolder({ title: 'Hidden', parentUid: folder.uid });
    await ask(200, 'POST', `/folders/${hidden.uid}/permissions`, { items: [] });
    await newFolder({ title: 'Seen', parentUid: folder.uid });
    await save({ title: `${mark} b`, panels: [] }, { folderUid: folder.uid });
    const { info: user } = await people.person({ role: 'Viewer' });
    const path = `/apis/dashboard.svc.app/v0alpha1/namespaces/default/search?query=${mark}&details=true`;
    const get = async (more = {}): Promise<Json> => (await server().call('GET', path, more)).json();
    const contents = ({ hits }: Json) => hits.map((hit: Json) => hit.contents);
    expect(contents(await get())).to.deep.equal([{ folders: 2, dashboards: 1 }, undefined]);
    expect(contents(await get({ user }))).to.deep.equal([{ folders: 1, dashboards: 1 }, undefined]);
    for (const hit of (await get()).hits) {
      expect(hit.updated).to.match(/^20\d\d-.*Z$/);
      expect(Object.keys(hit.updatedBy)).to.deep.equal(['login', 'name']);
    }
    const answer = await server().call('GET', path);
    const route = routesElsewhereOf(server()).find(({ path: at }) => at.endsWith('/search'));
    expect(differenceOf(route ?? {}, answer.text)).to.equal(undefined);
    expect((await server().call('GET', `${path}&limit=101`)).status).to.equal(400);
  });

  it('sorts by the last change, whoever looks, and leaves out what they may not view', async () => {
    const mark = fresh('changed');
    const folder = await newFolder({ title: mark });
    const [one, other] = [await save({ title: `${mark} 1` }), await save({ title: `${mark} 2` })];
    const secret = await newFolder({ title: `${mark} secret` });
    await server().call('PATCH', `/apis/folder.svc.app/v1beta1/namespaces/default/folders/${secret.uid}`, {
      body: { metadata: { annotations: { 'svc.app/basic-roles': 'none' } } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    await save({ uid: one.uid, title: `${mark} 1 again` }, { overwrite: true });
    const names = async (query: string, more = {}): Promise<string[]> => {
      const path = `/apis/dashboard.svc.app/v0alpha1/namespaces/default/search?query=${mark}&sort=changed${query}`;
      const answer = await server().call('GET', path, more);
      expect(answer.status, answer.text).to.equal(200);
      const { hits }: Json = answer.json();
      return hits.map(({ name }: Json) => name);
    };
    expect(await names('')).to.deep.equal([one.uid, secret.uid, other.uid, folder.uid]);
    expect(await names('&limit=2&offset=1')).to.deep.equal([secret.uid, other.uid]);
    const { info: user } = await people.person({ role: 'Viewer' });
    expect(await names('', { user })).to.deep.equal([one.uid, other.uid, folder.uid]);
  });

  it('sorts by rank, and counts the hits by kind and tag, whatever type is asked for', async () => {
    const word = fresh('rank');
    const folder = await newFolder({ title: word });
    const made = async (title: string, ...tags: string[]) =>
      (await save({ title, tags }, { folderUid: folder.uid })).uid;
    const part = await made(`a meta${word}`, 'ops');
    const inner = await made(`big ${word}`, 'ops', 'shop');
    const equal = await made(word);
    const begins = await made(`${word} rates`);
    const get = async (query: string): Promise<Json> => {
      const path = `/apis/dashboard.svc.app/v0alpha1/namespaces/default/search?query=${word}${query}`;
      const answer = await server().call('GET', path);
      expect(answer.status, answer.text).to.equal(200);
      return answer.json();
    };
    const names = ({ hits }: Json): string[] => hits.map(({ name }: Json) => name);
    const { facets, ...ranked } = await get('&sort=rank&facet=tags&facet=resource');
    expect(names(ranked)).to.deep.equal([folder.uid, equal, begins, inner, part]);
    expect(facets).to.deep.equal({
      tags: {
        field: 'tags',
        total: 2,
        terms: [
          { term: 'ops', count: 2 },
          { term: 'shop', count: 1 },
        ],
      },
      resource: {
        field: 'resource',
        total: 2,
        terms: [
          { term: 'dashboards', count: 4 },
          { term: 'folders', count: 1 },
        ],
      },
    });
    const boards = await get('&sort=rank&facet=resource&type=dashboard&limit=2&offset=1');
    expect(boards).to.deep.include({ totalHits: 4, facets: { resource: facets.resource } });
    expect(names(boards)).to.deep.equal([begins, inner]);
    // Without a choice, the order is by title, as before.
    expect(names(await get('&type=dashboard'))).to.deep.equal([part, inner, equal, begins]);
    for (const wrong of ['sort=best', 'facet=title', 'sort=rank&offset=9999&limit=2']) {
      const answer = await server().call('GET', `/apis/dashboard.svc.app/v0alpha1/namespaces/default/search?${wrong}`);
      expect(answer.status, wrong).to.equal(400);
    }
    const hidden = await people.person({ role: '' });
    const path = `/apis/dashboard.svc.app/v0alpha1/namespaces/default/search?query=${word}&facet=tags&facet=resource`;
    expect((await server().call('GET', path, { user: hidden.info })).json()).to.deep.include({
      facets: { tags: { field: 'tags', total: 0, terms: [] }, resource: { field: 'resource', total: 0, terms: [] } },
    });
  });
});
