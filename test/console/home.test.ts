import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { type Console, expectAccessible, type Person, useConsole } from './console.js';
import { DASHBOARDS, FOLDERS, PASSWORD, writerOn } from './content.js';
import { foldersOn } from './folders.js';

const SETS = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets';

describe('the home of the console', function suite() {
  this.timeout(120_000);
  const running: () => Console = useConsole();
  const write = writerOn(() => running().server);
  const { folder, dashboard } = foldersOn(() => running().server);
  const as = async (user: string): Promise<Person> => {
    const person = await running().person(user === 'admin' ? {} : { user, password: PASSWORD });
    await person.goTo('/folders');
    return person;
  };
  const offered = ({ page }: Person) => page.getByRole('region', { name: 'Home' }).locator('.button').allTextContents();

  before(async () => {
    for (const [login, role] of [
      ['edith', 'Editor'],
      ['vera', 'Viewer'],
    ] as const)
      await write.user(login, role, `${login} Miller`);
  });

  it('of an empty server is a start, with what the caller may do', async () => {
    const admin = await as('admin');
    await admin.page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    await admin.page.getByRole('link', { name: 'Make a token' }).waitFor();
    expect(await offered(admin)).to.deep.equal([
      'New folder',
      'Import dashboards',
      'Connect sign-on',
      'Add people',
      'Make a token',
      'The APIs',
    ]);
    await admin.page.getByText('--namespace=default get folders').waitFor();
    await expectAccessible(admin.page);
    const edith = await as('edith');
    await edith.page.getByRole('button', { name: 'Import dashboards' }).waitFor();
    expect(await offered(edith)).to.deep.equal(['New folder', 'Import dashboards']);
    const vera = await as('vera');
    await vera.page.getByText('There is nothing here that you may view').waitFor();
    expect(await offered(vera)).to.deep.equal([]);
    await admin.page.getByRole('link', { name: 'Connect sign-on' }).click();
    await admin.page.waitForURL(/\/people\/sign-on$/);
  });

  it('says to somebody without a role that they see nothing here, and whom to ask', async () => {
    await write.user('gus', 'None', 'Gus Guest');
    const { page } = await as('gus');
    const home = page.getByRole('region', { name: 'Home' });
    await home.getByText('You may not see folders here').waitFor();
    await home.getByText('You have no role in this organization.').waitFor();
    expect(await home.getByText('Nobody else has changed something').count()).to.equal(0);
    await expectAccessible(page);
  });

  it('of an empty server is a start on a narrow page, too', async () => {
    const { page, goTo } = await running().person();
    await page.setViewportSize({ width: 360, height: 780 });
    await goTo('/folders');
    await page.getByText('There is no folder yet.').waitFor();
    await page.getByRole('link', { name: 'Make a token' }).scrollIntoViewIfNeeded();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
  });

  it('shows what the person has opened and starred, what others have changed, and drift', async () => {
    await folder('shop', 'Shop');
    await dashboard('orders', 'Orders', 'shop');
    await dashboard('stock', 'Stock', 'shop');
    const { page, goTo, visit, complaints } = await as('edith');
    await page.getByText('Folders and dashboards that you open are here the next time.').waitFor();
    await goTo('/objects/dashboard.svc.app/v1beta1/dashboards/default/orders');
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await visit('/o/default/folders/shop');
    await page.getByRole('button', { name: 'Star “⁨Stock⁩”' }).click();
    await write.rename(`${DASHBOARDS}/stock`, 'Stock of today');
    await page.getByRole('link', { name: 'Stock of today' }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    await card('Opened lately').getByRole('link', { name: 'Orders' }).waitFor();
    expect(await card('Opened lately').getByRole('link').allTextContents()).to.deep.equal([
      'folder: Shop',
      'dashboard: Orders',
    ]);
    await card('Starred').getByRole('link', { name: 'Stock of today' }).waitFor();
    const changed = card('Changed lately by others').getByRole('listitem');
    await changed.first().getByText('Stock of today').waitFor();
    await changed.first().getByText('system:admin').waitFor();
    expect(await card('Drift').count()).to.equal(0);
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.getByRole('link', { name: 'Home' }).click();
    await card('Starred').getByRole('link', { name: 'Stock of today' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
    expect(complaints).to.deep.equal([]);
  });

  it('says why something is not known, and asks again', async () => {
    const { page, goTo } = await running().person();
    const refuse = (route: Route) => route.fulfill({ status: 500, json: { message: 'Not now.' } });
    const addresses = /\/user\/stars|\/applysets\?|sort=changed/;
    await page.route(addresses, refuse);
    await goTo('/folders');
    const cards = ['Opened lately', 'Starred', 'Changed lately by others', 'Drift'];
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    for (const name of cards) await card(name).getByText('Not now.').waitFor();
    await page.getByText('Your stars could not be loaded: Not now.').waitFor();
    await page.unroute(addresses, refuse);
    await card('Starred').getByRole('button', { name: 'Try again' }).click();
    await card('Starred').getByText('Press the star').waitFor();
    await card('Opened lately').getByRole('alert').waitFor({ state: 'detached' });
  });

  it('shows what others changed before many changes of the person', async () => {
    const authorization = `Basic ${Buffer.from(`edith:${PASSWORD}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const made = { apiVersion: 'dashboard.svc.app/v1beta1', kind: 'Dashboard' };
    await dashboard('theirs', 'Changed by somebody else');
    for (let n = 0; n < 75; n++) {
      const body = JSON.stringify({ ...made, metadata: { name: `own-${n}` }, spec: { title: `Own ${n}` } });
      const { status } = await fetch(`${running().server.httpUrl}${DASHBOARDS}`, { method: 'POST', headers, body });
      expect(status).to.equal(201);
    }
    const { page } = await as('edith');
    const changed = page.getByRole('region', { name: 'Changed lately by others' }).getByRole('listitem');
    await changed.first().getByText('Changed by somebody else').waitFor();
  });

  it('leaves out what is gone, and names sets whose members differ from what was applied', async () => {
    const set = { apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplySet', metadata: { name: 'base' }, spec: {} };
    await write.send('POST', SETS, set);
    const { page, goTo } = await as('admin');
    await page.route(/\/applysets\?/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, items: [{ ...set, status: { drifted: 2, members: 5 } }] } });
    });
    await goTo('/folders/shop');
    await write.remove(`${FOLDERS}/shop`);
    await write.folder('other', 'Other');
    await goTo('/folders');
    await page.getByRole('region', { name: 'Drift' }).getByText('2 of 5 differ').waitFor();
    await page.getByText('Folders and dashboards that you open are here the next time.').waitFor();
    await page.getByRole('region', { name: 'Drift' }).getByRole('link', { name: 'base' }).click();
    await page.waitForURL(/\/sets\/base$/);
  });
});
