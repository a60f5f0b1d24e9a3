import { expect } from 'chai';
import { accepted, bodyOf, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { worldOf } from '../history/past.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from '../legacy-api/legacy.js';
import { type Person, peopleOf } from '../legacy-api/people.js';
import { dashboard, dashboardsOf } from '../resource-api/dashboards.js';

const ID = 'svc.app/deprecatedInternalID';
const PRIVATE = { 'svc.app/basic-roles': 'none' };
const GROUP = 'dashboard.svc.app';

oneStore('a later dashboard with the uid of one that is gone', (server) => {
  const { ask, call } = legacyOf(server);
  const { person } = peopleOf(server);
  const dashboards = dashboardsOf(server);
  const preferences = resourceOf(server, {
    apiVersion: 'preferences.svc.app/v1beta1',
    resource: 'preferences',
    scope: 'Namespaced',
  });
  const stars = resourceOf(server, {
    apiVersion: 'collections.svc.app/v1beta1',
    resource: 'stars',
    scope: 'Namespaced',
  });
  const make = async (name: string, annotations?: object): Promise<number> => {
    const body = dashboard(name) as Json;
    if (annotations) body.metadata.annotations = annotations;
    const { metadata } = bodyOf(await dashboards.create(body), 201);
    return Number(metadata.labels?.[ID]);
  };
  const open = (name: string) => dashboards.merge(name, { metadata: { annotations: { 'svc.app/basic-roles': null } } });
  const get = ({ info }: Person, path: string): Promise<Json> => ask(200, 'GET', path, undefined, { user: info });
  /** What the legacy API tells of the home dashboard and the stars of a person. */
  const told = async (who: Person, name: string): Promise<Json> => ({
    preferences: await get(who, '/user/preferences'),
    home: (await get(who, '/dashboards/home')).redirectUri,
    stars: await get(who, '/user/stars'),
    starred: (await get(who, '/search?starred=true')).length,
    marked: (await get(who, `/search?dashboardUIDs=${name}`)).filter(({ isStarred }: Json) => isStarred).length,
  });
  const NOTHING = { preferences: {}, home: undefined, stars: [], starred: 0, marked: 0 };
  const all = (name: string, id: number): Json => ({
    preferences: { homeDashboardUID: name, homeDashboardId: id },
    home: `/d/${name}/${name}`,
    stars: [name],
    starred: 1,
    marked: 1,
  });
  const choose = async ({ info }: Person, name: string): Promise<void> => {
    await ask(200, 'POST', `/user/stars/dashboard/uid/${name}`, undefined, { user: info });
    accepted(await call('PUT', '/user/preferences', { body: { homeDashboardUID: name }, user: info }), 200);
  };
  /** A person whose home dashboard, which has a star, is gone. */
  const bereft = async (): Promise<readonly [Person, string]> => {
    const [who, name] = [await person(), fresh('later')];
    const id = await make(name);
    await choose(who, name);
    expect(await told(who, name)).to.deep.equal(all(name, id));
    accepted(await dashboards.remove(name), 200);
    expect(await told(who, name)).to.deep.equal(NOTHING);
    return [who, name];
  };

  // Promise: security rights
  it('is neither the home dashboard nor starred, and its number is not told, whether it is private or not', async () => {
    const [who, name] = await bereft();
    await make(name, PRIVATE);
    expect(await told(who, name)).to.deep.equal(NOTHING);
    accepted(await open(name), 200);
    expect(await told(who, name)).to.deep.equal(NOTHING);
    expect((await get(who, `/dashboards/uid/${name}`)).meta.isStarred).to.equal(false);
  });

  it('stays so after changes of other preferences and stars, in both APIs', async () => {
    const [[who, name], other] = [await bereft(), fresh('other')];
    await make(other);
    await make(name, PRIVATE);
    const spec = { homeDashboardUID: name, theme: 'dark' };
    accepted(await preferences.merge(`user-${who.uid}`, { spec }, { user: who.info }), 200);
    const resource = [{ group: GROUP, kind: 'Dashboard', names: [name, other] }];
    accepted(await stars.merge(`user-${who.uid}`, { spec: { resource } }, { user: who.info }), 200);
    accepted(await open(name), 200);
    const expected = { ...NOTHING, preferences: { theme: 'dark' }, stars: [other], starred: 1 };
    expect(await told(who, name)).to.deep.equal(expected);
    accepted(await call('PATCH', '/user/preferences', { body: { timezone: 'utc' }, user: who.info }), 200);
    await ask(200, 'DELETE', `/user/stars/dashboard/uid/${other}`, undefined, { user: who.info });
    const preferred = { theme: 'dark', timezone: 'utc' };
    expect(await told(who, name)).to.deep.equal({ ...NOTHING, preferences: preferred });
  });

  it('cannot be claimed with an annotation', async () => {
    const [who, name] = await bereft();
    const id = await make(name, PRIVATE);
    const metadata = { annotations: { 'svc.app/dashboard-ids': String(id) } };
    for (const kind of [preferences, stars])
      accepted(await kind.merge(`user-${who.uid}`, { metadata }, { user: who.info }), 200);
    accepted(await open(name), 200);
    expect(await told(who, name)).to.deep.equal(NOTHING);
  });

  it('is both after somebody who may view it chooses it, in both APIs', async () => {
    const [who, name] = await bereft();
    const id = await make(name, PRIVATE);
    const user = who.info;
    await ask(404, 'POST', `/user/stars/dashboard/uid/${name}`, undefined, { user });
    for (const [method, path] of [
      ['POST', `/user/stars/dashboard/${id}`],
      ['DELETE', `/user/stars/dashboard/${id}`],
    ] as const)
      await ask(404, method, path, undefined, { user });
    await ask(404, 'PUT', '/user/preferences', { homeDashboardId: id }, { user });
    accepted(await open(name), 200);
    await choose(who, name);
    expect(await told(who, name)).to.deep.equal(all(name, id));

    const [another, second] = await bereft();
    const number = await make(second);
    for (const kind of [preferences, stars]) {
      const { metadata, ...rest } = bodyOf(await kind.get(`user-${another.uid}`), 200);
      accepted(await kind.put(`user-${another.uid}`, { ...rest, metadata }, { user: another.info }), 200);
    }
    expect(await told(another, second)).to.deep.equal(all(second, number));
  });

  it('is another one than a dashboard that comes back from the trash', async () => {
    const [who, name] = await bereft();
    accepted(await worldOf(server).restore(dashboards, name), 201);
    expect(await told(who, name)).to.deep.equal(all(name, (await get(who, `/dashboards/uid/${name}`)).dashboard.id));
  });

  it('is not the home dashboard of a team or of everybody', async () => {
    const [who, name] = [await person(), fresh('later')];
    await make(name);
    const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
    await ask(200, 'POST', `/teams/${teamId}/members`, { userId: who.id });
    for (const path of ['/org/preferences', `/teams/${teamId}/preferences`])
      accepted(await call('PUT', path, { body: { homeDashboardUID: name } }), 200);
    expect((await get(who, '/dashboards/home')).redirectUri).to.equal(`/d/${name}/${name}`);
    accepted(await dashboards.remove(name), 200);
    await make(name);
    expect((await get(who, '/dashboards/home')).redirectUri).to.equal(undefined);
    for (const path of ['/org/preferences', `/teams/${teamId}/preferences`]) {
      expect(await ask(200, 'GET', path)).to.deep.equal({});
      await ask(200, 'PUT', path, {});
    }
  });
});

oneStore('the home dashboard of everybody', (server) => {
  const { ask } = legacyOf(server);
  const { person } = peopleOf(server);
  const { made } = iam(server);
  const dashboards = dashboardsOf(server);

  it('is told to nobody who may not view it', async () => {
    const [name, { uid, info }] = [fresh('hidden'), await person()];
    const body = dashboard(name) as Json;
    bodyOf(await dashboards.create({ ...body, metadata: { ...body.metadata, annotations: PRIVATE } }), 201);
    await made('Role', uid, { title: uid, permissions: [{ action: 'orgs.preferences:read' }] });
    await made('RoleBinding', uid, { subject: { kind: 'User', name: uid }, roleRef: { kind: 'Role', name: uid } });
    await ask(200, 'PUT', '/org/preferences', { homeDashboardUID: name, theme: 'dark' });
    expect(await ask(200, 'GET', '/org/preferences')).to.have.property('homeDashboardUID', name);
    expect(await ask(200, 'GET', '/org/preferences', undefined, { user: info })).to.deep.equal({ theme: 'dark' });
    await ask(200, 'PUT', '/org/preferences', {});
  });
});
