import { expect } from 'chai';
import { accepted, bodyOf, changingNothing, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { dashboardsOf } from '../resource-api/dashboards.js';
import { foldersOf } from '../resource-api/folders.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const NOT_FOUND = { message: 'Dashboard not found' };
const ID = 'svc.app/deprecatedInternalID';

oneStore('the home dashboard in preferences', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const dashboards = dashboardsOf(server);
  const folders = foldersOf(server);
  const resources = iam(server);
  const board = async (folder?: string): Promise<{ readonly uid: string; readonly id: number }> => {
    const { metadata } = await dashboards.make(fresh('home'), folder === undefined ? {} : { folder });
    return { uid: metadata.name, id: Number(metadata.labels?.[ID]) };
  };

  // Promise: specification 2.7, specification 4.13
  it('is set by uid or by number, and read as both', async () => {
    const home = await board();
    const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
    for (const path of ['/org/preferences', `/teams/${teamId}/preferences`]) {
      for (const body of [{ homeDashboardUID: home.uid }, { homeDashboardId: home.id }]) {
        accepted(await call('PUT', path, { body }), 200);
        const expected = { homeDashboardUID: home.uid, homeDashboardId: home.id };
        expect(await ask(200, 'GET', path), path).to.deep.equal(expected);
        accepted(await call('PATCH', path, { body: { theme: 'dark' } }), 200);
        expect(await ask(200, 'GET', path), path).to.deep.equal({ ...expected, theme: 'dark' });
      }
      accepted(await call('PATCH', path, { body: { homeDashboardUID: '' } }), 200);
      expect(await ask(200, 'GET', path), path).to.deep.equal({ theme: 'dark' });
    }
    await ask(200, 'PUT', '/org/preferences', {});
  });

  // Promise: specification 2.7, specification 4.8
  it('is refused with 404 "Dashboard not found" if there is no such dashboard, and nothing changes', async () => {
    for (const method of ['PUT', 'PATCH']) {
      for (const body of [{ homeDashboardUID: 'nothing' }, { homeDashboardId: 999_999 }])
        await changingNothing(server(), () => refused(404, NOT_FOUND, method, '/org/preferences', body));
      await refused(400, { message: 'bad request data' }, method, '/org/preferences', { homeDashboardId: -1 });
    }
  });

  it('is refused in the same words if the caller may not view it, in both APIs', async () => {
    const folder = fresh('closed');
    await folders.make(folder);
    const home = await board(folder);
    const { info, uid } = await person({ role: 'None' });
    for (const body of [{ homeDashboardUID: home.uid }, { homeDashboardId: home.id }])
      expect(await ask(404, 'PUT', '/user/preferences', body, { user: info })).to.deep.equal(NOT_FOUND);
    const preferences = {
      apiVersion: 'preferences.svc.app/v1beta1',
      kind: 'Preferences',
      metadata: { name: `user-${uid}` },
      spec: { homeDashboardUID: home.uid },
    };
    const path = '/apis/preferences.svc.app/v1beta1/namespaces/default/preferences';
    const answer = await server().call('POST', path, { body: preferences, user: info });
    expectStatus(answer, 422, 'Invalid', 'spec.homeDashboardUID: Not found');
  });

  it('counts as none after its dashboard is deleted, and the other preferences stay and can be changed', async () => {
    const [home, { info, uid }] = [await board(), await person()];
    const set = (method: string, body: Json) => call(method, '/user/preferences', { body, user: info });
    const read = (): Promise<Json> => ask(200, 'GET', '/user/preferences', undefined, { user: info });
    accepted(await set('PUT', { homeDashboardUID: home.uid, theme: 'dark' }), 200);
    accepted(await dashboards.remove(home.uid), 200);
    expect(await read()).to.deep.equal({ theme: 'dark' });
    accepted(await set('PATCH', { timezone: 'utc' }), 200);
    expect(await read()).to.deep.equal({ theme: 'dark', timezone: 'utc' });
    expect(bodyOf(await resources.get('Preferences', `user-${uid}`), 200).spec).to.include({ theme: 'dark' });
  });

  it('and the other preferences apply in this order: those of the user, of a team, of the organization', async () => {
    const [own, ofTeam, ofAll] = [await board(), await board(), await board()];
    const { info, id } = await person();
    const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
    await ask(200, 'POST', `/teams/${teamId}/members`, { userId: id });
    const shown = async (): Promise<Json> => {
      const home = await ask(200, 'GET', '/dashboards/home', undefined, { user: info });
      const boot = JSON.parse((await server().call('GET', '/bootdata', { user: info })).text);
      return [home.redirectUri, boot.user.theme, boot.user.timezone, boot.user.weekStart];
    };
    const url = (uid: string): string => `/d/${uid}/${uid}`;
    const all = { homeDashboardUID: ofAll.uid, theme: 'light', timezone: 'utc', weekStart: 'monday' };
    await call('PUT', '/org/preferences', { body: all });
    expect(await shown()).to.deep.equal([url(ofAll.uid), 'light', 'utc', 'monday']);
    await call('PUT', `/teams/${teamId}/preferences`, { body: { homeDashboardUID: ofTeam.uid, theme: 'dark' } });
    expect(await shown()).to.deep.equal([url(ofTeam.uid), 'dark', 'utc', 'monday']);
    const body = { homeDashboardUID: own.uid, timezone: 'browser', theme: '' };
    await call('PUT', '/user/preferences', { body, user: info });
    expect(await shown()).to.deep.equal([url(own.uid), 'dark', 'browser', 'monday']);
    accepted(await dashboards.remove(own.uid), 200);
    expect(await shown()).to.deep.equal([url(ofTeam.uid), 'dark', 'browser', 'monday']);
    await ask(200, 'PUT', '/org/preferences', {});
  });
});
