import { expect } from 'chai';
import { eventually } from '../e2e/process.js';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { writerOn } from './content.js';
import { beginFolder } from './folders.js';
import { held } from './held.js';

describe('the dialogs of the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const { person, page } = usePerson(running);

  before(() => write.folder('ops', 'Operations'));

  const form = () => page().getByRole('dialog', { name: 'New team' });
  const question = () => page().getByRole('dialog', { name: 'Discard what you typed?' });
  const openForm = async (): Promise<void> => {
    await person().goTo('/people/teams');
    await page().getByRole('button', { name: 'New team' }).click();
  };
  const keep = async (): Promise<void> => {
    await question().getByRole('button', { name: 'Cancel' }).click();
    await question().waitFor({ state: 'detached' });
    expect(await form().getByLabel('Name').inputValue()).to.equal('Typed');
  };

  it('ask before typed text is thrown away, however they are closed', async () => {
    await openForm();
    await form().getByLabel('Name').fill('Typed');
    await page().keyboard.press('Escape');
    await question().waitFor();
    await expectAccessible(page());
    await keep();
    await page().mouse.click(20, 400);
    await question().waitFor();
    await keep();
    await form().getByRole('button', { name: 'Close', exact: true }).click();
    await keep();
    await form().getByRole('button', { name: 'Cancel' }).click();
    await keep();
    await page().keyboard.press('Escape');
    await question().getByRole('button', { name: 'Discard' }).click();
    await form().waitFor({ state: 'detached' });
  });

  it('keep typed text when the answer to one that was closed comes late', async () => {
    const title = page().getByRole('dialog', { name: 'New folder' }).getByLabel('Title');
    await person().goTo('/folders');
    await beginFolder(page());
    await title.fill('Late');
    const { isAsked, release } = await held(page(), /\/folders$/);
    await page().getByRole('button', { name: 'Create' }).click();
    await isAsked;
    await page().keyboard.press('Escape');
    await question().getByRole('button', { name: 'Discard' }).click();
    await title.waitFor({ state: 'detached' });
    await beginFolder(page());
    await title.fill('Typed');
    release();
    await page().getByText('“⁨Late⁩” was created.').waitFor();
    expect(await title.inputValue()).to.equal('Typed');
    await page().waitForURL(/\/folders$/);
  });

  it('keep typed text when Escape is pressed again and again', async () => {
    await openForm();
    await form().getByLabel('Name').fill('Typed');
    for (let count = 0; count < 7; count++) await page().keyboard.press('Escape');
    // Each key opens or closes the question. The last ones may take effect a moment later.
    await eventually(
      async () => {
        if (!(await question().isVisible())) return true;
        await page().keyboard.press('Escape');
        await question()
          .waitFor({ state: 'detached', timeout: 5000 })
          .catch(() => undefined);
        return undefined;
      },
      () => 'Escape does not close the question',
    );
    expect(await form().getByLabel('Name').inputValue()).to.equal('Typed');
  });

  it('keep typed text when the browser closes them below their question', async () => {
    await openForm();
    await form().getByLabel('Name').fill('Typed');
    await page().keyboard.press('Escape');
    await question().waitFor();
    await page().evaluate(`document.querySelector('dialog').close()`);
    await question().waitFor({ state: 'detached' });
    expect(await form().getByLabel('Name').inputValue()).to.equal('Typed');
    await page().keyboard.press('Escape');
    await keep();
  });

  it('close at once when nothing was typed, or nothing is left of it', async () => {
    await openForm();
    await page().keyboard.press('Escape');
    await form().waitFor({ state: 'detached' });
    await page().getByRole('button', { name: 'New team' }).click();
    await form().getByLabel('Name').fill('Typed');
    await form().getByLabel('Name').fill('');
    await page().keyboard.press('Escape');
    await form().waitFor({ state: 'detached' });
  });

  it('close at once when what was typed was saved', async () => {
    await openForm();
    await form().getByLabel('Name').fill('Saved');
    await page().keyboard.press('Enter');
    await page().getByRole('heading', { name: 'Saved' }).waitFor();
    expect(await page().getByRole('dialog').count()).to.equal(0);
  });

  it('take their question back when what was typed is saved meanwhile', async () => {
    await openForm();
    await form().getByLabel('Name').fill('Saved late');
    const saving = await held(page(), /\/api\/teams(\?|$)/);
    await page().keyboard.press('Enter');
    await page().keyboard.press('Escape');
    await question().waitFor();
    saving.release();
    await page().getByRole('heading', { name: 'Saved late' }).waitFor();
    expect(await page().getByRole('dialog').count()).to.equal(0);
  });

  it('give the focus back to what had it, and to the tree when they were opened there', async () => {
    const focused = () =>
      page().evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
    await openForm();
    await page().keyboard.press('Escape');
    await form().waitFor({ state: 'detached' });
    expect(await focused()).to.equal('New team');

    await person().goTo('/folders/ops');
    await page().getByRole('heading', { level: 1, name: 'Operations' }).waitFor();
    const tree = page().getByRole('tree', { name: 'Folders', exact: true });
    const isInTree = () => page().evaluate(`document.activeElement.closest('[role=tree]') !== null`);
    for (const end of ['Escape', 'Enter']) {
      await tree.focus();
      await page().keyboard.press('F2');
      const rename = page().getByRole('dialog');
      await rename.getByLabel('Title').waitFor();
      if (end === 'Enter') await page().keyboard.type('Operations, renamed');
      await page().keyboard.press(end);
      await rename.waitFor({ state: 'detached' });
      expect(await isInTree(), end).to.equal(true);
    }

    await page().getByRole('button', { name: 'Actions on this folder' }).click();
    await page()
      .getByRole('menuitem', { name: /^Move to/ })
      .click();
    const move = page().getByRole('dialog', { name: /^Move/ });
    await move.getByRole('button', { name: 'Cancel' }).click();
    await move.waitFor({ state: 'detached' });
    expect(await focused()).to.equal('Actions on this folder');
  });

  it('let the browser ask before the page is closed with typed text', async () => {
    await openForm();
    await form().getByLabel('Name').fill('Typed');
    const asked = new Promise<string>((resolve) => {
      page().once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      });
    });
    await page().reload();
    expect(await asked).to.equal('beforeunload');
  });

  for (const width of [360, 1280])
    it(`have messages above them, which can be read and closed there, at ${width} pixels`, async () => {
      await page().setViewportSize({ width, height: 800 });
      await person().goTo('/folders/ops');
      await page().getByRole('button', { name: 'Actions on this folder' }).click();
      await page()
        .getByRole('menuitem', { name: /^Move to/ })
        .click();
      const dialog = page().getByRole('dialog', { name: /^Move/ });
      await dialog.getByRole('button', { name: 'Move', exact: true }).press('Enter');
      // The live region is in the dialog, so that screen readers read the message aloud.
      const message = dialog.getByRole('status').getByText('Choose a folder first.');
      await message.waitFor();
      await expectAccessible(page());
      await dialog.getByRole('button', { name: 'Close message' }).click();
      await message.waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Cancel' }).click({ trial: true });
    });

  it('leave their messages on the page when they are closed', async () => {
    await openForm();
    await form().getByLabel('Name').fill('Told');
    await page().keyboard.press('Enter');
    await form().waitFor({ state: 'detached' });
    await page().getByRole('status').getByText('The team was created.').waitFor();
  });
});
