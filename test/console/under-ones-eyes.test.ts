import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Person, useConsole } from './console.js';
import { FOLDERS, PASSWORD, writerOn } from './content.js';

const MERGE = 'application/merge-patch+json';
const yamlOf = (name: string): string => `/objects/folder.svc.app/v1beta1/folders/default/${name}/yaml`;

describe('what others do while somebody looks at a folder in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const setPrivate = (name: string, value: string | null) =>
    write.send('PATCH', `${FOLDERS}/${name}`, { metadata: { annotations: { 'svc.app/basic-roles': value } } }, MERGE);
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  before(async () => {
    await write.user('vera', 'Viewer');
    await Promise.all(Array.from({ length: 40 }, (_, at) => write.folder(`many-${at}`, `Many ${100 + at}`)));
  });
  const vera = async (place: string): Promise<Person> => {
    const person = await running().person({ user: 'vera', password: PASSWORD });
    await person.goTo(place);
    return person;
  };

  it('hides a folder as soon as it is private, and shows it again', async () => {
    await write.folder('plans', 'Plans');
    const { page } = await vera('/folders/plans');
    await heading(page, 'Plans').waitFor();
    await setPrivate('plans', 'none');
    await page.getByText('You may not see this folder').first().waitFor();
    expect(await heading(page, 'Plans').count()).to.equal(0);
    await setPrivate('plans', null);
    await heading(page, 'Plans').waitFor();
  });

  it('names a folder that was deleted, and shows it again when it is restored', async () => {
    await write.folder('old', 'Old things');
    const person = await running().person();
    const { page } = person;
    await person.goTo('/folders/old');
    await heading(page, 'Old things').waitFor();
    await write.remove(`${FOLDERS}/old`);
    await page.getByText('This folder is not there any more').waitFor();
    await page.getByText(/has deleted it/).waitFor();
    await heading(page, 'Old things').waitFor();
    await write.send('POST', `${FOLDERS}/old/restore`, {});
    await page.getByText('This folder is not there any more').waitFor({ state: 'detached' });
    await heading(page, 'Old things').waitFor();
  });

  it('opens the folder of the first click in a tree that was scrolled', async () => {
    const person = await running().person({ context: { viewport: { width: 1280, height: 600 } } });
    const { page } = person;
    await person.goTo('/folders');
    const tree = page.getByRole('tree', { name: 'Folders' });
    await tree.getByRole('treeitem').first().waitFor();
    await tree.hover();
    await page.mouse.wheel(0, 700);
    const item = tree.getByRole('treeitem', { name: 'Many 130' });
    await item.waitFor();
    const box = await item.boundingBox();
    if (box === null) throw new Error('the folder cannot be seen');
    await page.mouse.move(box.x + 80, box.y + box.height / 2);
    await page.mouse.down();
    // Longer than the browser needs to draw again.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await page.mouse.up();
    await heading(page, 'Many 130').waitFor();
  });

  const type = async ({ page }: Person, line: string): Promise<void> => {
    await page.locator('.cm-line').filter({ hasText: 'title:' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type(line);
  };

  it('keeps a review open, with the reason that was typed, and shows what would be stored now', async () => {
    await write.folder('reviewed', 'Reviewed');
    const person = await running().person();
    const { page } = person;
    await person.goTo(yamlOf('reviewed'));
    await type(person, 'description: By me');
    await page.getByRole('button', { name: 'Review and save' }).click();
    const dialog = page.getByRole('dialog', { name: 'What will change' });
    await dialog.getByLabel('Why? (optional)').fill('A good reason');
    await write.rename(`${FOLDERS}/reviewed`, 'By others');
    await dialog.getByText('Others have changed the object meanwhile. This is what would be stored now.').waitFor();
    expect(await dialog.getByLabel('Why? (optional)').inputValue()).to.equal('A good reason');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { spec } = (await write.send('GET', `${FOLDERS}/reviewed`)).json<{ spec: object }>();
    expect(spec).to.deep.equal({ title: 'By others', description: 'By me' });
  });

  it('keeps the editor of an object that is deleted, with what was typed', async () => {
    await write.folder('typed', 'Typed');
    const person = await running().person();
    const { page } = person;
    await person.goTo(yamlOf('typed'));
    await type(person, 'description: Still here');
    await write.remove(`${FOLDERS}/typed`);
    await page.getByText('Somebody has deleted this object. The text is still here.').waitFor();
    await page.locator('.cm-content').getByText('Still here').waitFor();
  });
});
