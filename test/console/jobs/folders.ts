import { expect } from 'chai';
import { eventually } from '../../e2e/process.js';
import { DASHBOARDS, FOLDERS, within } from '../content.js';
import { beginFolder } from '../folders.js';
import { accounts, everybody, type Job, type Scene, type Step, writers } from './job.js';
import { isRefused } from './refusals.js';

const titled = ({ page }: Scene, name: string) => page.getByRole('heading', { level: 1, name });
const undo = ({ page }: Scene) => page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();

const find: Step = async (scene) => {
  const { caller, page, visit } = scene;
  await visit('/folders');
  await page.locator('#folder-search').fill(`board ${caller}`);
  await page.getByRole('link', { name: `Board of ${caller}` }).click();
  await titled(scene, `Board of ${caller}`).waitFor();
};

const star: Step = async ({ board, main, page, visit, person, running }) => {
  await visit(`/objects/dashboard.svc.app/v1beta1/dashboards/default/${board}`);
  const button = main.getByRole('button', { name: /^Star/ });
  await button.click();
  await button.and(page.locator('[aria-pressed=true]')).waitFor();
  // The star is shown before the server has answered.
  const address = `${running.server.httpUrl}/api/dashboards/uid/${board}`;
  await eventually(
    async () => (await (await person.context.request.get(address)).json()).meta.isStarred || undefined,
    () => 'the star is not stored',
  );
};

const make: Step = async (scene) => {
  const { caller, page, dialog, visit, stored } = scene;
  await visit('/folders');
  const names: string[] = [];
  for (const title of [`Made by ${caller}`, `Inside, by ${caller}`]) {
    await beginFolder(page);
    await dialog.getByLabel('Title').fill(title);
    await page.keyboard.press('Enter');
    await titled(scene, title).waitFor();
    names.push(page.url().split('/').at(-1) ?? '');
  }
  const [outer = '', inner = ''] = names;
  expect((await stored(`${FOLDERS}/${inner}`)).metadata.annotations).to.include(within(outer));
};

const move: Step = async ({ caller, write, visit, choose, dialog, reads, stored }) => {
  await write.folder(`moved-${caller}`, `Moved by ${caller}`);
  await visit(`/folders/moved-${caller}`);
  await choose('Actions on this folder', /^Move to/);
  await dialog.getByRole('combobox').fill('folder of viewer');
  await dialog.getByRole('option').first().click();
  await dialog
    .getByRole('region', { name: 'What the move means' })
    .getByText(/access/)
    .first()
    .waitFor();
  await dialog.getByRole('button', { name: /^Move to/ }).click();
  await reads(/was moved to/);
  expect((await stored(`${FOLDERS}/moved-${caller}`)).metadata.annotations).to.include(within('own-viewer'));
};

const bringBack: Step = async (scene) => {
  const { caller, write, running, visit, choose, press, dialog, reads, stored } = scene;
  const [folder, board] = [`doomed-${caller}`, `within-${caller}`];
  await write.folder(folder, `Doomed of ${caller}`);
  await write.dashboard(board, 'Lost with it', folder);
  await visit(`/folders/${folder}`);
  await titled(scene, `Doomed of ${caller}`).waitFor();
  await choose('Actions on this folder', /^Delete/);
  await press('Delete', dialog);
  await reads(/was deleted/);
  expect((await running.server.client.request('GET', `${DASHBOARDS}/${board}`)).status).to.equal(404);
  await undo(scene);
  await titled(scene, `Doomed of ${caller}`).waitFor();
  await stored(`${DASHBOARDS}/${board}`);
};

const restore: Step = async ({ caller, visit, press, dialog, reads, stored }) => {
  await visit('/trash');
  await press(`Restore Gone of ${caller}`);
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await reads('1 object is back.');
  await stored(`${DASHBOARDS}/gone-${caller}`);
};

const looksAtTrash: Step = async ({ caller, visit, press, page, dialog }) => {
  await visit('/trash');
  await press(`Restore Gone of ${caller}`);
  await page.locator('dialog button[aria-disabled=true]', { hasText: 'Restore' }).waitFor();
  await press('Cancel', dialog);
};

/** Renames a folder in the tree, by keys alone. */
const byKeys: Step = async (scene) => {
  const { caller, write, page, dialog, stored } = scene;
  await write.folder(`keys-${caller}`, `Aa keys of ${caller}`);
  await select(scene, `Aa keys of ${caller}`);
  await page.keyboard.press('F2');
  await dialog.getByLabel('Title').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(`By keys of ${caller}`);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect((await stored(`${FOLDERS}/keys-${caller}`)).spec['title']).to.equal(`By keys of ${caller}`);
  await page.locator('[role=tree]:focus').waitFor();
};

const isToldByKeys: Step = async (scene) => {
  await select(scene, `Folder of ${scene.caller}`);
  await scene.page.keyboard.press('F2');
  await scene.reads(/^You may not change this folder\. /);
  expect(await scene.dialog.count()).to.equal(0);
};

/** Goes to a line of the tree by the keys that people use: Tab, and the letters of the title. */
async function select({ page, visit }: Scene, title: string): Promise<void> {
  await visit('/folders');
  const tree = page.getByRole('tree', { name: 'Folders', exact: true });
  await tree.getByText(title, { exact: true }).waitFor();
  await tree.focus();
  await page.keyboard.type(title);
}

const noFolder: Step = async (scene) => {
  await scene.visit('/folders');
  await isRefused(scene, 'New');
};

/** The menu of a folder says of what it would do to it that it is not for the caller. */
const notInMenu =
  (item: RegExp): Step =>
  async ({ own, visit, press, page }) => {
    await visit(`/folders/${own}`);
    await press('Actions on this folder');
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    const able = page.getByRole('menuitem', { name: item }).and(page.locator(':not([aria-disabled=true])'));
    expect(await able.count()).to.equal(0);
    await page.keyboard.press('Escape');
  };

const noStar: Step = async (scene) => {
  await scene.visit(`/objects/dashboard.svc.app/v1beta1/dashboards/default/${scene.board}`);
  await titled(scene, `Board of ${scene.caller}`).waitFor();
  expect(await scene.main.getByRole('button', { name: /^Star/ }).count()).to.equal(0);
};

export const FOLDER_JOBS: readonly Job[] = [
  { name: 'a dashboard is found by its title', cells: everybody(find) },
  { name: 'a dashboard is starred', cells: accounts(star, noStar) },
  { name: 'a folder is made, and one in it', cells: writers(make, noFolder) },
  { name: 'a folder is moved after a look at who gains access', cells: writers(move, notInMenu(/^Move to/)) },
  {
    name: 'a folder is deleted, and comes back with all that was in it',
    cells: writers(bringBack, notInMenu(/^Delete/)),
  },
  { name: 'what was deleted comes back from the trash', cells: writers(restore, looksAtTrash) },
  { name: 'a folder is renamed by keys alone', cells: writers(byKeys, isToldByKeys) },
];
