import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, type Person, useConsole } from './console.js';
import { DASHBOARDS, PASSWORD, writerOn } from './content.js';

interface Stored {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

describe('the import of dashboards in the console', function suite() {
  this.timeout(180_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const at = (name: string): string => `$\{${name}}`;
  const stored = async (name: string): Promise<Stored> => (await write.send('GET', `${DASHBOARDS}/${name}`)).json();
  const open = async (login: string, place: string): Promise<Person> => {
    const person = await running().person(login === 'admin' ? {} : { user: login, password: PASSWORD });
    await person.goTo(place);
    return person;
  };
  const dialog = (page: Page) => page.getByRole('dialog');
  const begin = async (page: Page, item: string): Promise<void> => {
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await dialog(page).waitFor();
  };
  const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
  const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
  const exported = {
    __inputs: [{ name: 'DS_PROM', label: 'Prometheus', type: 'datasource', pluginId: 'prometheus' }],
    __elements: {
      lat: { uid: 'lat', name: 'Latency', kind: 1, model: { type: 'stat', datasource: { uid: at('DS_PROM') } } },
    },
    id: 12345678901234567n,
    uid: 'shop',
    title: 'Shop',
    panels: [
      { id: 1, type: 'stat', datasource: { uid: at('DS_PROM') } },
      { id: 2, libraryPanel: { uid: 'lat', name: 'Latency' } },
    ],
  };
  const text = JSON.stringify(exported, (_, value) => (typeof value === 'bigint' ? 7 : value));

  before(async () => {
    await write.user('edith', 'Editor', 'Edith Editor');
    await write.user('vera', 'Viewer', 'Vera Viewer');
    await write.folder('ops', 'Operations');
    await write.folder('data', 'Data', { 'svc.app/folder': 'ops' });
  });

  it('asks for inputs, takes library panels along, and shows the dashboard', async () => {
    const { page, complaints } = await open('edith', '/folders/data');
    await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
    await begin(page, 'Import dashboards…');
    await expectAccessible(page);
    await dialog(page).getByLabel('JSON').fill('{ "title": ');
    await dialog(page)
      .getByText(/^This is no JSON/)
      .waitFor();
    await dialog(page).getByLabel('JSON').fill('{ "panels": [] }');
    await dialog(page).getByText('This is no dashboard: it has no title.').waitFor();
    await dialog(page).getByLabel('JSON').fill(text);
    await dialog(page).getByText('1 library element comes along').waitFor();
    await dialog(page).locator('[aria-disabled=true]', { hasText: 'Import' }).waitFor();
    await dialog(page).getByLabel('Prometheus').fill('metrics');
    await expectAccessible(page);
    await press(page, 'Import');
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    const { spec, metadata } = await stored('shop');
    expect(metadata.annotations).to.include({ 'svc.app/folder': 'data' });
    expect(spec).to.not.have.any.keys('__inputs', '__elements', 'id');
    expect((spec['panels'] as readonly object[])[0]).to.deep.include({ datasource: { uid: 'metrics' } });
    const element = await write.send('GET', DASHBOARDS.replace('dashboards', 'libraryelements/lat'));
    expect(element.json<Stored>().spec).to.deep.include({ model: { type: 'stat', datasource: { uid: 'metrics' } } });
    expect(complaints).to.deep.equal([]);
  });

  /** Holds the search for what is there already, until it is to be answered. */
  const heldSearch = async (page: Page) => {
    let [begin, answer] = [() => {}, () => {}];
    const asked = new Promise<void>((resolve) => (begin = resolve));
    const released = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/search\?.*name=known/, async (route) => {
      begin();
      await released;
      await route.continue();
    });
    return { asked, answer: () => answer() };
  };

  it('tells that the uid is taken, and replaces it where it is or makes a copy in the folder that is chosen', async () => {
    await write.dashboard('known', 'Known', 'data');
    const { page, complaints } = await open('admin', '/folders');
    await begin(page, 'Import dashboards…');
    const changed = JSON.stringify({ uid: 'known', title: 'Known', panels: [{ title: 'New panel' }] });
    const { asked, answer } = await heldSearch(page);
    await dialog(page).getByLabel('JSON').fill(changed);
    await asked;
    await dialog(page)
      .locator('[aria-disabled=true]', { hasText: /^Import$/ })
      .waitFor({ timeout: 5000 });
    answer();
    const choice = dialog(page).getByLabel('“Known” in Operations / Data has this uid already');
    await choice.selectOption('copy');
    await press(page, 'Choose another folder');
    await dialog(page).getByRole('combobox', { name: 'Search folders by title' }).fill('data');
    await dialog(page).getByRole('option', { name: /^Data/ }).waitFor();
    await page.keyboard.press('Enter');
    expect(await dialog(page).getByLabel('Title').inputValue()).to.equal('Known (copy)');
    await expectAccessible(page);
    await press(page, 'Import');
    await page.getByRole('heading', { level: 1, name: 'Known (copy)' }).waitFor();
    expect((await stored('known')).spec).to.not.have.property('panels');
    await page.goBack();
    await begin(page, 'Import dashboards…');
    await dialog(page).getByLabel('JSON').fill(changed);
    // What loses nothing is chosen first.
    expect(await choice.inputValue()).to.equal('copy');
    await choice.selectOption('replace');
    await dialog(page).getByText('Choose another folder').waitFor({ state: 'detached' });
    await expectAccessible(page);
    await press(page, 'Import');
    await page.getByRole('heading', { level: 1, name: 'Known', exact: true }).waitFor();
    const { spec, metadata } = await stored('known');
    expect(spec['panels']).to.deep.equal([{ title: 'New panel' }]);
    expect(metadata.annotations, 'it stays where it is').to.include({ 'svc.app/folder': 'data' });
    expect(complaints).to.deep.equal([]);
  });

  it('shows at the title that another dashboard of the folder has it', async () => {
    await write.dashboard('taken', 'Taken', 'ops');
    const { page } = await open('edith', '/folders/ops');
    await begin(page, 'Import dashboards…');
    await dialog(page)
      .getByLabel('JSON')
      .fill(JSON.stringify({ title: 'Taken' }));
    await press(page, 'Import');
    await dialog(page).getByText('A dashboard with the same name in the folder already exists').waitFor();
    await dialog(page).getByLabel('Title').and(page.locator(':focus')).waitFor();
    await dialog(page).getByLabel('Title').fill('Free');
    await press(page, 'Import');
    await page.getByRole('heading', { level: 1, name: 'Free' }).waitFor();
  });

  it('takes several files, imports what it can, and says what it could not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'import-'));
    const files = [
      [{ title: 'One' }, { title: 'Two', uid: 'a b' }],
      { title: 'One' },
      { dashboard: { title: 'Three' }, meta: {} },
    ].map((value, index) => {
      const file = join(folder, `${index}.json`);
      writeFileSync(file, JSON.stringify(value));
      return file;
    });
    const { page } = await open('edith', '/folders/ops');
    await begin(page, 'Import dashboards…');
    await dialog(page).locator('input[type=file]').setInputFiles(files);
    await dialog(page)
      .getByText(/^Found 4 dashboards\..*Two.* gets a new uid/)
      .waitFor();
    await expectAccessible(page);
    await press(page, 'Import 4 dashboards');
    await dialog(page)
      .getByText(/3 were imported, 1 were not\..*the same name/i)
      .waitFor();
    await dialog(page).getByText('Found “\u2068One\u2069”.').waitFor();
  });

  it('replaces a dashboard by JSON from its own page', async () => {
    await write.dashboard('mine', 'Mine', 'data');
    const { page } = await open('edith', '/objects/dashboard.svc.app/v1beta1/dashboards/default/mine');
    const menu = page.getByRole('button', { name: 'Actions for Mine' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Replace by JSON…' }).click();
    await dialog(page)
      .getByLabel('JSON')
      .fill(JSON.stringify({ title: 'Mine now', uid: 'other', panels: [{ title: 'P' }] }));
    await expectAccessible(page);
    await press(page, 'Replace');
    await page.getByRole('heading', { level: 1, name: 'Mine now' }).waitFor();
    expect((await stored('mine')).metadata.annotations).to.include({ 'svc.app/folder': 'data' });
  });

  it('begins a dashboard in a folder, and gives the focus back when it is cancelled', async () => {
    const { page } = await open('edith', '/folders/data');
    await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
    for (const item of ['Dashboard…', 'Import dashboards…', 'Folder…']) {
      await begin(page, item);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      expect(await focused(page), item).to.contain('New');
    }
    await begin(page, 'Dashboard…');
    await dialog(page).getByLabel('Title').fill('Begun here');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Begun here' }).waitFor();
    await page.getByText('The dashboard has no panel yet.').waitFor();
    await page.getByRole('link', { name: 'Data' }).waitFor();
  });

  it('is not offered to viewers', async () => {
    const { page } = await open('vera', '/folders/ops');
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor();
    await page.locator('button[aria-disabled=true]', { hasText: /^New$/ }).waitFor();
  });
});
