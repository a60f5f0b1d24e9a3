import { expect } from 'chai';
import { violationsOf } from './axe.js';
import { expectAccessible, type Person, useConsole } from './console.js';
import { writerOn } from './content.js';
import { type Places, placesOfConsole } from './places.js';

const FOLDERS = { group: 'folder.svc.app', version: 'v1beta1', resource: 'folders' };
const ofOps = (tab?: string): readonly unknown[] => [FOLDERS, 'default', 'ops', tab];

/** For each page, the function of `places` that makes its address, the arguments, and a text of the page. */
const PAGES: readonly (readonly [place: string, args: readonly unknown[], shown: string])[] = [
  ['folders', [], 'Operations'],
  ['folders', ['ops'], 'Nothing lies here yet'],
  ['folders', ['none'], 'There is no folder “none”'],
  ['kinds', [], 'Settings and values'],
  ['kind', [FOLDERS], 'Operations'],
  ['object', ofOps(), 'Operations'],
  ['object', ofOps('yaml'), 'apiVersion'],
  ['object', ofOps('history'), 'Version'],
  ['object', ofOps('relations'), 'Owners'],
  ['object', ofOps('managers'), 'Manager'],
  ['object', ofOps('events'), 'No events'],
  ['create', [FOLDERS], 'apiVersion'],
  ['trash', [], 'Deleted folder'],
  ['people', [], 'New user'],
  ['people', ['teams'], 'Night watch'],
  ['people', ['accounts'], 'Builder'],
  ['people', ['roles'], 'New role'],
  ['people', ['sign-on'], 'GitHub'],
  ['builtInRole', ['Editor'], 'It does not hold in private folders.'],
  ['team', ['night'], 'Add a member'],
  ['access', [], 'What may they do?'],
  ['accessOf', ['Team', 'night'], 'What Night watch may do'],
  ['access', ['ops'], 'that were looked at may do this'],
  ['account', [], 'Time zone'],
  ['sets', [], 'There are no apply sets yet'],
  ['sets', ['none'], 'There is no set “none” here'],
  ['plan', [], 'Manifests'],
  ['server', [], 'Longest stall'],
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

  for (const [place, args, shown] of PAGES)
    it(`has no violation of WCAG 2.2 AA: ${place}(${args.filter((one) => typeof one === 'string').join(', ')})`, async () => {
      await person.visit(places[place]?.(...args) ?? '');
      await person.page.getByRole('main').getByText(shown).locator('visible=true').first().waitFor();
      await person.page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await expectAccessible(person.page);
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
