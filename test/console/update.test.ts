import { expect } from 'chai';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { writerOn } from './content.js';
import { beginFolder } from './folders.js';

const NEW = 'The server has a new version of the console.';

describe('the console when the server gets a new version', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const { person, page } = usePerson(running);

  before(() => write.folder('ops', 'Operations'));
  beforeEach(async () => {
    await person().goTo('/folders/ops');
    await page().evaluate('globalThis.isSame = true');
  });

  const isSame = (): Promise<unknown> => page().evaluate('globalThis.isSame === true');
  /**
   * From now on, the page of the server names another script, and the old files are gone. After a reload, the page gets
   * its files again.
   */
  const update = async (): Promise<void> => {
    let isOldPage = true;
    page().on('request', (request) => {
      if (request.isNavigationRequest()) isOldPage = false;
    });
    await page().route('**/console/', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/main-\w+\.js/, 'main-NEWER.js');
      await route.fulfill({ response: answer, body });
    });
    await page().route('**/console/assets/*.js', (route) =>
      isOldPage ? route.fulfill({ status: 404, json: { message: 'gone' } }) : route.continue(),
    );
  };
  const undo = (): Promise<void> => page().unrouteAll();
  const hide = (isHidden: boolean) =>
    page().evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);

  it('says so when people come back to the page, and lets them reload it', async () => {
    await update();
    await hide(true);
    await hide(false);
    const banner = page().getByRole('status').filter({ hasText: NEW });
    await banner.waitFor();
    await expectAccessible(page());
    await undo();
    await banner.getByRole('button', { name: 'Reload' }).click();
    await page().getByRole('heading', { level: 1, name: 'Operations' }).waitFor();
    await banner.waitFor({ state: 'detached' });
    expect(await isSame()).to.equal(false);
  });

  it('says nothing as long as the version is the same', async () => {
    const asked = page().waitForResponse(/\/console\/$/);
    await hide(true);
    await hide(false);
    await (await asked).finished();
    expect(await page().getByText(NEW).count()).to.equal(0);
  });

  it('loads itself again when it needs a part that is gone, and shows what was asked for', async () => {
    await update();
    await page().getByRole('link', { name: 'Trash' }).click();
    await page().getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
    await undo();
    expect(await isSame()).to.equal(false);
  });

  it('shows why, and no blank page, when the part is still gone after that', async () => {
    await page().route('**/console/assets/page-*.js', (route) =>
      route.fulfill({ status: 404, json: { message: 'gone' } }),
    );
    await page().getByRole('link', { name: 'Trash' }).click();
    const alert = page().getByRole('alert').filter({ hasText: 'A part of the console could not be loaded.' });
    await alert.waitFor();
    await expectAccessible(page());
    expect(await isSame()).to.equal(false);
    await undo();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page().getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  });

  it('keeps what was typed, and says in the dialog that there is a new version', async () => {
    await beginFolder(page());
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Title').fill('Typed before');
    await update();
    await hide(true);
    await hide(false);
    await dialog.getByText(NEW).waitFor();
    expect(await dialog.getByLabel('Title').inputValue()).to.equal('Typed before');
    await undo();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page().getByRole('heading', { level: 1, name: 'Typed before' }).waitFor();
    expect(await isSame()).to.equal(true);
  });

  it('comes by itself when a part could not be loaded because the server was away', async () => {
    await page().route('**/console/**', (route) => route.abort());
    await page().route('**/livez', (route) => route.abort());
    await page().getByRole('link', { name: 'Trash' }).click();
    await page().getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await undo();
    await page().getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  });
});
