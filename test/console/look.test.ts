import { expect } from 'chai';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { PASSWORD, writerOn } from './content.js';

describe('the head and the navigation of the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const { person, page } = usePerson(running);
  const focused = () =>
    page().evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()');

  before(async () => {
    await write.send('POST', '/api/orgs', { name: 'Second Org' });
  });

  it('are reached by Tab in the order in which they are seen', async () => {
    await person().goTo('/folders');
    await page().getByRole('button', { name: 'Organization: Main Org.' }).waitFor();
    await page().getByRole('link', { name: 'Server' }).waitFor();
    const order: string[] = [];
    for (let n = 0; n < 8; n++) {
      await page().keyboard.press('Tab');
      order.push(await focused());
    }
    expect(order).to.deep.equal([
      'Skip to the content',
      'Dashboards',
      'Organization: Main Org.',
      'Find anythingCtrl-K',
      'API',
      'Account of admin',
      'Folders',
      'Trash',
    ]);
  });

  it('name the person as all other pages do, with the login as a tooltip', async () => {
    await write.user('tess', 'Viewer', 'Tess Tester');
    const tess = await running().person({ user: 'tess', password: PASSWORD });
    await tess.goTo('/folders');
    const button = tess.page.getByRole('button', { name: 'Account of Tess Tester (tess)', exact: true });
    await button.getByTitle('tess').getByText('Tess Tester').waitFor();
    expect(tess.complaints).to.deep.equal([]);
    await tess.context.close();
  });

  it('have the mark, and a picture beside each entry, which says nothing to screen readers', async () => {
    await person().goTo('/folders');
    await page().getByRole('link', { name: 'Dashboards', exact: true }).locator('svg').waitFor();
    const links = page().getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.nth(7).waitFor();
    expect(await links.locator('svg[aria-hidden=true]').count()).to.equal(await links.count());
  });

  it('switch the organization by the keyboard, beginning at the one that is shown', async () => {
    await person().goTo('/folders');
    const button = page().getByRole('button', { name: 'Organization: Main Org.' });
    await button.press('Enter');
    await page().getByRole('menuitemradio', { name: 'Main Org.', checked: true }).waitFor();
    expect(await focused()).to.contain('Main Org.');
    await expectAccessible(page());
    await page().keyboard.press('Escape');
    expect(await focused()).to.equal('Organization: Main Org.');
    await button.press('Enter');
    await page().locator('[role=menuitemradio]:focus', { hasText: 'Main Org.' }).waitFor();
    await page().keyboard.press('ArrowDown');
    await page().locator('[role=menuitemradio]:focus', { hasText: 'Second Org' }).press('Enter');
    await page().waitForURL(/\/console\/o\/org-2\/folders$/);
  });

  it('have room for it all at 360 pixels', async () => {
    await page().setViewportSize({ width: 360, height: 780 });
    await person().goTo('/folders');
    await page().getByRole('button', { name: 'Account of admin' }).waitFor();
    expect(await page().evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
    await expectAccessible(page());
  });

  it('are not printed, and the page is black on white and as long as it is', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `printed-${index}`);
    for (const name of names)
      await write.create('/apis/iam.svc.app/v1beta1/namespaces/default/teams', 'Team', name, { title: `Team ${name}` });
    await person().goTo('/people/teams');
    await page().getByRole('link', { name: 'Team printed-39' }).waitFor();
    await page().evaluate(`document.documentElement.dataset.theme = 'dark'`);
    await page().emulateMedia({ media: 'print' });
    expect(await page().locator('.head, .nav, .skip').locator('visible=true').count()).to.equal(0);
    expect(await page().getByRole('main').getByRole('button').locator('visible=true').count()).to.equal(0);
    const look = `(() => {
      const { color } = getComputedStyle(document.querySelector('main'));
      return [color, getComputedStyle(document.documentElement).backgroundColor];
    })()`;
    expect(await page().evaluate(look)).to.deep.equal(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    expect(await page().evaluate('document.documentElement.scrollHeight')).to.be.above(1500);
    await page().emulateMedia({ media: null });
    await page().getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('show the chosen tab at 360 pixels', async () => {
    await page().setViewportSize({ width: 360, height: 780 });
    await person().goTo('/people/sign-on');
    const tab = page().getByRole('tab', { name: 'Sign-on', selected: true });
    await tab.waitFor();
    const { x = 0, width = 0 } = (await tab.boundingBox()) ?? {};
    expect(x + width).to.be.within(1, 360);
  });
});
