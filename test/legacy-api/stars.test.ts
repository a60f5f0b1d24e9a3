import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { accepted, bodyOf, changingNothing, expectStatus, resourceOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { dashboardsOf } from '../resource-api/dashboards.js';
import { foldersOf } from '../resource-api/folders.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const KIND = 'Dashboard';
const GROUP = 'dashboard.svc.app';
const API = 'collections.svc.app/v1beta1';
const NOT_FOUND = { message: 'Dashboard not found' };
const ID = 'svc.app/deprecatedInternalID';

eachStore('stars', (server) => {
  const { ask } = legacyOf(server);
  const { person, robot } = peopleOf(server);
  const dashboards = dashboardsOf(server);
  const folders = foldersOf(server);
  const resource = resourceOf(server, { apiVersion: API, resource: 'stars', scope: 'Namespaced' });
  const path = (uid: string): string => `/user/stars/dashboard/uid/${uid}`;
  const board = async (folder?: string): Promise<string> => {
    const { metadata } = await dashboards.make(fresh('board'), folder === undefined ? {} : { folder });
    return metadata.name;
  };
  const starred = (user: UserInfo): Promise<Json> => ask(200, 'GET', '/user/stars', undefined, { user });
  const star = (user: UserInfo, uid: string): Promise<Json> => ask(200, 'POST', path(uid), undefined, { user });
  const unstar = (user: UserInfo, uid: string): Promise<Json> => ask(200, 'DELETE', path(uid), undefined, { user });
  const object = (uid: string, ...names: readonly string[]) => ({
    apiVersion: API,
    kind: 'Stars',
    metadata: { name: `user-${uid}` },
    spec: { resource: [{ group: GROUP, kind: KIND, names }] },
  });

  // Promise: specification 3, specification 4.4
  it('POST and DELETE /api/user/stars/dashboard/uid/:uid star and unstar, for the caller alone', async () => {
    const [{ info, uid }, other, name] = [await person(), await person(), await board()];
    expect(await starred(info)).to.deep.equal([]);
    expect(await star(info, name)).to.deep.equal({ message: 'Dashboard starred!' });
    expect(await starred(info)).to.deep.equal([name]);
    expect(await starred(other.info)).to.deep.equal([]);
    expect(bodyOf(await resource.get(`user-${uid}`), 200).spec).to.deep.equal(object(uid, name).spec);
    await changingNothing(server(), () => star(info, name));
    expect(await unstar(info, name)).to.deep.equal({ message: 'Dashboard unstarred' });
    expect(await starred(info)).to.deep.equal([]);
  });

  it('are shown by dashboards and searches, and ?starred=true finds them', async () => {
    const [{ info }, one, other] = [await person(), await board(), await board()];
    await star(info, one);
    const shown = async (uid: string): Promise<boolean> =>
      (await ask(200, 'GET', `/dashboards/uid/${uid}`, undefined, { user: info })).meta.isStarred;
    expect([await shown(one), await shown(other)]).to.deep.equal([true, false]);
    const search = (query: string): Promise<Json> => ask(200, 'GET', `/search?${query}`, undefined, { user: info });
    const uids = (found: Json): string[] => found.map(({ uid }: Json) => uid);
    expect(uids(await search('starred=true'))).to.deep.equal([one]);
    const both = await search(`dashboardUIDs=${one},${other}`);
    expect(both.filter(({ isStarred }: Json) => isStarred).map(({ uid }: Json) => uid)).to.deep.equal([one]);
    await unstar(info, one);
    expect(await search('starred=true')).to.deep.equal([]);
  });

  it('DELETE of a dashboard that is not starred, or that is gone, answers 200 and changes nothing', async () => {
    const [{ info }, name] = [await person(), await board()];
    for (const uid of [name, 'nothing'])
      expect(await changingNothing(server(), () => unstar(info, uid))).to.deep.equal({
        message: 'Dashboard unstarred',
      });
  });

  it('POST and DELETE /api/user/stars/dashboard/:id do the same by number', async () => {
    const { info } = await person();
    const { metadata } = await dashboards.make(fresh('board'));
    const byId = `/user/stars/dashboard/${metadata.labels?.[ID]}`;
    await ask(200, 'POST', byId, undefined, { user: info });
    expect(await starred(info)).to.deep.equal([metadata.name]);
    await ask(200, 'DELETE', byId, undefined, { user: info });
    expect(await starred(info)).to.deep.equal([]);
    for (const method of ['POST', 'DELETE']) {
      expect(await ask(404, method, '/user/stars/dashboard/999999', undefined, { user: info })).to.deep.equal(
        NOT_FOUND,
      );
      const invalid = await ask(400, method, '/user/stars/dashboard/x', undefined, { user: info });
      expect(invalid).to.deep.equal({ message: 'id is invalid' });
    }
  });

  // Promise: specification 3, specification 4.4
  it('POST answers 404 for a missing dashboard and 400 for an invalid uid, and changes nothing', async () => {
    const { info } = await person();
    for (const [status, message, uid] of [
      [404, 'Dashboard not found', 'nothing'],
      [400, 'Invalid dashboard UID', 'a%20b'],
      [400, 'Invalid dashboard UID', 'x'.repeat(41)],
    ] as const) {
      const answer = await changingNothing(server(), () => ask(status, 'POST', path(uid), undefined, { user: info }));
      expect(answer).to.deep.equal({ message });
    }
  });

  // Promise: security rights
  it('a dashboard that the caller may not view is like none, in both APIs', async () => {
    const folder = fresh('closed');
    await folders.make(folder);
    const name = await board(folder);
    const { info, uid, id } = await person({ role: 'None' });
    expect(await ask(404, 'POST', path(name), undefined, { user: info })).to.deep.equal(NOT_FOUND);
    const created = await resource.create(object(uid, name), { user: info });
    const { details } = expectStatus(created, 422, 'Invalid');
    const missing = await resource.create(object(uid, 'nothing'), { user: info });
    expect(JSON.stringify(details).replaceAll(name, 'nothing')).to.equal(
      JSON.stringify(expectStatus(missing, 422, 'Invalid').details),
    );
    await ask(200, 'POST', `/access-control/folders/${folder}/users/${id}`, { permission: 'View' });
    await star(info, name);
    expect(await starred(info)).to.deep.equal([name]);
    await ask(200, 'POST', `/access-control/folders/${folder}/users/${id}`, {});
    expect(await starred(info)).to.deep.equal([]);
  });

  it('the star of a deleted dashboard is not shown, and is removed by the next change', async () => {
    const [{ info, uid }, gone, kept, added] = [await person(), await board(), await board(), await board()];
    await star(info, gone);
    await star(info, kept);
    accepted(await dashboards.remove(gone), 200);
    expect(await starred(info)).to.deep.equal([kept]);
    await star(info, added);
    expect(bodyOf(await resource.get(`user-${uid}`), 200).spec).to.deep.equal(object(uid, kept, added).spec);
  });

  it('are watched: what the legacy API writes arrives, and the other way round', async () => {
    const [{ info, uid }, first, second] = [await person(), await board(), await board()];
    const frames = await resource.watch({}, { user: info });
    await star(info, first);
    accepted(await resource.put(`user-${uid}`, object(uid, second, first, second), { user: info }), 200);
    expect(await starred(info)).to.deep.equal([second, first]);
    await unstar(info, second);
    const events = await frames.take(3);
    expect(events.map(({ type, object: { spec } }) => [type, spec])).to.deep.equal([
      ['ADDED', object(uid, first).spec],
      ['MODIFIED', object(uid, second, first).spec],
      ['MODIFIED', object(uid, first).spec],
    ]);
    await frames.close();
  });

  it('go with the membership of their user', async () => {
    const [{ info, uid, id }, name] = [await person(), await board()];
    await star(info, name);
    await ask(200, 'DELETE', `/org/users/${id}`);
    expectStatus(await resource.get(`user-${uid}`), 404, 'NotFound');
  });

  it('go with their user', async () => {
    const [{ info, uid, id }, name] = [await person(), await board()];
    await star(info, name);
    await ask(200, 'DELETE', `/admin/users/${id}`);
    expectStatus(await resource.get(`user-${uid}`), 404, 'NotFound');
  });

  it('of 64 dashboards that one user stars at once are all kept', async () => {
    const { info } = await person();
    const names = await Promise.all(Array.from({ length: 64 }, () => board()));
    await Promise.all(names.map((name) => star(info, name)));
    expect(await starred(info)).to.have.members(names);
  });

  // Promise: security work
  it('are at most 1000, in both APIs', async () => {
    const { info, uid } = await person();
    const names = Array.from({ length: 1001 }, (_, i) => `many-${i}`);
    expectStatus(await resource.create(object(uid, ...names), { user: info }), 422, 'Invalid');
  });

  it('service accounts have none', async () => {
    const user = await robot();
    const expected = { message: 'Endpoint only available for users' };
    expect(await ask(403, 'GET', '/user/stars', undefined, { user })).to.deep.equal(expected);
    expect(await ask(403, 'POST', path(await board()), undefined, { user })).to.deep.equal(expected);
  });
});
