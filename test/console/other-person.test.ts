import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Person, useConsole } from './console.js';
import { FOLDERS, PASSWORD, writerOn } from './content.js';
import { beginFolder } from './folders.js';

/** Ends when a draft was kept. It is a text, because the tests do not have the types of browsers. */
const KEPT = `new Promise((resolve) => {
  const look = () =>
    Object.keys(sessionStorage).some((key) => key.startsWith('console.draft.')) ? resolve() : setTimeout(look, 50);
  look();
})`;

describe('the console of one person with the session of another', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);

  before(async () => {
    await write.user('leslie', 'Editor');
    await write.user('tom', 'Editor');
    await write.folder('ops', 'Operations');
  });

  const leslie = (): Promise<Person> => running().person({ user: 'leslie', password: PASSWORD });
  /** Signs in as tom in another tab. With `isOpen`, the console is open there. */
  const signInAsTom = async ({ context }: Person, { isOpen }: { readonly isOpen: boolean }): Promise<void> => {
    const data = { user: 'tom', password: PASSWORD };
    await context.clearCookies();
    expect((await context.request.post(`${running().server.httpUrl}/login`, { data })).ok()).to.equal(true);
    if (!isOpen) return;
    const tab = await context.newPage();
    await tab.goto(`${running().server.httpUrl}/console/folders`);
    await tab.getByRole('button', { name: 'Account of tom' }).waitFor();
  };
  const cover = (page: Page) => page.getByRole('dialog', { name: 'You are signed in as tom' });
  const countOf = async (title: string): Promise<number> => {
    const { items } = (await write.send('GET', FOLDERS)).json<{ items: { spec: { title: string } }[] }>();
    return items.filter(({ spec }) => spec.title === title).length;
  };

  it('writes nothing, and is gone when the other one goes on', async () => {
    const person = await leslie();
    const { page } = person;
    await person.goTo('/folders/ops');
    await beginFolder(page);
    const dialog = page.getByRole('dialog', { name: /^New folder in/ });
    await dialog.getByLabel('Title').fill('By nobody');
    await signInAsTom(person, { isOpen: false });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await cover(page).waitFor();
    expect(await countOf('By nobody')).to.equal(0);
    expect(await page.getByRole('main').isVisible()).to.equal(false);
    await cover(page).getByRole('button', { name: 'Go on as tom' }).click();
    await page.getByRole('button', { name: 'Account of tom' }).waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('is covered as soon as the other one opens the console, and comes back with what was typed', async () => {
    const person = await leslie();
    const { page } = person;
    await person.goTo('/folders/ops');
    await beginFolder(page);
    const dialog = page.getByRole('dialog', { name: /^New folder in/ });
    await dialog.getByLabel('Title').fill('By Leslie');
    await signInAsTom(person, { isOpen: true });
    await cover(page).waitFor();
    await cover(page).getByRole('button', { name: 'Sign in as leslie' }).click();
    const form = page.getByRole('dialog', { name: 'Sign in again' });
    expect(await form.getByLabel('Login or e-mail address').inputValue()).to.equal('leslie');
    await form.getByLabel('Password').fill(PASSWORD);
    await form.getByRole('button', { name: 'Sign in', exact: true }).click();
    await cover(page).waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Title').inputValue()).to.equal('By Leslie');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'By Leslie' }).waitFor();
  });

  it('keeps a draft for who typed it', async () => {
    const person = await leslie();
    const { page } = person;
    const place = '/objects/folder.svc.app/v1beta1/folders/default/ops/yaml';
    await person.goTo(place);
    await page.getByText('title: Operations').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' of Leslie');
    await page.getByText('Operations of Leslie').first().waitFor();
    await page.evaluate(KEPT);
    await signInAsTom(person, { isOpen: true });
    await cover(page).waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await cover(page).getByRole('button', { name: 'Go on as tom' }).click();
    await page.getByRole('button', { name: 'Account of tom' }).waitFor();
    await page.getByText('title: Operations').waitFor();
    expect(await page.getByText('of Leslie').count()).to.equal(0);
  });
});
