import { expect } from 'chai';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { FOLDERS } from './content.js';
import { beginFolder, foldersOn, RULES } from './folders.js';

const PRIVATE = { 'svc.app/basic-roles': 'none' };

describe('changes of folders in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const { folder, dashboard, rule, patch, stored } = foldersOn(() => running().server);
  const { person, page } = usePerson(running);

  before(async () => {
    await folder('ops', 'Operations');
    await folder('secret', 'Secret plans', undefined, PRIVATE);
  });

  const tree = () => page().getByRole('tree', { name: 'Folders', exact: true });
  const line = (title: string) => tree().getByRole('treeitem', { name: title, exact: true });
  /** A line of the tree answers to keys when it is there and chosen, which may be after the heading of its folder. */
  const chosen = (name: string) => tree().getByRole('treeitem', { name, exact: true, selected: true });
  const heading = (name: string) => page().getByRole('heading', { level: 1, name, exact: true });
  const dialog = (name?: RegExp) => page().getByRole('dialog', name === undefined ? {} : { name });

  it('are created, and renamed, for the version that the person saw', async () => {
    await person().goTo('/folders/ops');
    await heading('Operations').waitFor();
    await beginFolder(page());
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByText('folder title cannot be empty').waitFor();
    await dialog().getByLabel('Title').fill('Made here');
    await page().keyboard.press('Enter');
    await heading('Made here').waitFor();
    await line('Made here').waitFor();
    const name = page().url().split('/').at(-1) ?? '';
    await page().getByRole('button', { name: 'Actions on this folder' }).click();
    await page()
      .getByRole('menuitem', { name: /^Rename/ })
      .click();
    await dialog().getByLabel('Title').fill('Mine');
    await expectAccessible(page());
    await patch(`${FOLDERS}/${name}`, { spec: { description: 'Theirs' } });
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog()
      .getByText(/has changed this folder meanwhile/)
      .waitFor();
    await dialog().getByText('Theirs', { exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Save mine' }).click();
    await heading('Mine').waitFor();
    expect((await stored(`${FOLDERS}/${name}`)).spec).to.deep.equal({ title: 'Mine', description: 'Theirs' });
  });

  it('tell who gains and who loses access before they are moved, and go back', async () => {
    await folder('mover', 'Mover');
    await person().goTo('/folders/mover');
    await heading('Mover').waitFor();
    await chosen('Mover').waitFor();
    await tree().focus();
    await page().keyboard.press('Shift+F2');
    await dialog().getByRole('combobox', { name: 'Search folders by title' }).fill('secret');
    await dialog()
      .getByRole('option', { name: /^Secret plans/ })
      .waitFor();
    await page().keyboard.press('Enter');
    await dialog().getByRole('heading', { name: 'Lose access' }).waitFor();
    await dialog()
      .getByRole('listitem')
      .filter({ hasText: 'Everybody with the role Viewer' })
      .filter({ hasText: /View.*to —/ })
      .waitFor();
    expect((await stored(`${FOLDERS}/mover`)).metadata.annotations).to.not.have.property('svc.app/folder');
    await expectAccessible(page());
    await dialog()
      .getByRole('button', { name: /^Move to/ })
      .click();
    await page()
      .getByText(/was moved to/)
      .waitFor();
    expect((await stored(`${FOLDERS}/mover`)).metadata.annotations['svc.app/folder']).to.equal('secret');
    await page().getByRole('button', { name: 'Undo' }).click();
    await page()
      .getByText(/is back in/)
      .waitFor();
    expect((await stored(`${FOLDERS}/mover`)).metadata.annotations).to.not.have.property('svc.app/folder');
  });

  it('can be moved to a folder that was chosen twice', async () => {
    await folder('twice', 'Twice');
    await person().goTo('/folders/twice');
    await heading('Twice').waitFor();
    await chosen('Twice').waitFor();
    await tree().focus();
    await page().keyboard.press('Shift+F2');
    const target = page().getByRole('tree', { name: 'Folders to move to' }).getByText('Operations', { exact: true });
    await target.click();
    await dialog().getByText('Nobody gains access, and nobody loses it.').waitFor();
    await target.click();
    await dialog()
      .getByRole('button', { name: /^Move to/ })
      .click();
    await page()
      .getByText(/was moved to/)
      .waitFor();
  });

  it('are deleted with what is counted before, with alert rules only when asked for, and come back', async () => {
    await folder('doomed', 'Doomed');
    await folder('doomed-below', 'Below', 'doomed');
    await dashboard('doomed-board', 'Board', 'doomed-below');
    await rule('doomed-rule', 'doomed-below');
    await person().goTo('/folders/doomed');
    await heading('Doomed').waitFor();
    await page().getByRole('button', { name: 'Actions on this folder' }).click();
    await page()
      .getByRole('menuitem', { name: /^Delete/ })
      .click();
    for (const words of ['1 folder', '1 dashboard', '1 alert rule'])
      await dialog().getByText(words, { exact: true }).waitFor();
    await dialog().getByText('folder cannot be deleted: folder contains alert rules').waitFor();
    await expectAccessible(page());
    await dialog().getByLabel('Delete 1 alert rule, too').check();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await heading('Home').waitFor();
    await line('Doomed').waitFor({ state: 'detached' });
    await page().getByRole('button', { name: 'Undo' }).click();
    await heading('Doomed').waitFor();
    await line('Doomed').waitFor();
    expect((await stored(`${RULES}/doomed-rule`)).metadata.name).to.equal('doomed-rule');
  });

  it('cannot be changed by viewers, who are told why', async () => {
    const { client } = running().server;
    const user = { login: 'vera', email: 'vera@example.com', password: 'a long secret of vera', OrgId: 1 };
    expect((await client.request('POST', '/api/admin/users', { body: user })).status).to.equal(200);
    const viewer = await running().person({ user: user.login, password: user.password });
    await viewer.goTo('/folders/ops');
    const create = viewer.page.getByRole('button', { name: 'New', exact: true });
    await viewer.page.locator('button[aria-disabled=true]', { hasText: /^New$/ }).waitFor();
    await create.press('Enter');
    await viewer.page.getByText('You may not create folders here. Ask an administrator of the organization.').waitFor();
    expect(await viewer.page.getByRole('dialog').count()).to.equal(0);
    await viewer.page.getByRole('tree', { name: 'Folders', exact: true }).getByText('Operations').waitFor();
    expect(await viewer.page.getByRole('treeitem', { name: 'Secret plans' }).count()).to.equal(0);
    expect(viewer.complaints).to.deep.equal([]);
    await viewer.context.close();
  });

  it('keep what was typed while the server is away, and are live again afterwards', async () => {
    await person().goTo('/folders/ops');
    await heading('Operations').waitFor();
    await beginFolder(page());
    await dialog().getByLabel('Title').fill('Typed before');
    const away = (route: { abort(): Promise<void> }): Promise<void> => route.abort();
    await page().route('**/apis/**', away);
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByText('The server cannot be reached.', { exact: true }).waitFor();
    await page().unroute('**/apis/**', away);
    await dialog().getByRole('button', { name: 'Create' }).click();
    await heading('Typed before').waitFor();
  });
});
