import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, type Person, useConsole } from './console.js';
import { PASSWORD, writerOn } from './content.js';
import { held } from './held.js';

describe('the palette of the console', function suite() {
  this.timeout(180_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const open = async (login: string, place: string): Promise<Person> => {
    const person = await running().person(login === 'admin' ? {} : { user: login, password: PASSWORD });
    await person.goTo(place);
    return person;
  };
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Find anything' });
  const option = (page: Page, name: string | RegExp) => dialog(page).getByRole('option', { name });
  const groups = async (page: Page): Promise<readonly (string | null)[]> =>
    Promise.all((await dialog(page).getByRole('group').all()).map((one) => one.getAttribute('aria-label')));
  const find = async (page: Page, text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await dialog(page).getByRole('combobox').fill(text);
  };

  before(async () => {
    await write.user('edith', 'Editor', 'Edith Editor');
    await write.user('vera', 'Viewer', 'Vera Viewer');
    await write.send('POST', '/api/teams', { name: 'Edge team' });
    await write.folder('ops', 'Operations');
    await write.dashboard('edges', 'Edges', 'ops');
  });

  it('finds dashboards, people, teams, kinds, pages and actions, and goes there by Enter', async () => {
    const { page, complaints } = await open('admin', '/people/users');
    await find(page, 'ed');
    await option(page, /Edge team/).waitFor();
    for (const name of [/^Edges/, /^Edith Editor/]) await option(page, name).waitFor();
    expect((await groups(page)).slice(0, 2)).to.deep.equal(['Folders and dashboards', 'People and teams']);
    expect(await option(page, /^Edges/).textContent()).to.contain('Operations');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Edges' }).waitFor();
    await find(page, 'edith');
    await option(page, /^Edith Editor/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Edith Editor' }).waitFor();
    await find(page, 'configmap');
    await option(page, /^ConfigMap/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ConfigMap' }).waitFor();
    await find(page, 'server');
    await option(page, /^Server/)
      .first()
      .waitFor();
    await option(page, /^Server$/).click();
    await page.getByRole('heading', { level: 1, name: 'Server' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('says how much there is beyond what it shows, and leads to all of it', async () => {
    const { page } = await open('admin', '/people/teams');
    for (let n = 0; n < 9; n++) await write.dashboard(`crane-${n}`, `Crane ${n}`);
    for (let n = 0; n < 5; n++) await write.send('POST', '/api/teams', { name: `Crane team ${n}` });
    await find(page, 'crane');
    await option(page, 'All 5 teams').waitFor();
    await option(page, 'All 9 folders and dashboards').click();
    await page.waitForURL(/\/folders\?q=crane$/);
    await page.getByRole('link', { name: 'Crane 8' }).waitFor();
    await find(page, 'crane');
    await option(page, 'All 5 teams').click();
    await page.waitForURL(/\/people\/teams\?q=crane$/);
    await page.getByRole('link', { name: 'Crane team 4' }).waitFor();
  });

  it('has what was typed while it was loaded', async () => {
    const { page } = await open('admin', '/folders');
    const { isAsked, release } = await held(page, /\/palette-\w+\.js$/);
    await page.keyboard.press('Control+k');
    await isAsked;
    await page.keyboard.type('operat');
    release();
    await option(page, /^Operations/).waitFor();
    await page.keyboard.type('ions');
    expect(await dialog(page).getByRole('combobox').inputValue()).to.equal('operations');
  });

  it('begins a folder, a dashboard and an import in the folder that is shown', async () => {
    const { page } = await open('edith', '/folders/ops');
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor();
    for (const [text, name] of [
      ['new folder', /^New folder in .*Operations/],
      ['new dashboard', /^New dashboard in .*Operations/],
      ['import', 'Import dashboards'],
    ] as const) {
      await find(page, text);
      await option(page, new RegExp(`^${text}`, 'i')).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).to.equal('');
    }
  });

  it('names the folder in the dialog as soon as its title is known', async () => {
    const { page, goTo } = await open('edith', '/folders');
    const { release } = await held(page, /\/apis\/.*\/search\b/);
    await goTo('/folders/ops?new=folder');
    await page.getByRole('dialog', { name: /^New folder/ }).waitFor();
    release();
    await page.getByRole('dialog', { name: /^New folder in .*Operations/ }).waitFor();
  });

  it('offers to a viewer only what they may use', async () => {
    const { page } = await open('vera', '/folders');
    await page.keyboard.press('Control+k');
    await option(page, 'Trash').waitFor();
    const offered = await dialog(page).getByRole('option').allTextContents();
    expect(offered).to.include('Folders').and.to.include('Sign out');
    for (const refused of ['Server', 'Plan', 'New folder', 'New dashboard']) expect(offered).to.not.include(refused);
    await dialog(page).getByRole('combobox').fill('edges');
    await option(page, /^Edges/).waitFor();
    await expectAccessible(page);
  });

  it('gives the focus back when it is closed, and says what it does not find', async () => {
    const { page } = await open('vera', '/folders');
    const button = page.getByRole('button', { name: 'Find anything' });
    await button.click();
    await dialog(page).getByRole('combobox').fill('nothing-has-this');
    await dialog(page).getByText('Nothing is called so.').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.contain('Find anything');
  });

  it('is one of the keys that the question mark shows, but not while somebody types', async () => {
    const { page } = await open('vera', '/folders');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('?');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await page.keyboard.press('Escape');
    await page.locator('h1').first().click();
    await page.keyboard.type('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('Find anything').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('dialog').count()).to.equal(1);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
  });
});
