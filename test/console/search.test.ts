import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, type Person, useConsole } from './console.js';
import { PASSWORD, writerOn } from './content.js';
import { foldersOn } from './folders.js';

describe('the search of the console', function suite() {
  this.timeout(180_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const { folder, dashboard } = foldersOn(() => running().server);
  const open = async (login: string, place: string): Promise<Person> => {
    const person = await running().person(login === 'admin' ? {} : { user: login, password: PASSWORD });
    await person.goTo(place);
    return person;
  };
  const results = (page: Page) => page.getByRole('list', { name: 'Found folders and dashboards' });
  const titles = async (page: Page): Promise<readonly string[]> => {
    const links = await results(page).locator('a[data-row] bdi').allInnerTexts();
    return links.map((text) => text.trim());
  };
  const chips = async (page: Page, legend: string): Promise<readonly string[]> => {
    const texts = await page.getByRole('group', { name: legend }).getByRole('button').allInnerTexts();
    return texts.map((text) => text.replace(/\s+/g, ' '));
  };

  before(async () => {
    await write.user('edith', 'Editor', 'Edith Editor');
    await write.user('vera', 'Viewer', 'Vera Viewer');
    await folder('data', 'Data');
    await folder('big', 'Big data');
    await folder('shop', 'Shop');
    await dashboard('cache', 'Cache hit ratio Data 1', 'shop', ['project', 'ops']);
    await dashboard('meta', 'Metadata', 'shop', ['ops']);
    await dashboard('same', 'data', 'shop');
    await dashboard('begins', 'Data rates', 'shop');
    await dashboard('other', 'Orders', 'shop', ['project']);
  });

  for (const login of ['admin', 'edith', 'vera'])
    it(`finds the equal title first, folders before dashboards, and marks the words: for ${login}`, async () => {
      const { page, complaints } = await open(login, '/folders');
      await page.keyboard.press('/');
      await page.keyboard.type('Data');
      await page.getByText('6 found').waitFor();
      await results(page).getByText('Metadata').waitFor();
      expect(await titles(page)).to.deep.equal([
        'Data',
        'data',
        'Data rates',
        'Big data',
        'Cache hit ratio Data 1',
        'Metadata',
      ]);
      expect(await results(page).locator('mark').first().textContent()).to.equal('Data');
      expect(await chips(page, 'Show')).to.deep.equal(['Everything 6', 'folders 2', 'dashboards 4']);
      expect(await chips(page, 'Tags of the dashboards that were found')).to.deep.equal(['ops 2', 'project 1']);
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Data', exact: true }).waitFor();
      expect(page.url()).to.match(/\/folders\/data$/);
      expect(complaints).to.deep.equal([]);
    });

  it('filters by kind and by tag, in the address, and keeps the numbers of the other kinds', async () => {
    const { page } = await open('vera', '/folders?q=data');
    await page.getByRole('button', { name: /^dashboards/ }).click();
    await page.getByText('4 found').waitFor();
    expect(await chips(page, 'Show')).to.deep.equal(['Everything 6', 'folders 2', 'dashboards 4']);
    await page.getByRole('button', { name: /^ops/ }).click();
    await page.getByText('2 found').waitFor();
    expect(await chips(page, 'Show')).to.deep.equal(['Everything 2', 'dashboards 2']);
    expect(new URL(page.url()).search).to.equal('?q=data&tag=ops&kind=dashboards');
    await page.reload();
    await page.getByText('2 found').waitFor();
    await expectAccessible(page);
  });

  it('offers no tags if nothing is found', async () => {
    const { page } = await open('vera', '/folders?q=nothing-has-this');
    await page.getByText('Nothing is found').waitFor();
    expect(await page.getByRole('group', { name: /^(Show|Tags)/ }).count()).to.equal(0);
  });
});
