import { expect } from 'chai';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { WatchFilter } from '../../registry/kinds/authorizer.js';
import { oneStore } from '../harness/stores.js';
import { addDashboard, addFolder, addPeople, DASHBOARDS, FOLDER, FOLDERS, PRIVATE, VIEWER } from './people.js';
import { annotate, dashboard, folder } from './private.js';

const OPEN = { 'svc.app/basic-roles': null };

oneStore('a watch that has not looked for some time', (server) => {
  const remove = async (path: string) => expect((await server().call('DELETE', path)).status).to.equal(200);
  const revision = async (): Promise<string> =>
    (await server().call('GET', DASHBOARDS, { user: VIEWER })).json().metadata.resourceVersion ?? '';
  const change = async (path: string, annotations: Readonly<Record<string, string | null>>) =>
    expect((await annotate(server(), path, annotations)).status).to.equal(200);
  /** The first event of a Viewer's watch of the dashboards from a revision. */
  const first = async (resourceVersion: string): Promise<unknown> => {
    const query = { watch: 'true', resourceVersion };
    const { frames } = await server().call('GET', DASHBOARDS, { user: VIEWER, query });
    await addDashboard(server(), `next-${resourceVersion}`);
    const [event] = await frames.take(1);
    await frames.close();
    return event?.object.code ?? event?.object.metadata.name;
  };
  /** What a running watch of a Viewer allows. It looks when it is asked. */
  const running = (namespace: string): WatchFilter => {
    const { registry } = server().api;
    const kind = registry.kinds.find(({ kind }) => kind === 'Dashboard');
    if (kind === undefined) throw new Error('there is a kind Dashboard');
    const attributes = { user: VIEWER, verb: 'watch', kind, namespace };
    return registry.authorizer.watchFilter(attributes, registry.cacher, registry.cacher.revision);
  };
  const goesOn = (filter: WatchFilter): boolean => {
    try {
      filter.check();
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 410) return false;
      throw error;
    }
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

  // Promise: security rights
  it('has to list again after a folder was moved out of one that waits', async () => {
    await addFolder(server(), 'waiting', 'never');
    await addFolder(server(), 'moves', 'waiting');
    await addDashboard(server(), 'in-moves', 'moves');
    const before = await revision();
    await change(`${FOLDERS}/moves`, { [FOLDER]: null });
    expect(await first(before)).to.equal(410);
    await remove(`${FOLDERS}/waiting`);
  });

  it('goes on after a folder was made and deleted', async () => {
    await folder(server(), 'third', PRIVATE);
    const before = await revision();
    await addFolder(server(), 'short');
    await remove(`${FOLDERS}/short`);
    expect(await first(before)).to.equal(`next-${before}`);
    await remove(`${FOLDERS}/third`);
  });

  for (const [namespace, where] of [
    ['default', 'of a namespace'],
    ['', 'across namespaces'],
  ] as const) {
    // Promise: security rights
    it(`${where}, has to list again after something was private meanwhile`, async () => {
      const name = `seen${namespace}`;
      await addDashboard(server(), name);
      const entry = server().api.registry.reader.entry('dashboards.dashboard.svc.app', 'default', name);
      const watch = () => {
        const filter = running(namespace);
        expect(entry && filter.allows(entry)).to.equal(true);
        return filter;
      };
      const [first, second] = [watch(), watch()];
      await addFolder(server(), 'plain');
      await remove(`${FOLDERS}/plain`);
      expect([first, second].map(goesOn)).to.deep.equal([true, true]);
      await folder(server(), 'secret', PRIVATE);
      await remove(`${FOLDERS}/secret`);
      expect(goesOn(first), 'after it is deleted').to.equal(false);
      const third = watch();
      await folder(server(), 'secret', PRIVATE);
      await change(`${FOLDERS}/secret`, OPEN);
      expect([second, third].map(goesOn), 'after it is opened').to.deep.equal([false, false]);
      await remove(`${FOLDERS}/secret`);
    });

    // Promise: security rights
    it(`${where}, has to list again after a folder waited meanwhile, and came`, async () => {
      const filter = running(namespace);
      await addFolder(server(), `late${namespace}`, `later${namespace}`);
      await addFolder(server(), `later${namespace}`);
      expect(goesOn(filter)).to.equal(false);
    });
  }

  // Promise: security rights
  it('of all that is in a namespace has to list again after a folder waited meanwhile, and was deleted', async () => {
    const filter = running('default');
    await addFolder(server(), 'lost', 'nowhere');
    await remove(`${FOLDERS}/lost`);
    expect(goesOn(filter)).to.equal(false);
  });
});
