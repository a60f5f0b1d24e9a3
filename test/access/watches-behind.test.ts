import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { addDashboard, addFolder, addPeople, DASHBOARDS, FOLDER, FOLDERS, PRIVATE, VIEWER } from './people.js';
import { dashboard, folder } from './private.js';

oneStore('a watch that has not looked for some time', (server) => {
  const remove = async (path: string) => expect((await server().call('DELETE', path)).status).to.equal(200);
  const revision = async (): Promise<string> =>
    (await server().call('GET', DASHBOARDS, { user: VIEWER })).json().metadata.resourceVersion ?? '';
  /** The first event of a Viewer's watch of the dashboards from a revision. */
  const first = async (resourceVersion: string): Promise<unknown> => {
    const query = { watch: 'true', resourceVersion };
    const { frames } = await server().call('GET', DASHBOARDS, { user: VIEWER, query });
    await addDashboard(server(), `next-${resourceVersion}`);
    const [event] = await frames.take(1);
    await frames.close();
    return event?.object.code ?? event?.object.metadata.name;
  };

  before(() => addPeople(server()));

  // Promise: security rights
  it('has to list again after a private folder was deleted and made again as an open one', async () => {
    await folder(server(), 'other', PRIVATE);
    await folder(server(), 'walled', PRIVATE);
    await dashboard(server(), 'in-walled', { [FOLDER]: 'walled' });
    const before = await revision();
    await remove(`${FOLDERS}/walled`);
    await addFolder(server(), 'walled');
    expect(await first(before)).to.equal(410);
    await remove(`${FOLDERS}/other`);
  });

  // Promise: security rights
  it('has to list again after a folder that waited was deleted and made again as one that does not', async () => {
    await addFolder(server(), 'always', 'never');
    await addFolder(server(), 'waited', 'never');
    await addDashboard(server(), 'in-waited', 'waited');
    const before = await revision();
    await remove(`${FOLDERS}/waited`);
    await addFolder(server(), 'waited');
    expect(await first(before)).to.equal(410);
    await remove(`${FOLDERS}/always`);
  });

  it('goes on after a folder was made and deleted', async () => {
    await folder(server(), 'third', PRIVATE);
    const before = await revision();
    await addFolder(server(), 'short');
    await remove(`${FOLDERS}/short`);
    expect(await first(before)).to.equal(`next-${before}`);
    await remove(`${FOLDERS}/third`);
  });
});
