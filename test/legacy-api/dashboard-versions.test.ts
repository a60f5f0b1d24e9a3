import { expect } from 'chai';
import { bodyOf, changingNothing, resourceOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { DASHBOARDS, MESSAGE } from '../history/past.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

eachStore('versions of dashboards in the legacy API', (server) => {
  const { ask, refused } = legacyOf(server);
  const dashboards = resourceOf(server, DASHBOARDS);
  const people = peopleOf(server);
  const save = (dashboard: Json, more: Json = {}): Promise<Json> =>
    ask(200, 'POST', '/dashboards/db', { dashboard, ...more });

  /** A dashboard with three versions. */
  const saved = async (): Promise<Json> => {
    const title = fresh('Saved');
    const { uid, id } = await save({ title, panels: [] }, { message: 'first' });
    await save({ uid, title, panels: [], version: 1, tags: ['two'] });
    return {
      ...(await save({ uid, title, panels: [], version: 2, tags: ['three'] }, { message: 'third' })),
      id,
      title,
    };
  };

  // Promise: specification 2.10, specification 4.12
  it('are listed by uid and by number, the newest first', async () => {
    const { uid, id } = await saved();
    const { versions, continueToken } = await ask(200, 'GET', `/dashboards/uid/${uid}/versions`);
    expect(continueToken).to.equal('');
    expect(versions.map((one: Json) => [one.version, one.parentVersion, one.message])).to.deep.equal([
      [3, 2, 'third'],
      [2, 1, ''],
      [1, 0, 'first'],
    ]);
    expect(versions[2]).to.include({
      id: 1,
      dashboardId: id,
      uid,
      dashboardUID: uid,
      restoredFrom: 0,
      createdBy: 'Anonymous',
    });
    expect(versions[2].created).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(versions[2]).not.to.have.property('data');
    expect(await ask(200, 'GET', `/dashboards/id/${id}/versions`)).to.deep.equal(versions);
    const part = await ask(200, 'GET', `/dashboards/uid/${uid}/versions?limit=1&start=1`);
    expect(part.versions.map((one: Json) => one.version)).to.deep.equal([2]);
  });

  // Promise: specification 2.10
  it('are read whole', async () => {
    const { uid, id, title } = await saved();
    const version = await ask(200, 'GET', `/dashboards/uid/${uid}/versions/2`);
    expect(version).to.include({ version: 2, uid });
    expect(version.data).to.deep.equal({ title, panels: [], tags: ['two'], id, uid, version: 2 });
    expect(await ask(200, 'GET', `/dashboards/id/${id}/versions/2`)).to.deep.equal(version);
    expect((await ask(200, 'GET', `/dashboards/uid/${uid}/versions/3`)).data).to.include({ version: 3 });
  });

  it('name the author', async () => {
    const { login, info } = await people.person({ role: 'Editor' });
    const options = { user: info };
    const { uid } = await ask(200, 'POST', '/dashboards/db', { dashboard: { title: fresh('Own') } }, options);
    const { versions } = await ask(200, 'GET', `/dashboards/uid/${uid}/versions`);
    expect(versions[0].createdBy).to.equal(login);
  });

  // Promise: specification 2.10
  it('come back as the next version', async () => {
    const { uid, id, title } = await saved();
    const answer = await ask(200, 'POST', `/dashboards/uid/${uid}/restore`, { version: 1 });
    expect(answer).to.include({ status: 'success', uid, id, version: 4 });
    const { dashboard } = await ask(200, 'GET', `/dashboards/uid/${uid}`);
    expect(dashboard).to.deep.equal({ title, panels: [], id, uid, version: 4 });
    const { versions } = await ask(200, 'GET', `/dashboards/uid/${uid}/versions`);
    expect(versions[0]).to.include({ version: 4, restoredFrom: 1, message: 'Restored from version 1' });
    expect(await ask(200, 'POST', `/dashboards/id/${id}/restore`, { version: 2 })).to.include({ version: 5 });
  });

  it('that do not exist, or are the current one, are refused', async () => {
    const { uid, id } = await saved();
    const nothing = (status: number, message: string, method: string, path: string, body?: Json): Promise<void> =>
      changingNothing(server(), () => refused(status, { message }, method, path, body));
    await nothing(404, 'Dashboard version not found', 'GET', `/dashboards/uid/${uid}/versions/9`);
    await nothing(404, 'Dashboard version not found', 'POST', `/dashboards/uid/${uid}/restore`, { version: 9 });
    await nothing(404, 'Dashboard not found', 'GET', '/dashboards/uid/none/versions');
    await nothing(404, 'Dashboard not found', 'GET', '/dashboards/id/999999/versions');
    await nothing(404, 'Dashboard not found', 'POST', '/dashboards/uid/none/restore', { version: 1 });
    await nothing(400, 'id is invalid', 'GET', '/dashboards/id/x/versions');
    await nothing(400, 'version is invalid', 'GET', `/dashboards/uid/${uid}/versions/x`);
    await nothing(400, 'limit is invalid', 'GET', `/dashboards/uid/${uid}/versions?limit=x`);
    await nothing(400, 'bad request data', 'POST', `/dashboards/uid/${uid}/restore`, {});
    await nothing(400, 'bad request data', 'POST', `/dashboards/uid/${uid}/restore`, { version: 'x' });
    const identical = 'Current dashboard is identical to the specified version';
    await nothing(400, identical, 'POST', `/dashboards/id/${id}/restore`, { version: 3 });
  });

  it('are those of the resource API, in both directions', async () => {
    const { uid, id } = await saved();
    const metadata = { annotations: { [MESSAGE]: 'by kubectl' } };
    bodyOf(await dashboards.merge(uid, { metadata, spec: { tags: ['four'] } }), 200);
    const [newest] = await ask(200, 'GET', `/dashboards/id/${id}/versions`);
    expect(newest).to.include({ version: 4, message: 'by kubectl' });
    const frames = await dashboards.watch();
    await ask(200, 'POST', `/dashboards/uid/${uid}/restore`, { version: 1 });
    const isRestored = ({ type }: { readonly type: string }) => type === 'MODIFIED';
    const [event] = (await frames.until(isRestored)).slice(-1) as unknown as readonly Json[];
    expect(event.object.metadata.annotations[MESSAGE]).to.equal('Restored from version 1');
    await frames.close();
  });

  it('of a deleted dashboard bring it back with its number', async () => {
    const { uid, id, title } = await saved();
    await ask(200, 'DELETE', `/dashboards/uid/${uid}`);
    expect((await ask(200, 'GET', `/dashboards/uid/${uid}/versions`)).versions).to.have.length(3);
    expect(await ask(200, 'POST', `/dashboards/uid/${uid}/restore`, { version: 3 })).to.include({
      uid,
      id,
      version: 4,
    });
    expect((await ask(200, 'GET', `/dashboards/uid/${uid}`)).dashboard).to.include({ title, id });
  });
});
