import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Person, useConsole } from './console.js';
import { DASHBOARDS, FOLDERS, PASSWORD, writerOn } from './content.js';
import { beginFolder } from './folders.js';

/** Whether the first letter of the title can be seen. A text, because the tests do not have the types of browsers. */
const SEES_FIRST = `(() => {
  const title = [...document.querySelectorAll('[role=treeitem] bdi')].find((one) => /^ל/.test(one.textContent));
  const range = document.createRange();
  range.setStart(title.firstChild, 0);
  range.setEnd(title.firstChild, 1);
  const [letter, box] = [range.getBoundingClientRect(), title.closest('.cut').getBoundingClientRect()];
  return letter.left >= box.left - 1 && letter.right <= box.right + 1;
})()`;

const IAM = '/apis/iam.svc.app/v1beta1/namespaces/default';
const PRIVATE = { metadata: { annotations: { 'svc.app/basic-roles': 'none' } } };

describe('what the console says', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  let uid = '';
  const tree = (page: Page) => page.getByRole('tree', { name: 'Folders' });

  before(async () => {
    ({ uid } = await write.user('edith', 'Editor'));
    await write.folder('ops', 'Operations');
    await write.folder('east', 'East', { 'svc.app/folder': 'ops' });
  });
  const edith = async (place: string): Promise<Person> => {
    const person = await running().person({ user: 'edith', password: PASSWORD });
    await person.goTo(place);
    return person;
  };

  it('about times is right also when they pass', async () => {
    await write.folder('young', 'Young');
    const person = await running().person();
    const { page } = person;
    await page.clock.install();
    await person.goTo('/folders/young');
    await page
      .locator('.origin')
      .getByText(/just now|seconds? ago/)
      .waitFor();
    await page.clock.fastForward('05:00');
    await page.locator('.origin').getByText('5 minutes ago').waitFor();
  });

  it('shows the beginning of a title that is written from right to left', async () => {
    await write.folder('rtl', 'לוחות מחוונים של צוות התפעול '.repeat(6).trim());
    const { page } = await edith('/folders');
    await tree(page)
      .getByRole('treeitem', { name: /^לוחות/ })
      .waitFor();
    expect(await page.evaluate(SEES_FIRST)).to.equal(true);
  });

  it('does not let a title turn its letters around', async () => {
    await write.folder('turned', 'turn\u202eevil');
    const { page } = await edith('/folders/turned');
    await page.getByRole('heading', { level: 1, name: 'turnevil' }).waitFor();
    await tree(page).getByRole('treeitem', { name: 'turnevil' }).waitFor();
    expect(await page.getByText('\u202e').count()).to.equal(0);
  });

  it('counts a deletion that was undone no more when the object is deleted again', async () => {
    await write.folder('twice', 'Twice');
    for (const isLast of [false, true]) {
      await write.remove(`${FOLDERS}/twice`);
      if (!isLast) await write.send('POST', `${FOLDERS}/twice/restore`, {});
    }
    const person = await running().person();
    await person.goTo('/trash');
    await person.page.getByText('Twice').first().waitFor();
    expect(await person.page.getByText('Twice', { exact: true }).count()).to.equal(1);
  });

  it('about the server that was away is true when it is back', async () => {
    const { page, context } = await edith('/folders/ops');
    await beginFolder(page);
    const dialog = page.getByRole('dialog', { name: /^New folder in/ });
    await dialog.getByLabel('Title').fill('Later');
    await context.setOffline(true);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('The server cannot be reached.', { exact: true }).waitFor();
    await context.setOffline(false);
    await dialog.getByText('The server could not be reached. It answers again: try once more.').waitFor();
    expect(await dialog.getByLabel('Title').inputValue()).to.equal('Later');
  });

  it('tells that a uid is taken by a dashboard that one may not see, and imports with a new one', async () => {
    await write.folder('secret', 'Secret', { 'svc.app/basic-roles': 'none' });
    await write.dashboard('hidden', 'Hidden', 'secret');
    const { page } = await edith('/folders/ops?new=import');
    const dialog = page.getByRole('dialog', { name: 'Import dashboards' });
    await dialog.getByLabel('JSON').fill(JSON.stringify({ uid: 'hidden', title: 'Mine' }));
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('This uid is taken by a dashboard that you may not see.').waitFor();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
    const { spec } = (await write.send('GET', `${DASHBOARDS}/hidden`)).json<{ spec: { title: string } }>();
    expect(spec.title).to.equal('Hidden');
  });

  it('tells that a folder cannot be moved into those in it', async () => {
    const person = await running().person();
    const { page } = person;
    await person.goTo('/folders/ops');
    await page.getByRole('button', { name: 'Actions on this folder' }).click();
    await page.getByRole('menuitem', { name: /^Move to/ }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Search folders by title' }).fill('East');
    await page.getByText('The folders with these words are the one that you move and those in it.').waitFor();
  });

  it('tells who may not move something there that they may not, and not that they may not see it', async () => {
    await write.folder('viewed', 'Viewed');
    await write.send('PATCH', `${FOLDERS}/viewed`, PRIVATE, 'application/merge-patch+json');
    await write.create(`${IAM}/rolebindings`, 'RoleBinding', 'viewed.edith', {
      subject: { kind: 'User', name: uid },
      roleRef: { kind: 'BuiltIn', name: 'View' },
      scope: { folder: 'viewed' },
    });
    await write.folder('mine', 'Mine to move');
    const { page } = await edith('/folders/mine');
    await page.getByRole('button', { name: 'Actions on this folder' }).click();
    await page.getByRole('menuitem', { name: /^Move to/ }).click();
    await page.getByRole('dialog').getByRole('treeitem', { name: 'Viewed' }).click();
    await page.getByText('You may not move this', { exact: true }).waitFor();
    expect(await page.getByText('You may not see').count()).to.equal(0);
  });

  it('about a private folder names no folders above that are not there', async () => {
    await write.folder('closed', 'Closed', { 'svc.app/basic-roles': 'none' });
    const person = await running().person();
    await person.goTo('/folders/closed?tab=permissions');
    await person.page.getByText('does not hold here, only what is listed below').waitFor();
    expect(await person.page.getByText('on the folders above').count()).to.equal(0);
  });
});
