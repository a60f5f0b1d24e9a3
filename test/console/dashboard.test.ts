import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { expectAccessible, type Person, useConsole } from './console.js';
import { DASHBOARDS, FOLDERS, PASSWORD, writerOn } from './content.js';
import { RULES } from './folders.js';
import { held } from './held.js';

const ELEMENTS = DASHBOARDS.replace('dashboards', 'libraryelements');

describe('the page of a dashboard', function suite() {
  this.timeout(180_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const place = (tab = '', name = 'requests') =>
    `/objects/dashboard.svc.app/v1beta1/dashboards/default/${name}${tab === '' ? '' : `/${tab}`}`;
  const open = async (login: string, where: string): Promise<Person> => {
    const person = await running().person(login === 'admin' ? {} : { user: login, password: PASSWORD });
    await person.goTo(where);
    return person;
  };
  const prometheus = { type: 'prometheus', uid: 'metrics' };
  const spec = {
    title: 'Requests and errors',
    description: 'How the shop answers.',
    tags: ['shop', 'slo'],
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'region', type: 'query', query: 'label_values(region)', datasource: prometheus }] },
    panels: [
      { id: 3, type: 'row', title: 'Errors', gridPos: { x: 0, y: 9 } },
      {
        id: 2,
        type: 'timeseries',
        title: 'Failed',
        gridPos: { x: 0, y: 10 },
        datasource: prometheus,
        targets: [{ refId: 'A', expr: 'rate(errors_total[5m])' }],
      },
      { id: 1, type: 'stat', title: 'Requests a second', gridPos: { x: 0, y: 0 }, datasource: prometheus },
      { id: 4, title: '', libraryPanel: { uid: 'latency', name: 'Latency' }, gridPos: { x: 12, y: 0 } },
    ],
  };

  before(async () => {
    await write.user('edith', 'Editor', 'Edith Editor');
    await write.user('vera', 'Viewer', 'Vera Viewer');
    await write.folder('platform', 'Platform');
    await write.folder('data', 'Data', { 'svc.app/folder': 'platform' });
    await write.create(ELEMENTS, 'LibraryElement', 'latency', {
      name: 'Latency',
      kind: 1,
      model: { type: 'stat', title: 'Latency', datasource: prometheus },
    });
    const why = { 'svc.app/folder': 'data', 'svc.app/message': 'Because of the outage' };
    await write.create(DASHBOARDS, 'Dashboard', 'requests', spec, why);
  });

  it('shows the folders above as they are called now', async () => {
    const { page, complaints } = await open('vera', place());
    const link = (name: string) =>
      page.getByRole('navigation', { name: 'Folders above' }).getByRole('link', { name, exact: true });
    await link('Data').waitFor();
    await write.rename(`${FOLDERS}/platform`, 'Renamed');
    await link('Renamed').waitFor();
    await write.rename(`${FOLDERS}/platform`, 'Platform');
    await link('Platform').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  for (const login of ['admin', 'edith', 'vera'])
    it(`shows its title, its folders, who changed it and why, and its panels with their queries: to ${login}`, async () => {
      const { page, complaints } = await open(login, place());
      await page.getByRole('heading', { level: 1, name: 'Requests and errors' }).waitFor();
      const crumbs = page.getByRole('navigation', { name: 'Folders above' });
      await crumbs.getByRole('link', { name: 'Data' }).waitFor();
      expect(await crumbs.getByRole('link').allInnerTexts()).to.deep.equal(['All folders', 'Platform', 'Data']);
      await page.getByText('Because of the outage').waitFor();
      const panels = page.getByRole('region', { name: 'Panels' });
      await panels.getByText('rate(errors_total[5m])').waitFor();
      expect(await panels.getByRole('listitem').locator('strong').allInnerTexts()).to.deep.equal([
        'Requests a second',
        'Latency',
        'Failed',
      ]);
      await page.getByText('label_values(region)').waitFor();
      await page.getByText('the last 6 hours', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
      await page.locator('nav a[aria-current=page]', { hasText: 'Folders' }).waitFor();
      await expectAccessible(page);
      await panels.getByRole('link', { name: 'library panel Latency' }).click();
      await page.getByRole('heading', { level: 1, name: 'Latency' }).waitFor();
      await page.goBack();
      await crumbs.getByRole('link', { name: 'Data' }).click();
      await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
      expect(complaints).to.deep.equal([]);
    });

  it('exports its JSON, and for another server with inputs and library panels', async () => {
    const { page, complaints } = await open('vera', place('json'));
    const region = page.getByRole('region', { name: 'JSON of Requests and errors' });
    await region.waitFor();
    expect(JSON.parse((await region.textContent()) ?? '')).to.deep.equal({ uid: 'requests', ...spec });
    await expectAccessible(page);
    await page.getByLabel('For another server').check();
    await region.getByText('__inputs').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(saved.suggestedFilename()).to.equal('requests-and-errors.json');
    const exported = JSON.parse(await readFile(await saved.path(), 'utf8'));
    expect(exported.__inputs).to.deep.include({
      name: 'DS_PROMETHEUS',
      label: 'metrics',
      description: '',
      type: 'datasource',
      pluginId: 'prometheus',
      value: '',
    });
    expect(exported.__elements.latency.model.datasource.uid).to.equal(`$\{DS_PROMETHEUS}`);
    expect(complaints).to.deep.equal([]);
  });

  it('has a star, and a menu whose dialogs give the focus back', async () => {
    const { page } = await open('edith', place());
    const star = page.getByRole('button', { name: /^Star/ });
    // The stars that were there before come after the press.
    const { isAsked, release } = await held(page, /\/api\/user\/stars$/);
    await page.reload();
    await isAsked;
    await star.click();
    await page.locator('.star[aria-pressed=true]').waitFor();
    const isAnswered = page.waitForResponse(/\/api\/user\/stars$/);
    release();
    await isAnswered;
    await page.locator('.star[aria-pressed=true]').waitFor();
    await star.click();
    await page.locator('.star[aria-pressed=false]').waitFor();
    const menu = page.getByRole('button', { name: 'Actions for Requests and errors' });
    for (const [item, dialog] of [
      ['Move to…', /^Move/],
      ['Delete…', /^Delete/],
    ] as const) {
      await menu.click();
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('dialog', { name: dialog }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const focused = await page.evaluate("document.activeElement.getAttribute('aria-label')");
      expect(focused).to.equal('Actions for Requests and errors');
    }
  });

  it('is deleted from its menu, says so, and comes back', async () => {
    await write.dashboard('passing', 'Passing', 'data');
    const { page } = await open('admin', place('', 'passing'));
    await page.getByRole('button', { name: 'Actions for Passing' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(/^This object was deleted/).waitFor();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('button', { name: 'Actions for Passing' }).waitFor();
  });

  it('of a library element says which dashboards show it, and of a rule when it fires', async () => {
    const query = { refId: 'A', datasourceUid: 'metrics', model: { expr: 'up == 0' } };
    await write.create(
      RULES,
      'AlertRule',
      'down',
      { title: 'Server is down', ruleGroup: 'g', condition: 'A', for: '5m', data: [query], labels: { team: 'ops' } },
      { 'svc.app/folder': 'data' },
    );
    const { page, complaints } = await open(
      'vera',
      place().replace('dashboards/default/requests', 'libraryelements/default/latency'),
    );
    await page.getByRole('heading', { level: 1, name: 'Latency' }).waitFor();
    await page.getByRole('region', { name: 'Used in' }).getByRole('link', { name: 'Requests and errors' }).waitFor();
    await expectAccessible(page);
    await page.getByText('All fields of the object').click();
    await page.getByRole('heading', { name: 'Facts' }).waitFor();
    await page.goto(
      page.url().replace(/objects\/.*/, 'objects/rules.alerting.svc.app/v1beta1/alertrules/default/down'),
    );
    await page.getByRole('heading', { level: 1, name: 'Server is down' }).waitFor();
    await page.getByRole('navigation', { name: 'Folders above' }).getByRole('link', { name: 'Data' }).waitFor();
    await page.getByText('It fires when A holds for 5m.').waitFor();
    await page.getByText('up == 0').waitFor();
    await page.getByText('it says that there is no data').waitFor();
    await expectAccessible(page);
    expect(complaints).to.deep.equal([]);
  });

  it('tells a viewer why they may not move or delete it', async () => {
    const { page } = await open('vera', place());
    await page.getByRole('button', { name: 'Actions for Requests and errors' }).click();
    for (const name of ['Move to…', 'Delete…'])
      await page.getByRole('menuitem', { name }).and(page.locator('[aria-disabled=true]')).waitFor();
  });
});
