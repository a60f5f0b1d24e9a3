import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { useConsole, usePerson } from './console.js';
import { DASHBOARDS, FOLDERS, PASSWORD, writerOn } from './content.js';
import { foldersOn } from './folders.js';
import { held } from './held.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('many objects in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const { folder, dashboard, patch } = foldersOn(() => running().server);
  const { send, remove, user } = writerOn(() => running().server);
  const { person, page } = usePerson(running);

  /** Makes so many objects, some of them at a time. */
  const many = async (count: number, make: (number: string) => Promise<unknown>): Promise<void> => {
    const left = Array.from({ length: count }, (_, index) => String(index).padStart(3, '0'));
    const work = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await make(one);
    };
    await Promise.all(Array.from({ length: 20 }, work));
  };
  const boardsIn = async (name: string, count: number): Promise<void> => {
    await folder(name, `Folder ${name}`);
    await many(count, (n) => dashboard(`${name}-${n}`, `Board ${n}`, name));
  };
  const scrollDown = async (list: string): Promise<void> => {
    await page().locator(list).hover();
    await page().mouse.wheel(0, 100_000);
  };

  it('are found with their places, in however many folders they lie', async () => {
    await folder('home', 'Home');
    await many(510, (n) => folder(`home-${n}`, `Place ${n}`, 'home'));
    await many(400, (n) => dashboard(`spread-${n}`, `Spread ${n}`, `home-${n}`));
    await person().goTo('/folders?q=spread');
    await page().getByText('400 found').waitFor();
    await page().getByText('Home / Place 000').waitFor();
    await scrollDown('.item-list');
    await page().getByText('Home / Place 199').waitFor();
    await page().getByText('Spread 205').waitFor();
    await scrollDown('.item-list');
    await page().getByText('Home / Place 399').waitFor();
  });

  it('are loaded further when others change them meanwhile', async () => {
    await boardsIn('big', 210);
    await person().goTo('/folders/big');
    await page().getByRole('link', { name: 'Board 000' }).waitFor();
    const { isAsked, release } = await held(page(), /\/search\?.*type=dashboard.*offset=0/);
    await patch(`${DASHBOARDS}/big-005`, { spec: { title: 'Board 005 again' } });
    await isAsked;
    await scrollDown('.item-list');
    await page().getByRole('link', { name: 'Board 199' }).waitFor();
    release();
    await page().getByRole('link', { name: 'Board 209' }).waitFor();
  });

  describe('in the trash', () => {
    const row = (title: string) => page().getByRole('row').filter({ hasText: title });

    it('are all shown, also if they were deleted at once', async () => {
      await dashboard('early', 'Deleted early');
      await remove(`${DASHBOARDS}/early`);
      await boardsIn('swept', 450);
      await person().goTo('/trash');
      await row('Deleted early').waitFor();
      await remove(`${FOLDERS}/swept`);
      await page().getByRole('button', { name: 'Refresh' }).click();
      await row('Folder swept').getByText('with 450 objects').waitFor();
      await row('Deleted early').waitFor();
    });

    it('leave it when they are restored, also if others were deleted later', async () => {
      await dashboard('deep', 'Deleted before');
      await remove(`${DASHBOARDS}/deep`);
      await boardsIn('later', 250);
      await remove(`${FOLDERS}/later`);
      await person().goTo('/trash');
      await page().getByRole('button', { name: 'Restore Deleted before' }).click();
      await page().getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
      await page().getByText('1 object is back.').waitFor();
      await row('Deleted before').waitFor({ state: 'detached' });
    });

    it('are found behind those that a person may not view', async () => {
      await user('vera', 'Viewer');
      await dashboard('seen', 'Anybody sees this');
      await remove(`${DASHBOARDS}/seen`);
      const viewer = await running().person({ user: 'vera', password: PASSWORD });
      // The server ends a page after a thousand deletions that this person may not view.
      await viewer.page.route(/\/dashboards\?.*get-trash/, async (route) => {
        const address = new URL(route.request().url());
        const isFirst = !address.searchParams.has('continue');
        address.searchParams.delete('continue');
        const response = await route.fetch({ url: address.href });
        const body = await response.json();
        const empty = { ...body, metadata: { ...body.metadata, continue: 'next' }, rows: [] };
        await route.fulfill({ response, json: isFirst ? empty : body });
      });
      await viewer.goTo('/trash');
      await viewer.page.getByRole('link', { name: 'Anybody sees this' }).waitFor();
      expect(viewer.complaints).to.deep.equal([]);
      await viewer.context.close();
    });
  });

  describe('of a kind', () => {
    /** Answers with so many objects of a list that is too long to be loaded without being asked. */
    const beginsLong = (limit: number) => async (route: Route) => {
      const response = await route.fetch({ url: route.request().url().replace('limit=500', `limit=${limit}`) });
      const body = await response.json();
      const metadata = { ...body.metadata, ...(body.metadata.continue && { remainingItemCount: 6000 }) };
      await route.fulfill({ response, json: { ...body, metadata } });
    };
    const values = (name: string) =>
      send('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

    it('are all loaded on request, and again after an error', async () => {
      await many(3, (n) => values(`values-${n}`));
      await page().route(/\/configmaps\?.*limit=500/, beginsLong(1));
      await person().goTo('/kinds/core/v1/configmaps?text=values');
      const all = page().getByRole('button', { name: 'Load all' });
      const refuse = (route: Route) => route.fulfill({ status: 500, json: { message: 'Not now.' } });
      await page().route(/limit=2000/, refuse);
      await all.click();
      await page().getByText('Not now.').waitFor();
      await page().unroute(/limit=2000/, refuse);
      await page().getByLabel('Filter by text').fill('values-002');
      await page().getByText('None of the 1 loaded rows has this text').waitFor();
      await all.click();
      await page().getByRole('link', { name: 'values-002' }).waitFor();
      await all.waitFor({ state: 'detached' });
    });

    it('are no longer loaded when the page is left, which is no error', async () => {
      await many(3, (n) => values(`left-${n}`));
      await page().route(/\/configmaps\?.*limit=500/, beginsLong(1));
      const { isAsked } = await held(page(), /limit=2000/);
      await person().goTo('/kinds/core/v1/configmaps?text=left');
      await page().getByRole('button', { name: 'Load all' }).click();
      await isAsked;
      const isAborted = page().waitForEvent('requestfailed', (request) => request.url().includes('limit=2000'));
      await page().getByRole('link', { name: 'Apply sets' }).click();
      await isAborted;
      await page().getByRole('heading', { level: 1, name: 'Apply sets' }).waitFor();
      expect(await page().locator('.toast').allTextContents()).to.deep.equal([]);
    });

    it('have no gap when they are listed again while more of them are loaded', async () => {
      for (const n of [1, 2, 3]) await values(`aa-${n}`);
      const sizes = [2, 1];
      await page().route(/\/configmaps\?.*limit=500/, (route) => beginsLong(sizes.shift() ?? 500)(route));
      const watch = await held(page(), /\/configmaps\?.*watch=1/, { type: 'ERROR', object: { code: 410 } });
      const rest = await held(page(), /limit=2000/);
      await person().goTo('/kinds/core/v1/configmaps?text=aa-');
      await page().getByRole('button', { name: 'Load all' }).click();
      await rest.isAsked;
      watch.release();
      await page().getByRole('link', { name: 'aa-2' }).waitFor({ state: 'detached' });
      rest.release();
      await page().getByRole('link', { name: 'aa-3' }).waitFor();
      await page().getByRole('link', { name: 'aa-2' }).waitFor();
    });

    it('are looked at for dependents up to a number, which is told', async () => {
      await values('owner');
      const item = (_: unknown, index: number) => ({ metadata: { name: `a-${index}`, uid: `${index}` } });
      await page().route(/limit=1000/, (route) => {
        const isLarge = route.request().url().includes('/configmaps?');
        const items = isLarge ? Array.from({ length: 1000 }, item) : [];
        return route.fulfill({ json: { metadata: isLarge ? { continue: 'next' } : {}, items } });
      });
      await person().goTo('/objects/core/v1/configmaps/default/owner/relations');
      await page().getByRole('button', { name: 'Look for dependents' }).click();
      await page()
        .getByText('Looked at 10,000 objects, and found 0. Of 1 kind, only the first 10,000 objects were looked at.')
        .waitFor();
    });
  });

  it('are the versions of one, which stay whole when it changes while older ones are loaded', async () => {
    await dashboard('often', 'Change 0');
    for (let n = 1; n < 5; n++) await patch(`${DASHBOARDS}/often`, { spec: { title: `Change ${n}` } });
    await page().route(/\/history\?limit=50$/, (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=3') }),
    );
    await person().goTo('/objects/dashboard.svc.app/v1beta1/dashboards/default/often/history');
    const older = page().getByRole('button', { name: 'Show older versions' });
    const { isAsked, release } = await held(page(), /\/history\?.*continue=/);
    await older.click();
    await isAsked;
    await patch(`${DASHBOARDS}/often`, { spec: { title: 'Change 5' } });
    await page().getByText('Version 6', { exact: true }).first().waitFor();
    release();
    await older.click();
    await older.waitFor({ state: 'detached' });
    const versions = page().getByRole('region', { name: 'Versions' });
    expect(await versions.getByRole('listitem').count()).to.equal(6);
  });
});
