import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, STILL, useConsole } from './console.js';
import { DASHBOARDS, FOLDERS, PASSWORD, within, writerOn } from './content.js';

const ALL = ['Folders', 'Trash', 'All kinds', 'Apply sets', 'Plan', 'Mirrors', 'People', 'Access', 'Server'];
const TABS = ['Users', 'Teams', 'Service accounts', 'Roles', 'Sign-on'];
const OBJECT = '/objects/dashboard.svc.app/v1beta1/dashboards/default';

describe('people who may not do everything in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole({ 'auth.anonymous.enabled': 'true' });
  const write = writerOn(() => running().server);

  before(async () => {
    await write.folder('ops', 'Operations');
    await write.folder('private', 'Private', { 'svc.app/basic-roles': 'none' });
    await write.create(DASHBOARDS, 'Dashboard', 'hidden', { title: 'Hidden' }, within('private'));
    for (const [login, role] of [
      ['ada', 'Admin'],
      ['edith', 'Editor'],
      ['vera', 'Viewer'],
    ] as const)
      await write.user(login, role);
  });

  const as = async (user: string) => {
    const person = await running().person(user === 'admin' ? {} : { user, password: PASSWORD });
    await person.goTo('/folders');
    return person;
  };
  const guest = async (place: string): Promise<Page> => {
    const { browser, server } = running();
    const page = await (await browser.newContext(STILL)).newPage();
    await page.goto(`${server.httpUrl}/console${place}`);
    await page.locator('h1').first().waitFor();
    return page;
  };
  const linksOf = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const expectLinks = async (page: Page, expected: readonly string[]): Promise<void> => {
    // The last one that a permission decides about.
    await linksOf(page)
      .nth(expected.length - 1)
      .waitFor();
    expect(await linksOf(page).allInnerTexts()).to.deep.equal(expected);
  };

  for (const [user, refused, tabs] of [
    ['admin', [], TABS],
    ['ada', ['Server'], ['Users', 'Teams', 'Service accounts', 'Roles']],
    ['edith', ['Apply sets', 'Plan', 'Mirrors', 'Server'], ['Teams']],
    ['vera', ['Apply sets', 'Plan', 'Mirrors', 'Server'], ['Teams']],
  ] as const)
    it(`find in the navigation what they may use, and People at the first tab that works: ${user}`, async () => {
      const { page, visit, complaints } = await as(user);
      await expectLinks(
        page,
        ALL.filter((name) => !(refused as readonly string[]).includes(name)),
      );
      await visit('/people');
      await page.getByRole('tab', { name: tabs[0], selected: true }).waitFor();
      expect(await page.getByRole('tab').allInnerTexts()).to.deep.equal(tabs);
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      expect(await page.getByRole('alert').count()).to.equal(0);
      await expectAccessible(page);
      expect(complaints).to.deep.equal([]);
    });

  it('are told in a sentence why a folder or a dashboard is not for them, and can send the address to somebody', async () => {
    const { page, visit } = await as('vera');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit('/o/default/folders/private');
    await page.getByText('You may not see this folder').waitFor();
    await page.getByText('It, or a folder above it, is private, or for others than you.').waitFor();
    expect(await page.getByText('folders:read').isVisible()).to.equal(false);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Copy the address' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.contain('/console/o/default/folders/private');
    await visit(`${OBJECT}/hidden`);
    await page.getByText('You may not see this').waitFor();
    await page.getByText('What the server said').click();
    await page.getByText('it takes the permission dashboards:read').waitFor();
    await visit(`${OBJECT}/never-there`);
    await page.getByText('There is no such object that you may view.').waitFor();
  });

  it('read why a button does nothing also on touch, in words for people', async () => {
    const { page, visit } = await as('vera');
    await visit('/folders/ops');
    const button = page.locator('button[aria-disabled=true]', { hasText: /^New$/ }).first();
    await button.click({ force: true });
    await page.getByText('You may not create folders here. Ask an administrator of the organization.').waitFor();
  });

  it('are offered nothing in a folder that they may not do there: New, keys of the tree and the tab of permissions', async () => {
    await write.folder('lab', 'Laboratory');
    const { id } = await write.user('lynn', 'Viewer');
    await write.send('POST', `/api/access-control/folders/lab/users/${id}`, { permission: 'Edit' });
    const { page, visit, complaints } = await as('lynn');
    await visit('/folders/ops');
    await page.locator('button[aria-disabled=true]', { hasText: /^New$/ }).click({ force: true });
    await page.getByText('You may not create folders in this folder. Ask who administers it.').waitFor();
    const tree = page.getByRole('tree', { name: 'Folders', exact: true });
    await tree.focus();
    await tree.press('Home');
    await tree.press('ArrowDown');
    await tree.press('Delete');
    await page.getByText('You may not delete this folder. Ask an administrator of the organization.').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await visit('/folders/ops?tab=permissions');
    await page.getByText('Only who administers this folder may see who has access to it.').waitFor();
    await visit('/folders/lab');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Folder…' }).click();
    await page.getByRole('dialog', { name: /New folder in/ }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('sign in from where they are if they have not, and come back there', async () => {
    const page = await guest('/o/default/folders/private?tab=permissions');
    await expectLinks(page, ['Folders', 'Trash', 'All kinds', 'Access']);
    await page.getByText('This can be seen after signing in').waitFor();
    await expectAccessible(page);
    for (const link of await page.getByRole('link', { name: 'Sign in' }).all())
      expect(await link.getAttribute('href')).to.contain(
        encodeURIComponent('/console/o/default/folders/private?tab=permissions'),
      );
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel(/login/i).fill('admin');
    await page.getByLabel('Password').fill('nonsense');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The login or the password is wrong.').waitFor();
    expect(await page.getByLabel(/login/i).inputValue(), 'what was typed stays').to.equal('admin');
    await page.locator('input[name=password]:focus').fill('admin');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/console\/o\/default\/folders\/private\?tab=permissions$/);
    await page.getByRole('heading', { level: 1, name: 'Private' }).waitFor();
    await page.context().close();
  });

  it('are told that their session has ended also if anonymous callers are let in, and go on after a sign-in', async () => {
    const { page, context, visit } = await as('edith');
    await visit('/objects/folder.svc.app/v1beta1/folders/default/ops/yaml');
    await page.locator('.cm-content').waitFor();
    await page.keyboard.press('Control+Home');
    await page.getByText('title: Operations').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' again');
    await context.clearCookies();
    await page.keyboard.press('Control+s');
    await page.getByText('Your session has ended. What you typed is still here.').waitFor();
    await page.evaluate('dispatchEvent(new Event("focus"))');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Login or e-mail address').fill('edith');
    expect(await page.getByText('By a provider').count(), 'none is set up').to.equal(0);
    const password = dialog.getByLabel('Password');
    await password.fill('wrong');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('The login or the password is wrong.').waitFor();
    await dialog.locator('input[type=password]:focus').waitFor();
    await password.fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Account of edith' }).count()).to.equal(1);
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog', { name: 'What will change' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await write.send('GET', `${FOLDERS}/ops`)).text).to.contain('Operations again');
    await write.rename(`${FOLDERS}/ops`, 'Operations');
  });
});
