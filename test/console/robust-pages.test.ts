import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually, ROOT } from '../e2e/process.js';
import { violationsOf } from './axe.js';
import { expectAccessible, type Person, useConsole } from './console.js';
import { writerOn } from './content.js';
import { type Places, placesOfConsole } from './places.js';
import { tabOrderProblems } from './tab-order.js';

const FOLDERS = { group: 'folder.svc.app', version: 'v1beta1', resource: 'folders' };
const TEAMS = { group: 'iam.svc.app', version: 'v1beta1', resource: 'teams' };
const ofOps = (tab?: string): readonly unknown[] => [FOLDERS, 'default', 'ops', tab];
const ofNight = (tab?: string): readonly unknown[] => [TEAMS, 'default', 'night', tab];

/**
 * For each page, the function of `places` that makes its address, the arguments, a text of the page, and the title of
 * the tab.
 */
const PAGES: readonly (readonly [place: string, args: readonly unknown[], shown: string, title: string])[] = [
  ['folders', [], 'Operations', 'Home · Dashboards'],
  ['folders', ['ops'], 'Nothing lies here yet', 'Operations · Folders'],
  ['folders', ['none'], 'There is no folder “none”', 'No such folder · Folders'],
  ['kinds', [], 'Settings and values', 'All kinds · Dashboards'],
  ['kind', [FOLDERS], 'Operations', 'Folder · All kinds'],
  ['object', ofOps(), 'Operations', 'Overview · Operations · Folders'],
  ['object', ofOps('yaml'), 'apiVersion', 'YAML · Operations · Folders'],
  ['object', ofOps('history'), 'Version', 'History · Operations · Folders'],
  ['object', ofOps('relations'), 'Owners', 'Owners and dependents · Operations · Folders'],
  ['object', ofOps('managers'), 'Manager', 'Managers · Operations · Folders'],
  ['object', ofOps('events'), 'No events', 'Events · Operations · Folders'],
  ['object', ofNight(), 'Night watch', 'Night watch · Team'],
  ['object', ofNight('yaml'), 'apiVersion', 'YAML · Night watch · Team'],
  ['object', ofNight('relations'), 'Owners', 'Owners and dependents · Night watch · Team'],
  ['object', ofNight('managers'), 'Manager', 'Managers · Night watch · Team'],
  ['object', ofNight('events'), 'No events', 'Events · Night watch · Team'],
  ['create', [FOLDERS], 'apiVersion', 'New Folder · All kinds'],
  ['trash', [], 'Deleted folder', 'Trash · Dashboards'],
  ['people', [], 'New user', 'Users · People'],
  ['people', ['teams'], 'Night watch', 'Teams · People'],
  ['people', ['accounts'], 'Builder', 'Service accounts · People'],
  ['people', ['roles'], 'New role', 'Roles · People'],
  ['people', ['sign-on'], 'GitHub', 'Sign-on · People'],
  ['builtInRole', ['Editor'], 'It does not hold in private folders.', 'Roles · People'],
  ['team', ['night'], 'Add a member', 'Night watch · Teams'],
  ['user', ['nora'], 'nora@example.com', 'Nora · Users'],
  ['access', [], 'What may they do?', 'Access · Dashboards'],
  ['accessOf', ['Team', 'night'], 'What Night watch may do', 'Access · Dashboards'],
  ['access', ['ops'], 'that were looked at may do this', 'Access · Dashboards'],
  ['whoMay', ['dashboards', 'update'], 'Which one (optional)', 'Access · Dashboards'],
  ['account', [], 'Time zone', 'Account · Dashboards'],
  ['sets', [], 'There are no apply sets yet', 'Apply sets · Dashboards'],
  ['sets', ['none'], 'There is no set “none” here', 'none · Apply sets'],
  ['plan', [], 'Manifests', 'Plan · Dashboards'],
  ['mirrors', [], 'There are no mirrors yet', 'Mirrors · Dashboards'],
  ['server', [], 'Longest stall', 'Server · Dashboards'],
];

describe('each page of the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  let person: Person;
  let places: Places;

  before(async () => {
    const team = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Team', metadata: { name: 'night' } };
    await write.send('POST', '/apis/iam.svc.app/v1beta1/namespaces/default/teams', {
      ...team,
      spec: { title: 'Night watch' },
    });
    await write.send('POST', '/api/serviceaccounts', { name: 'Builder', role: 'Viewer' });
    const user = { apiVersion: 'iam.svc.app/v1beta1', kind: 'User', metadata: { name: 'nora' } };
    const spec = { login: 'nora', name: 'Nora', email: 'nora@example.com' };
    await write.send('POST', '/apis/iam.svc.app/v1beta1/users', { ...user, spec });
    await write.folder('ops', 'Operations');
    await write.folder('deleted', 'Deleted folder');
    await write.remove('/apis/folder.svc.app/v1beta1/namespaces/default/folders/deleted');
    person = await running().person();
    places = await placesOfConsole();
    await person.goTo('/');
  });
  afterEach(() => expect(person.complaints).to.deep.equal([]));
  after(() => person?.context.close());

  it('is one of those below', () => {
    expect([...new Set(PAGES.map(([place]) => place))].sort()).to.deep.equal(Object.keys(places).sort());
  });

  it('has an address below, for each route', async () => {
    const source = await readFile(join(ROOT, 'pkg', 'console', 'client', 'app', 'routes.tsx'), 'utf8');
    const routes = [...source.matchAll(/'(\/[\w/:?]*)'/g)].map(([, route = '']) => route);
    expect(routes).to.have.length.above(10);
    const addresses = PAGES.map(([place, args]) => (places[place]?.(...args) ?? '').replace(/\?.*/, ''));
    for (const route of routes) {
      const pattern = new RegExp(`^${route.replace(/\/:\w+\?/g, '(/[^/]+)?').replace(/:\w+/g, '[^/]+')}$`);
      expect(
        addresses.some((address) => pattern.test(address)),
        route,
      ).to.equal(true);
    }
  });

  for (const [place, args, shown, title] of PAGES)
    it(`has a title, one heading, an order of Tab, and no violation of WCAG 2.2 AA: ${place}(${args.filter((one) => typeof one === 'string').join(', ')})`, async () => {
      const { page } = person;
      await person.visit(places[place]?.(...args) ?? '');
      await page.getByRole('main').getByText(shown).locator('visible=true').first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      let found = '';
      await eventually(
        async () => {
          found = await page.title();
          return found === title || undefined;
        },
        () => `the title is ${found}, and not ${title}`,
      );
      expect(await page.getByRole('heading', { level: 1 }).count()).to.equal(1);
      expect(await tabOrderProblems(page)).to.deep.equal([]);
      await expectAccessible(page);
    });

  it('begins with the link that skips to the content, and Tab follows the order of the document', async () => {
    const { page } = person;
    await person.goTo('/folders/ops');
    await page.getByText('Nothing lies here yet').waitFor();
    const reached: unknown[] = [];
    const name = `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()`;
    for (let count = 0; count < 4; count++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(name));
    }
    expect(reached.slice(0, 2)).to.deep.equal(['Skip to the content', 'Dashboards']);
    expect(await page.evaluate(`document.activeElement.closest('.head') !== null`)).to.equal(true);
    await page.getByRole('button', { name: 'Skip to the content' }).press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement.closest('main') !== null`)).to.equal(true);
  });

  it('is not another one when an address has none', async () => {
    await person.goTo('/nowhere');
    await person.page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
    await expectAccessible(person.page);
    await person.page.getByRole('main').getByRole('link', { name: 'All folders' }).click();
    await person.page.waitForURL(/\/console\/o\/default\/folders$/);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no violation of WCAG 2.2 AA: the sign-in page in ${colorScheme} colours, also after a wrong password`, async () => {
      const context = await running().browser.newContext({ colorScheme });
      const page = await context.newPage();
      await page.goto(`${running().server.httpUrl}/login`);
      expect(await violationsOf(page)).to.deep.equal([]);
      await page.getByLabel(/login/i).fill('nobody');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      expect(await violationsOf(page)).to.deep.equal([]);
      await context.close();
    });

    it(`has no violation of WCAG 2.2 AA: the documentation in ${colorScheme} colours`, async () => {
      const page = await person.context.newPage();
      await page.emulateMedia({ colorScheme });
      await page.goto(`${running().server.httpUrl}/docs`);
      await page.locator('.opblock-tag').first().waitFor();
      expect(await violationsOf(page)).to.deep.equal([]);
      await page.close();
    });
  }
});
