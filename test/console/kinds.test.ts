import { expect } from 'chai';
import { expectAccessible, useConsole } from './console.js';

const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const ELEMENTS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/libraryelements';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('kinds and objects in the console', () => {
  const console = useConsole();
  const send = (method: string, path: string, body?: unknown) =>
    console().server.client.request(method, path, body === undefined ? {} : { body });
  const configMap = (name: string, labels = {}) =>
    send('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: { of: name } });
  const folder = (name: string, title: string) =>
    send('POST', FOLDERS, {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name },
      spec: { title },
    });

  before(async () => {
    for (const [name, team] of [
      ['amber', 'ops'],
      ['blue', 'ops'],
      ['cyan', 'web'],
    ] as const)
      await configMap(name, { team });
    await folder('plain', 'A plain folder');
  });

  it('lists the kinds of the server in groups, with their numbers, and finds them by short names', async () => {
    const { page, complaints, goTo } = await console().person();
    await goTo('/kinds');
    const values = page.getByRole('table', { name: 'Settings and values' });
    await values.getByRole('row', { name: /ConfigMap.*3$/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('/');
    await page.keyboard.type('cm');
    await page.getByRole('link', { name: 'ConfigMap' }).waitFor();
    expect(await page.getByRole('row').count()).to.equal(2);
    expect(complaints).to.deep.equal([]);
  });

  it('shows the table of a kind, sorted by a column', async () => {
    const { page, complaints, goTo } = await console().person();
    await goTo('/kinds/core/v1/configmaps');
    const grid = page.getByRole('grid');
    await grid.getByRole('link', { name: 'amber' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.locator('[aria-sort=descending]').waitFor();
    expect(await grid.getByRole('link').allTextContents()).to.deep.equal(['cyan', 'blue', 'amber']);
    expect(complaints).to.deep.equal([]);
  });

  it('filters by labels as the server does, and shows what it says about a wrong filter', async () => {
    const { page, goTo } = await console().person();
    await goTo('/kinds/core/v1/configmaps');
    await page.getByLabel('Filter by labels').fill('team=web');
    await page.getByText('1 object', { exact: true }).waitFor();
    await page.getByLabel('Filter by labels').fill('a,,b');
    await page.getByText("found ',', expected: identifier after ','").waitFor();
  });

  it('is live: new objects come, deleted ones leave', async () => {
    const { page, goTo } = await console().person();
    await goTo('/kinds/core/v1/configmaps');
    const link = page.getByRole('grid').getByRole('link', { name: 'visitor' });
    await page.getByRole('grid').getByRole('link', { name: 'amber' }).waitFor();
    await configMap('visitor');
    await link.waitFor();
    await send('DELETE', `${CONFIG_MAPS}/visitor`);
    await link.waitFor({ state: 'detached' });
  });

  it('is used by the keyboard, and opens an object', async () => {
    const { page, goTo } = await console().person();
    await goTo('/kinds/core/v1/configmaps');
    await page.getByRole('grid').getByRole('link', { name: 'amber' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'blue', level: 1 }).waitFor();
  });

  it('deletes the rows that are selected, after a question that tells their number', async () => {
    await configMap('doomed-1');
    await configMap('doomed-2');
    const { page, goTo } = await console().person();
    await goTo('/kinds/core/v1/configmaps');
    await page.getByLabel('Select doomed-1').check();
    await page.getByLabel('Select doomed-2').check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('heading', { name: 'Delete 2 objects of ConfigMap?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete 2' }).click();
    await page.getByText('Deleted 2 of 2.').waitFor();
    await page.getByRole('grid').getByRole('link', { name: 'doomed-1' }).waitFor({ state: 'detached' });
  });

  it('shows an object with its facts, its managers and what belongs to it', async () => {
    const annotations = { 'svc.app/folder': 'plain' };
    await send('POST', DASHBOARDS, {
      apiVersion: 'dashboard.svc.app/v1beta1',
      kind: 'Dashboard',
      metadata: { name: 'inside', annotations },
      spec: { title: '<b>Inside</b>' },
    });
    const { page, complaints, goTo } = await console().person();
    await goTo('/objects/folder.svc.app/v1beta1/folders/default/plain');
    await page.getByText('A plain folder').first().waitFor();
    await page.getByText('Basic Roles').waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Owners and dependents' }).click();
    await page.getByRole('link', { name: '<b>Inside</b>' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Managers' }).click();
    await page.getByText(/^spec/).first().waitFor();
    await expectAccessible(page);
    expect(complaints).to.deep.equal([]);
  });

  it('begins a row with the title, and shows the folder by its title, as links', async () => {
    await folder('shelf', 'The shelf');
    await send('POST', DASHBOARDS, {
      apiVersion: 'dashboard.svc.app/v1beta1',
      kind: 'Dashboard',
      metadata: { name: 'sorted', annotations: { 'svc.app/folder': 'shelf' } },
      spec: { title: 'Sorted' },
    });
    const { page, complaints, goTo } = await console().person();
    await goTo('/kinds/dashboard.svc.app/v1beta1/dashboards');
    const grid = page.getByRole('grid');
    const row = grid.getByRole('row').filter({ hasText: 'Sorted' });
    await row.getByRole('link', { name: 'The shelf' }).waitFor();
    await page.getByRole('option', { name: 'Organization Main Org.' }).waitFor({ state: 'attached' });
    const cells = await row.getByRole('gridcell').allInnerTexts();
    expect(cells.slice(1, 4)).to.deep.equal(['Sorted', 'sorted', 'The shelf']);
    await expectAccessible(page);
    await row.getByRole('link', { name: 'Sorted', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Sorted' }).waitFor();
    await page.getByRole('tab', { name: 'Owners and dependents' }).click();
    await page.getByRole('main').getByRole('link', { name: 'The shelf' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'The shelf' }).waitFor();
    const inner = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', spec: { title: 'Inner' } };
    const metadata = { name: 'inner', annotations: { 'svc.app/folder': 'shelf' } };
    await send('POST', FOLDERS, { ...inner, metadata });
    await goTo('/kinds/folder.svc.app/v1beta1/folders');
    await grid.getByRole('row').filter({ hasText: 'Inner' }).getByRole('link', { name: 'The shelf' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('shows the events of an object as they come', async () => {
    const { page, goTo } = await console().person();
    await goTo('/objects/core/v1/configmaps/default/amber/events');
    await page.getByText('No events').waitFor();
    await send('POST', '/apis/events.k8s.io/v1/namespaces/default/events', {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'amber.1' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'example.com/lamp',
      reportingInstance: 'lamp-1',
      action: 'Glow',
      reason: 'Glowing',
      type: 'Normal',
      note: 'It glows.',
      regarding: { apiVersion: 'v1', kind: 'ConfigMap', name: 'amber', namespace: 'default' },
    });
    await page.getByText('It glows.').waitFor();
    await expectAccessible(page);
  });

  it('tells that an object was deleted, and restores it', async () => {
    await send('POST', ELEMENTS, {
      apiVersion: 'dashboard.svc.app/v1beta1',
      kind: 'LibraryElement',
      metadata: { name: 'lost' },
      spec: { name: 'Lost', kind: 1, model: { type: 'stat' } },
    });
    const { page, complaints, goTo } = await console().person();
    await goTo('/objects/dashboard.svc.app/v1beta1/libraryelements/default/lost');
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/was deleted by/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Delete…' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('says what is loaded of many objects, and loads the rest on request or for a filter', async function many() {
    this.timeout(120_000);
    const names = Array.from({ length: 600 }, (_, i) => `many-${i}`);
    // The server lets a caller send only so much at once.
    const work = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        expect((await configMap(name, { set: 'many' })).status).to.equal(201);
    };
    await Promise.all(Array.from({ length: 16 }, work));
    const { page, complaints, goTo } = await console().person();
    await goTo('/kinds/core/v1/configmaps?labels=set%3Dmany');
    await page.getByText('500 loaded, and there are more.').waitFor();
    await page.getByRole('button', { name: 'Load all' }).click();
    await page.getByText('600 objects').waitFor();
    // A filter needs all rows, so it loads them without being asked: the row is one of the last.
    await page.reload();
    await page.getByText('500 loaded, and there are more.').waitFor();
    await page.getByLabel('Filter by text').fill('many-99');
    await page.getByText('1 match. 600 objects').waitFor();
    await page.getByRole('link', { name: 'many-99' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('shows further columns on request', async () => {
    const { page, goTo } = await console().person();
    await goTo('/kinds/folder.svc.app/v1beta1/folders');
    await page.getByRole('grid').getByRole('link', { name: 'plain', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Basic Roles' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Show Basic Roles' }).click();
    await page.getByRole('columnheader', { name: 'Basic Roles' }).waitFor();
  });

  it('says what a deletion waits for', async () => {
    const metadata = { name: 'held', finalizers: ['example.com/hold'] };
    await send('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await send('DELETE', `${CONFIG_MAPS}/held`);
    const { page, goTo } = await console().person();
    await goTo('/objects/core/v1/configmaps/default/held');
    await page.getByText('It waits for its finalizers: example.com/hold').waitFor();
    await expectAccessible(page);
  });

  it('finds the objects that have another one as their owner', async () => {
    const answer = await send('GET', `${CONFIG_MAPS}/amber`);
    const { uid } = (JSON.parse(answer.text) as { metadata: { uid: string } }).metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'amber', uid }];
    await send('POST', CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'child', ownerReferences },
    });
    const { page, goTo } = await console().person();
    await goTo('/objects/core/v1/configmaps/default/amber/relations');
    await page.getByRole('button', { name: 'Look for dependents' }).click();
    await page.getByRole('link', { name: 'child' }).click();
    await page.getByRole('tab', { name: 'Owners and dependents' }).click();
    await page.getByRole('main').getByRole('link', { name: 'amber' }).waitFor();
  });

  it('lets no viewer delete, and says why', async () => {
    const user = await console().server.client.request('POST', '/api/admin/users', {
      body: { login: 'vera', name: 'Vera', password: 'vera-looks-on', OrgId: 1 },
    });
    expect(user.status, user.text).to.equal(200);
    const { page, goTo } = await console().person({ user: 'vera', password: 'vera-looks-on' });
    await goTo('/objects/dashboard.svc.app/v1beta1/libraryelements/default/lost');
    const remove = page.getByRole('button', { name: 'Delete…' });
    await page.locator('button[aria-disabled=true]', { hasText: 'Delete…' }).waitFor();
    expect(await remove.getAttribute('title')).not.to.equal('');
  });

  it('opens a kind that a search finds by the arrow keys and Enter, as all searches do', async () => {
    const { page, goTo } = await console().person();
    await goTo('/kinds');
    await page.keyboard.press('/');
    await page.keyboard.type('role');
    await page.getByText('2 kinds found').waitFor({ state: 'attached' });
    await page.getByRole('option', { name: 'RoleBinding' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'RoleBinding' }).waitFor();
  });

  it('says that an object or a kind does not exist', async () => {
    const { page, goTo } = await console().person();
    await goTo('/objects/core/v1/configmaps/default/nowhere');
    await page.getByText('There is no such object that you may view.').waitFor();
    await goTo('/kinds/example.com/v1/unknowns');
    await page.getByText('The server has no such kind').waitFor();
  });
});
