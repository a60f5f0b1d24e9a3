import { expect } from 'chai';
import { expectAccessible, switchOrganization, useConsole, usePerson } from './console.js';
import { DASHBOARDS, FOLDERS } from './content.js';
import { foldersOn } from './folders.js';

const PRIVATE = { 'svc.app/basic-roles': 'none' };

/** Titles that are long, harmful or strange. */
const LONG = 'Very long title '.repeat(312).trim();
const MARKUP = '<img src=x onerror=alert(1)><b>bold</b> & "quoted"';
const RTL = '\u202eמסמכים 📊 \u202d🚀';
const MANY = 10_000;

describe('the folders in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const { create, folder, dashboard, patch } = foldersOn(() => running().server);
  const { person, page } = usePerson(running);

  before(async () => {
    await folder('ops', 'Operations');
    await folder('ops-east', 'East', 'ops');
    await folder('ops-west', 'West', 'ops');
    await folder('secret', 'Secret plans', undefined, PRIVATE);
    await dashboard('latency', 'Latency of services', 'ops-east', ['prod', 'slo']);
    await dashboard('errors', 'Errors of services', 'ops-east', ['prod']);
    await folder('long', LONG);
    await folder('markup', MARKUP);
    await folder('rtl', RTL);
  });

  const tree = () => page().getByRole('tree', { name: 'Folders', exact: true });
  const line = (title: string) => tree().getByRole('treeitem', { name: title, exact: true });
  const heading = (name: string) => page().getByRole('heading', { level: 1, name, exact: true });

  it('are a tree that opens by the keyboard, and shows the chosen folder with what is in it', async () => {
    await person().goTo('/folders');
    await line('Operations').waitFor();
    expect(await line('East').count()).to.equal(0);
    await tree().focus();
    await page().keyboard.press('Home');
    await page().keyboard.type('oper');
    await page().keyboard.press('ArrowRight');
    await line('East').waitFor();
    expect(await line('Operations').getAttribute('aria-expanded')).to.equal('true');
    expect(await line('East').getAttribute('aria-level')).to.equal('2');
    await page().keyboard.press('ArrowRight');
    await page().keyboard.press('Enter');
    await heading('East').waitFor();
    expect(page().url()).to.match(/\/folders\/ops-east$/);
    await page().getByRole('link', { name: 'Latency of services' }).waitFor();
    await page().getByRole('navigation', { name: 'Folders above' }).getByRole('link', { name: 'Operations' }).waitFor();
    await page()
      .getByText(/Created by/)
      .waitFor();
    await expectAccessible(page());
  });

  it('have an icon in the tab of the browser, as all pages do', async () => {
    await person().goTo('/folders');
    expect(await page().locator('link[rel=icon]').getAttribute('href')).to.match(/^data:image\/svg/);
  });

  it('are marked in the tree, in the list and in a search if they are private, as long as they are', async () => {
    await folder('ops-closed', 'Closed', 'ops', PRIVATE);
    await folder('ops-within', 'Within', 'ops-closed');
    await folder('ops-deep', 'Deep inside', 'ops-within');
    await person().goTo('/folders/ops');
    const marked = page().getByRole('link', { name: 'private folder: Closed', exact: true });
    await marked.waitFor();
    await person().goTo('/folders?q=closed');
    await marked.waitFor();
    await person().goTo('/folders/ops-closed');
    await line('Closed (private)').waitFor();
    const head = page().getByRole('region', { name: 'Folder' }).getByRole('img', { name: 'Private' });
    await head.waitFor();
    await page().getByRole('link', { name: 'private folder: Within', exact: true }).waitFor();
    await expectAccessible(page());
    await person().goTo('/folders?q=inside');
    await page().getByRole('link', { name: 'private folder: Deep inside', exact: true }).waitFor();
    await person().goTo('/folders/ops-deep');
    await line('Deep inside (private)').waitFor();
    await line('Within (private)').waitFor();
    await head.waitFor();
    await expectAccessible(page());
    await patch(`${FOLDERS}/ops-closed`, { metadata: { annotations: { 'svc.app/basic-roles': null } } });
    await line('Closed').waitFor();
    await line('Deep inside').waitFor();
    for (const title of ['Closed', 'Within', 'Deep inside'])
      await line(`${title} (private)`).waitFor({ state: 'detached' });
    await head.waitFor({ state: 'detached' });
  });

  it('have tabs and searches that Back leaves', async () => {
    await person().goTo('/folders/ops');
    await heading('Operations').waitFor();
    await page().getByRole('tab', { name: 'Permissions' }).click();
    await page().waitForURL(/tab=permissions/);
    await page().goBack();
    await page().waitForURL(/\/folders\/ops$/);
    await page().getByRole('tab', { name: 'Contents', selected: true }).waitFor();
    await page().keyboard.press('/');
    await page().keyboard.type('services');
    await page().getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    await page().waitForURL(/q=services/);
    await page().goBack();
    await heading('Operations').waitFor();
  });

  it('show changes of others at once', async () => {
    await person().goTo('/folders');
    await line('Operations').waitFor();
    await folder('newcomer', 'Newcomer');
    await line('Newcomer').waitFor();
    await patch(`${FOLDERS}/newcomer`, { spec: { title: 'Renamed' } });
    await line('Renamed').waitFor();
    await running().server.client.request('DELETE', `${FOLDERS}/newcomer`);
    await line('Renamed').waitFor({ state: 'detached' });
  });

  it('are shown below the folders above them, also when many change at once', async () => {
    await folder('above', 'Above');
    await folder('above-it', 'Under it', 'above');
    await person().goTo('/folders/above-it');
    const crumbs = page().getByRole('navigation', { name: 'Folders above' });
    await crumbs.getByRole('link', { name: 'Above' }).waitFor();
    await patch(`${FOLDERS}/above`, { spec: { title: 'Renamed above' } });
    for (const name of ['ops', 'ops-east', 'ops-west'])
      await patch(`${FOLDERS}/${name}`, { spec: { description: 'Described' } });
    await crumbs.getByRole('link', { name: 'Renamed above' }).waitFor();
  });

  it('have the tags and stars of their own organization, whatever its name is', async () => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other-company' } };
    const made = await running().server.client.request('POST', '/api/v1/namespaces', { body });
    expect(made.status, made.text).to.equal(201);
    const others = DASHBOARDS.replace('default', 'other-company');
    await create(others, 'Dashboard', 'elsewhere', { title: 'Elsewhere', tags: ['theirs'] });
    await person().goTo('/folders');
    await switchOrganization(page(), 'other-company');
    await page().keyboard.press('/');
    await page().keyboard.type('elsewhere');
    await page().getByRole('link', { name: 'Elsewhere' }).waitFor();
    await page()
      .getByRole('button', { name: /^theirs/ })
      .waitFor();
    expect(await page().getByRole('button', { name: /^prod/ }).count()).to.equal(0);
  });

  it('are found by words and tags, with the place in which they lie, from any place of the page', async () => {
    await person().goTo('/folders');
    await page().keyboard.press('/');
    const field = page().getByRole('searchbox', { name: 'Search folders and dashboards' });
    expect(await page().evaluate('document.activeElement.id')).to.equal('folder-search');
    await page().keyboard.type('serv');
    const list = page().getByRole('list', { name: 'Found folders and dashboards' });
    await list.getByRole('link', { name: 'Latency of services' }).waitFor();
    await list.getByText('Operations / East').first().waitFor();
    await page().getByRole('button', { name: /^slo/ }).click();
    await list.getByRole('link', { name: 'Errors of services' }).waitFor({ state: 'detached' });
    await expectAccessible(page());
    await field.focus();
    await page().keyboard.press('ArrowDown');
    expect(await list.locator('a:focus').textContent()).to.match(/of services$/);
    await field.focus();
    await page().keyboard.press('Escape');
    await heading('Home').waitFor();
    expect(await field.inputValue()).to.equal('');
  });

  it('are found by a tag that contains a comma', async () => {
    await dashboard('comma', 'With a comma', 'ops-east', ['red, hot', 'prod']);
    await person().goTo('/folders?tag=prod');
    await page().getByText('3 found').waitFor();
    await page()
      .getByRole('button', { name: /^red, hot/ })
      .click();
    await page().getByText('1 found').waitFor();
    await page().getByRole('link', { name: 'With a comma' }).waitFor();
  });

  it('keep stars, and list what is starred', async () => {
    await person().goTo('/folders/ops-east');
    const star = page().getByRole('button', { name: /^Star .*Latency/ });
    await star.click();
    await page()
      .getByRole('button', { name: /^Star .*Latency/, pressed: true })
      .waitFor();
    await page()
      .getByRole('link', { name: /^Starred/ })
      .click();
    await heading('Starred').waitFor();
    await page()
      .getByRole('list', { name: 'Starred dashboards' })
      .getByRole('link', { name: 'Latency of services' })
      .waitFor();
    await expectAccessible(page());
    await page()
      .getByRole('button', { name: /^Star .*Latency/ })
      .click();
    await page().getByText('No dashboard has your star').waitFor();
  });

  it('are in the tree for those who may view them, but not the folder above', async () => {
    const { client } = running().server;
    const user = { login: 'sam', email: 'sam@example.com', password: 'a long secret of sam', OrgId: 1 };
    const { id } = (await client.request('POST', '/api/admin/users', { body: user })).json<{ id: number }>();
    await folder('shared', 'Shared with Sam', 'secret');
    const items = [{ userId: id, permission: 1 }];
    expect((await client.request('POST', '/api/folders/shared/permissions', { body: { items } })).status).to.equal(200);
    const sam = await running().person({ user: user.login, password: user.password });
    await sam.goTo('/folders');
    await sam.page.getByRole('treeitem', { name: 'Shared with Sam' }).click();
    await sam.page.getByRole('heading', { level: 1, name: 'Shared with Sam' }).waitFor();
    expect(await sam.page.getByText('Secret plans').count()).to.equal(0);
    expect(sam.complaints).to.deep.equal([]);
    await sam.context.close();
  });

  it('have titles of any kind without harm', async () => {
    await person().goTo('/folders/long');
    await page().getByRole('heading', { level: 1 }).filter({ hasText: 'Very long title' }).waitFor();
    await page().getByRole('treeitem', { name: MARKUP, exact: true }).waitFor();
    for (const place of ['long', 'markup', 'rtl']) {
      await person().goTo(`/folders/${place}`);
      await page().getByRole('tab', { name: 'Contents' }).waitFor();
      expect(await page().evaluate('document.documentElement.scrollWidth <= innerWidth'), place).to.equal(true);
    }
    expect(await page().locator('main img, main b').count()).to.equal(0);
  });

  it('are ten thousand in one folder, of which those in view are drawn', async function many() {
    this.timeout(600_000);
    await folder('many', 'Many');
    await Promise.all(
      Array.from({ length: 50 }, async (_, worker) => {
        for (let at = worker; at < MANY; at += 50)
          await folder(`many-${at}`, `Child ${String(at).padStart(5, '0')}`, 'many');
      }),
    );
    await person().goTo('/folders/many');
    await page().getByRole('button', { name: 'folders 10,000' }).waitFor();
    await tree().focus();
    await page().keyboard.press('ArrowRight');
    await line('Child 00000').waitFor();
    expect(await page().getByRole('treeitem').count()).to.be.below(100);
    const last = line(`Child ${String(MANY - 1).padStart(5, '0')}`);
    while ((await last.count()) === 0) {
      await tree().evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await page().evaluate('new Promise(requestAnimationFrame)');
    }
    expect(await last.getAttribute('aria-setsize')).to.equal(String(MANY));
  });
});
