import { expect } from 'chai';
import { violationsOf } from './axe.js';
import { expectAccessible, type Person, useConsole } from './console.js';
import { writerOn } from './content.js';

/** Pages with something on them, and what is there when they are. */
const PAGES: readonly (readonly [place: string, shown: string])[] = [
  ['/people/teams', 'Night watch'],
  ['/people/accounts', 'Builder'],
  ['/people/roles', 'New role'],
  ['/people/sign-on', 'GitHub'],
  ['/sets', 'There are no apply sets yet'],
  ['/plan', 'Manifests'],
  ['/trash', 'Deleted folder'],
  ['/kinds', 'Settings and values'],
  ['/access', 'What may this person do?'],
  ['/account', 'Time zone'],
];

describe('each page of the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  let person: Person;

  before(async () => {
    await write.send('POST', '/api/teams', { name: 'Night watch' });
    await write.send('POST', '/api/serviceaccounts', { name: 'Builder', role: 'Viewer' });
    await write.folder('deleted', 'Deleted folder');
    await write.remove('/apis/folder.svc.app/v1beta1/namespaces/default/folders/deleted');
    person = await running().person();
  });
  afterEach(() => expect(person.complaints).to.deep.equal([]));
  after(() => person?.context.close());

  for (const [place, shown] of PAGES)
    it(`has no violation of WCAG 2.2 AA: ${place}`, async () => {
      await person.goTo(place);
      await person.page.getByText(shown).first().waitFor();
      await person.page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await expectAccessible(person.page);
    });

  for (const colorScheme of ['light', 'dark'] as const)
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
});
