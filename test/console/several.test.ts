import { expect } from 'chai';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { DASHBOARDS, PASSWORD, writerOn } from './content.js';
import { foldersOn } from './folders.js';

const TABLE = '/kinds/dashboard.svc.app/v1beta1/dashboards';

interface Read {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly tags?: readonly string[] };
}

describe('several objects in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const { folder, dashboard } = foldersOn(() => running().server);
  const { send, user } = writerOn(() => running().server);
  const { person, page } = usePerson(running);
  const dialog = () => page().getByRole('dialog');
  const told = (text: string | RegExp) => page().getByText(text).waitFor();
  const press = (name: string) => page().getByRole('main').getByRole('button', { name, exact: true }).click();
  const undo = () => page().getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
  const read = async (name: string) => (await send('GET', `${DASHBOARDS}/${name}`)).json<Read>();
  const folderOf = async (name: string) => (await read(name)).metadata.annotations['svc.app/folder'];

  before(async () => {
    await folder('target', 'Target');
    await folder('one', 'One');
    await folder('two', 'Two', 'one');
    await dashboard('blue-1', 'Blue first', 'one', ['old']);
    await dashboard('blue-2', 'Blue second', 'two');
    await dashboard('red', 'Red', 'two');
  });

  describe('that a search has found', () => {
    const row = (title: string) =>
      page()
        .getByRole('list', { name: 'Found folders and dashboards' })
        .getByRole('listitem')
        .filter({ hasText: title });

    beforeEach(async () => {
      await person().goTo('/folders?q=blue');
      await row('Blue second').getByText('One / Two').waitFor();
      await page().getByRole('checkbox', { name: 'Select all' }).check();
      await told('2 selected');
    });

    it('are moved after a preview, and back', async () => {
      await expectAccessible(page());
      await press('Move…');
      await dialog().getByRole('treeitem', { name: 'Target' }).click();
      await dialog().getByText('Nobody gains access, and nobody loses it.').waitFor();
      await dialog().getByRole('button', { name: 'Move to “⁨Target⁩”' }).click();
      await told('2 were moved to “⁨Target⁩”.');
      await row('Blue second').getByText('Target').waitFor();
      expect(await page().getByRole('checkbox', { checked: true }).count()).to.equal(0);
      await undo();
      await row('Blue second').getByText('One / Two').waitFor();
      expect([await folderOf('blue-1'), await folderOf('blue-2')]).to.deep.equal(['one', 'two']);
    });

    it('are tagged, and lose the tags again', async () => {
      await press('Tags…');
      await dialog().getByLabel('Add tags').fill('new');
      await dialog().getByRole('button', { name: 'Save' }).click();
      await told('2 were tagged.');
      expect((await read('blue-1')).spec.tags).to.deep.equal(['old', 'new']);
      await undo();
      await told('2 were given their tags back.');
    });

    it('are deleted, and come back', async () => {
      await press('Delete…');
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await told('2 were deleted.');
      await told('Nothing is found');
      await undo();
      await row('Blue first').waitFor();
    });
  });

  describe('of the table of all dashboards', () => {
    const row = (title: string) => page().getByRole('grid').getByRole('row').filter({ hasText: title });

    beforeEach(async () => {
      await person().goTo(TABLE);
      for (const title of ['Blue first', 'Blue second']) await row(title).getByRole('checkbox').check();
      await told('2 selected');
    });

    it('stand beside the path of their folder', async () => {
      await row('Blue second').getByText('One', { exact: true }).waitFor();
      const cell = row('Blue second').getByRole('gridcell').filter({ hasText: 'Two' });
      expect((await cell.textContent())?.trim()).to.equal('One / Two');
      expect(await cell.getByTitle('One / Two').count()).to.equal(1);
    });

    it('are moved after a preview, and back', async () => {
      await press('Move…');
      await dialog().getByRole('treeitem', { name: 'Target' }).click();
      await dialog().getByText('Nobody gains access, and nobody loses it.').waitFor();
      await expectAccessible(page());
      await dialog().getByRole('button', { name: 'Move to “⁨Target⁩”' }).click();
      await told('2 were moved to “⁨Target⁩”.');
      await row('Blue second').getByRole('link', { name: 'Target' }).waitFor();
      expect(await page().getByRole('row', { selected: true }).count()).to.equal(0);
      await undo();
      await told('2 were moved back.');
      expect([await folderOf('blue-1'), await folderOf('blue-2')]).to.deep.equal(['one', 'two']);
    });

    it('are tagged, with those tags offered that they have', async () => {
      await press('Tags…');
      await dialog().getByRole('button', { name: 'old' }).click();
      await dialog().getByRole('button', { name: 'Save' }).click();
      await told('2 were tagged.');
      expect((await read('blue-1')).spec.tags ?? []).to.deep.equal([]);
      await undo();
      await told('2 were given their tags back.');
    });

    it('are deleted, are one entry of the trash, and come back together', async () => {
      await press('Delete…');
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await told('2 were deleted.');
      await person().visit('/trash');
      const restore = page().getByRole('button', { name: /^Restore all: Blue (first|second) and 1 more$/ });
      await restore.waitFor();
      await page()
        .getByRole('button', { name: /^What was deleted with Blue/ })
        .click();
      for (const title of ['Blue first', 'Blue second'])
        await page()
          .getByRole('button', { name: `Restore ${title}`, exact: true })
          .waitFor();
      await expectAccessible(page());
      await restore.click();
      await dialog().getByText('2 objects come back').waitFor();
      await expectAccessible(page());
      await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
      await told('2 objects are back.');
      expect([await folderOf('blue-1'), await folderOf('blue-2')]).to.deep.equal(['one', 'two']);
    });
  });

  it('are selected in a search by nobody who may change nothing', async () => {
    await user('vera', 'Viewer');
    const viewer = await running().person({ user: 'vera', password: PASSWORD });
    await viewer.goTo('/folders?q=blue');
    await viewer.page.getByRole('link', { name: 'Blue second' }).waitFor();
    await viewer.page.locator('.item-by', { hasText: 'admin' }).first().waitFor();
    expect(await viewer.page.getByRole('checkbox').count()).to.equal(0);
  });

  describe('of one folder', () => {
    const rows = () => page().getByRole('list', { name: 'Contents' }).getByRole('listitem');
    const column = (name: string) => page().getByRole('group', { name: 'Sort by' }).getByRole('button', { name });

    it('are filtered by their kind in the address, which Back takes back', async () => {
      await person().goTo('/folders/one');
      await rows().filter({ hasText: 'Two' }).waitFor();
      await page().getByRole('button', { name: 'dashboards 1' }).click();
      await page().waitForURL(/folders\/one\?kind=dashboards$/);
      await rows().filter({ hasText: 'Two' }).waitFor({ state: 'detached' });
      await page().reload();
      await rows().filter({ hasText: 'Blue first' }).waitFor();
      expect(await rows().count()).to.equal(1);
      await page().goBack();
      await rows().filter({ hasText: 'Two' }).waitFor();
      await person().goTo('/folders/one?kind=alertrules');
      await told('There are no alert rules here');
      await expectAccessible(page());
      await press('Show everything');
      await rows().filter({ hasText: 'Two' }).waitFor();
    });

    it('are sorted by the server if they are more than a thousand, and the head says by what', async () => {
      await folder('large', 'Large');
      const names = Array.from({ length: 1001 }, (_, n) => `large-${n}`);
      const work = async (): Promise<void> => {
        for (let name = names.pop(); name !== undefined; name = names.pop()) await dashboard(name, name, 'large');
      };
      await Promise.all([1, 2, 3, 4].map(work));
      await folder('latest', 'A latest folder', 'large');
      await dashboard('last', 'The last one', 'large');
      await person().goTo('/folders/large');
      await rows().filter({ hasText: 'A latest folder' }).waitFor();
      await column('Changed').click();
      await page().waitForURL(/sort=-changed$/);
      await rows().first().getByText('The last one').waitFor();
      await rows().nth(1).getByText('A latest folder').waitFor();
      await send('PATCH', `${DASHBOARDS}/large-500`, { spec: { title: 'Changed' } }, 'application/merge-patch+json');
      await rows().first().getByText('Changed', { exact: true }).waitFor();
      await column('Title').click();
      await page().waitForURL(/folders\/large$/);
      await column('Title').click();
      await page().waitForURL(/sort=-title$/);
      await rows().first().getByText('The last one').waitFor();
      const why = 'A list of more than 1,000 is sorted by title or by what was changed last.';
      for (const name of ['Contents', 'By']) expect(await column(name).getAttribute('title')).to.equal(why);
      await column('By').press('Enter');
      await told(why);
      await page().getByRole('button', { name: 'dashboards 1,002' }).click();
      await column('Changed').click();
      await rows().nth(1).getByText('The last one').waitFor();
    });
  });
});
