import { expect } from 'chai';
import { eventually } from '../e2e/process.js';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { FOLDERS, writerOn } from './content.js';

const OBJECT = '/objects/folder.svc.app/v1beta1/folders/default/shop';

describe('the page of a folder in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const { send, folder, rename, remove } = writerOn(() => running().server);
  const { person, page } = usePerson(running);
  const heading = (name: string) => page().getByRole('heading', { level: 1, name }).waitFor();
  const tab = (name: string) => page().getByRole('tab', { name, exact: true });
  const chosen = (name: string) => page().getByRole('tab', { name, exact: true, selected: true }).waitFor();

  before(async () => {
    await folder('shop', 'Shop');
    await folder('inner', 'Inner', { 'svc.app/folder': 'shop' });
    await rename(`${FOLDERS}/shop`, 'Shop and more');
  });

  it('has the tabs of folders and of all objects below one head, beside the tree', async () => {
    await person().goTo('/folders/shop');
    await page().getByRole('listitem').filter({ hasText: 'Inner' }).waitFor();
    const names = await page().getByRole('tab').allInnerTexts();
    expect(names).to.deep.equal([
      'Contents',
      'Permissions',
      'Overview',
      'YAML',
      'Events',
      'History',
      'Owners and dependents',
      'Managers',
    ]);
    for (const [name, text] of [
      ['Overview', 'Basic Roles'],
      ['YAML', 'Shop and more'],
      ['Events', 'No events'],
      ['History', 'Version 2'],
      ['Owners and dependents', 'Inner'],
      ['Managers', 'spec'],
    ] as const) {
      await tab(name).click();
      await page().getByRole('region', { name, exact: true }).getByText(text).first().waitFor();
      await heading('Shop and more');
      await page().getByRole('treeitem', { name: 'Shop and more', selected: true }).waitFor();
      expect(await page().title()).to.equal(`${name} · Shop and more · Folders`);
      await expectAccessible(page());
    }
    await tab('Contents').click();
    await page().waitForURL(/folders\/shop$/);
    await eventually(
      async () => (await page().title()) === 'Shop and more · Folders' || undefined,
      () => 'the tab of the browser has the title of another part',
    );
  });

  it('is at the address of the object, too, with the tab and the compared versions', async () => {
    await person().goTo('/folders');
    for (const [place, name, address] of [
      ['', 'Overview', /folders\/shop\?tab=overview$/],
      ['/yaml', 'YAML', /folders\/shop\?tab=yaml$/],
      ['/history?from=1&to=2', 'History', /folders\/shop\?from=1&to=2&tab=history$/],
    ] as const) {
      await person().visit(`/o/default${OBJECT}${place}`);
      await chosen(name);
      await page().waitForURL(address);
    }
    await page().getByLabel('Compare from version 1').waitFor();
    expect(await page().getByLabel('Compare from version 1').isChecked()).to.equal(true);
  });

  it('goes back from tab to tab, and out of the address of the object', async () => {
    await person().goTo('/folders/shop');
    await tab('YAML').click();
    await page().getByRole('textbox', { name: 'Folder shop as YAML' }).waitFor();
    await tab('History').click();
    await chosen('History');
    await page().goBack();
    await chosen('YAML');
    await page().goBack();
    await chosen('Contents');
    await person().visit('/o/default/trash');
    await page().evaluate(`history.pushState(null, '', '/console/o/default${OBJECT}/yaml')`);
    await chosen('YAML');
    await page().goBack();
    await heading('Trash');
  });

  it('lets the arrow keys go through the tabs, and keeps the focus on the chosen one', async () => {
    await person().goTo('/folders/shop');
    await tab('Contents').focus();
    for (const name of ['Permissions', 'Overview', 'YAML']) {
      await page().keyboard.press('ArrowRight');
      await chosen(name);
      expect(await page().evaluate('document.activeElement.textContent')).to.equal(name);
    }
  });

  it('keeps what was typed, and the history, when the folder is deleted, and restores it', async () => {
    await folder('doomed', 'Doomed');
    await person().goTo('/folders/doomed?tab=yaml');
    const editor = page().getByRole('textbox', { name: 'Folder doomed as YAML' });
    await editor.click();
    await page().keyboard.press('Control+End');
    await page().keyboard.type('# Typed\n');
    await remove(`${FOLDERS}/doomed`);
    await page().getByText('admin has deleted it').waitFor();
    expect(await editor.textContent()).to.include('# Typed');
    await tab('History').click();
    await page().getByRole('region', { name: 'Versions' }).waitFor();
    await expectAccessible(page());
    await page().getByRole('button', { name: 'Restore', exact: true }).click();
    await page().getByText('“⁨Doomed⁩” is back.').waitFor();
    await tab('Contents').waitFor();
    expect((await send('GET', `${FOLDERS}/doomed`)).status).to.equal(200);
  });
});
