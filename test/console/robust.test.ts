import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, type Person, useConsole } from './console.js';
import { FOLDERS, PASSWORD, writerOn } from './content.js';
import { beginFolder } from './folders.js';

const AWAY = 'It is tried again until the server answers.';
const ENDED = 'Your session has ended. What you typed is still here.';
const yamlOf = (name: string): string => `/objects/folder.svc.app/v1beta1/folders/default/${name}/yaml`;

/** A port that is free now. A server that starts again is expected at the same one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('what was typed in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole(async () => ({ 'server.http_port': String(await freePort()) }));
  const write = writerOn(() => running().server);
  const people: Person[] = [];
  let edith: { readonly id: number };

  const open = async (place: string, user?: string): Promise<Page> => {
    const person = await running().person(user === undefined ? {} : { user, password: PASSWORD });
    people.push(person);
    await person.goTo(place);
    // A reload of the page would remove this.
    await person.page.evaluate('globalThis.isSame = true');
    return person.page;
  };
  const isSame = (page: Page): Promise<unknown> => page.evaluate('globalThis.isSame === true');
  const specOf = async (name: string): Promise<unknown> =>
    (await write.send('GET', `${FOLDERS}/${name}`)).json<{ spec: unknown }>().spec;
  const newFolderIn = async (page: Page, title: string) => {
    await beginFolder(page);
    const dialog = page.getByRole('dialog', { name: /^New folder in/ });
    await dialog.getByLabel('Title').fill(title);
    return dialog;
  };
  /** Types a line at the end of an object. */
  const typeYaml = async (page: Page, name: string, line: string) => {
    const editor = page.getByRole('textbox', { name: `Folder ${name} as YAML` });
    await editor.getByText('kind').waitFor();
    await editor.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText(`${line}\n`);
    return editor;
  };
  const review = (page: Page) => page.getByRole('button', { name: 'Review and save' }).click();
  const saveYaml = async (page: Page): Promise<void> => {
    await review(page);
    await page.getByRole('dialog', { name: 'What will change' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
  };
  const signOut = () => write.send('POST', `/api/admin/users/${edith.id}/logout`, {});
  const signInAgain = async (page: Page): Promise<void> => {
    const form = page.getByRole('dialog', { name: 'Sign in again' });
    await form.getByLabel('Login or e-mail address').fill('edith');
    await form.getByLabel('Password').fill(PASSWORD);
    await form.getByRole('button', { name: 'Sign in', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText(ENDED).first().waitFor({ state: 'detached' });
  };

  before(async () => {
    edith = await write.user('edith', 'Editor');
    await write.folder('ops', 'Operations');
  });
  afterEach(async () => {
    const complaints = people.flatMap((person) => person.complaints);
    await Promise.all(people.splice(0).map(({ context }) => context.close()));
    expect(complaints).to.deep.equal([]);
  });

  describe('while the server goes away and comes back', () => {
    it('has a banner above it, and trees and tables are live again without a reload', async () => {
      const [tree, table] = [await open('/folders'), await open('/kinds/folder.svc.app/v1beta1/folders')];
      await tree.getByRole('treeitem', { name: 'Operations' }).waitFor();
      await table.getByRole('grid').getByRole('link', { name: 'ops' }).waitFor();
      await running().server.kill();
      for (const page of [tree, table]) await page.getByText(AWAY).waitFor();
      await expectAccessible(tree);
      await running().server.restart();
      for (const page of [tree, table]) await page.getByText(AWAY).waitFor({ state: 'detached' });
      await write.folder('afterwards', 'Made afterwards');
      await tree.getByRole('treeitem', { name: 'Made afterwards' }).waitFor();
      await table.getByRole('grid').getByRole('link', { name: 'afterwards', exact: true }).waitFor();
      expect([await isSame(tree), await isSame(table)]).to.deep.equal([true, true]);
    });

    it('has a banner above it on pages that follow nothing, and what could not be loaded comes by itself', async () => {
      const page = await open('/people/users');
      await page.getByRole('link', { name: 'edith' }).waitFor();
      await running().server.kill();
      await page.getByLabel('Search by name').fill('edi');
      await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      await page.getByText(AWAY).waitFor();
      await running().server.restart();
      await page.getByRole('link', { name: 'edith' }).waitFor();
      await page.getByText(AWAY).waitFor({ state: 'detached' });
      expect(await isSame(page)).to.equal(true);
    });

    it('stays in a dialog, which has the banner, too, and is saved afterwards', async () => {
      const page = await open('/folders/ops');
      const dialog = await newFolderIn(page, 'Typed before');
      await running().server.kill();
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('The server cannot be reached.', { exact: true }).waitFor();
      await dialog.getByText(AWAY).waitFor();
      await expectAccessible(page);
      await running().server.restart();
      await dialog.getByText(AWAY).waitFor({ state: 'detached' });
      expect(await dialog.getByLabel('Title').inputValue()).to.equal('Typed before');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { level: 1, name: 'Typed before' }).waitFor();
      expect(await isSame(page)).to.equal(true);
    });

    it('stays in the YAML editor, and is saved afterwards', async () => {
      await write.folder('edited', 'Edited');
      const page = await open(yamlOf('edited'));
      const editor = await typeYaml(page, 'edited', '  description: Typed before');
      await running().server.kill();
      await page.getByText(AWAY).waitFor();
      await review(page);
      await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      await running().server.restart();
      await page.getByText(AWAY).waitFor({ state: 'detached' });
      await editor.getByText('Typed before').waitFor();
      await saveYaml(page);
      expect(await specOf('edited')).to.deep.equal({ title: 'Edited', description: 'Typed before' });
      expect(await isSame(page)).to.equal(true);
    });
  });

  describe('when the session ends', () => {
    it('stays in a dialog, in which one signs in again, and is saved', async () => {
      const page = await open('/folders/ops', 'edith');
      const dialog = await newFolderIn(page, 'Typed by Edith');
      await signOut();
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText(ENDED).waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Sign in again' }).click();
      await signInAgain(page);
      expect(await dialog.getByLabel('Title').inputValue()).to.equal('Typed by Edith');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { level: 1, name: 'Typed by Edith' }).waitFor();
      expect(await isSame(page)).to.equal(true);
    });

    it('stays in the YAML editor, also after a wrong password, and is saved, and the page is live again', async () => {
      await write.folder('session', 'Session');
      const page = await open(yamlOf('session'), 'edith');
      const editor = await typeYaml(page, 'session', '  description: Typed by Edith');
      await signOut();
      await review(page);
      await page.getByText(ENDED).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Sign in again' }).click();
      const form = page.getByRole('dialog', { name: 'Sign in again' });
      await form.getByLabel('Login or e-mail address').fill('edith');
      await form.getByLabel('Password').fill('wrong');
      await form.getByRole('button', { name: 'Sign in', exact: true }).click();
      await form.getByRole('alert').waitFor();
      await expectAccessible(page);
      await signInAgain(page);
      await editor.getByText('Typed by Edith').waitFor();
      await saveYaml(page);
      expect(await specOf('session')).to.deep.equal({ title: 'Session', description: 'Typed by Edith' });
      await write.rename(`${FOLDERS}/session`, 'By others');
      await editor.getByText('By others').waitFor();
      expect(await isSame(page)).to.equal(true);
    });
  });

  it('by two people about the same folder is saved by the second only after they saw what the first changed', async () => {
    await write.folder('both', 'Before');
    const [first, second] = [await open('/folders/both', 'edith'), await open('/folders/both')];
    const rename = async (page: Page, title: string) => {
      await page.getByRole('button', { name: 'Actions on this folder' }).click();
      await page.getByRole('menuitem', { name: /^Rename/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Rename and describe' });
      await dialog.getByLabel('Title').fill(title);
      return dialog;
    };
    const [hers, his] = [await rename(first, 'By Edith'), await rename(second, 'By the second')];
    await hers.getByRole('button', { name: 'Save' }).click();
    await first.getByRole('heading', { level: 1, name: 'By Edith' }).waitFor();
    await his.getByRole('button', { name: 'Save' }).click();
    await his.getByText(/^edith has changed this folder meanwhile/).waitFor();
    await his.getByText('Their title').waitFor();
    await his.getByText('By Edith', { exact: true }).waitFor();
    expect(await specOf('both')).to.deep.equal({ title: 'By Edith' });
    expect(await his.getByLabel('Title').inputValue()).to.equal('By the second');
    await expectAccessible(second);
    await his.getByRole('button', { name: 'Save mine' }).click();
    for (const page of [first, second]) await page.getByRole('heading', { level: 1, name: 'By the second' }).waitFor();
  });
});
