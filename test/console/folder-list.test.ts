import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { DASHBOARDS, PASSWORD, writerOn } from './content.js';
import { foldersOn } from './folders.js';

describe('the list of a folder in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const { folder, dashboard } = foldersOn(() => running().server);
  const { user } = writerOn(() => running().server);
  const { person, page } = usePerson(running);
  const rows = () => page().getByRole('list', { name: 'Contents' }).getByRole('listitem');
  const row = (title: string) => rows().filter({ hasText: title });
  const titles = () => rows().locator('bdi').allInnerTexts();
  const column = (name: string) => page().getByRole('group', { name: 'Sort by' }).getByRole('button', { name });

  before(async () => {
    await user('leslie', 'Editor', 'Leslie Lamport');
    await folder('shop', 'Shop');
    for (const [name, title] of [
      ['full', 'Full'],
      ['half', 'Half'],
      ['none', 'None'],
    ] as const)
      await folder(name, title, 'shop');
    for (const n of [1, 2, 3]) await dashboard(`full-${n}`, `Full ${n}`, 'full');
    await dashboard('half-1', 'Half 1', 'half');
    await folder('half-2', 'Half 2', 'half');
    await dashboard('orders', 'Orders', 'shop', ['prod']);
    for (const n of [1, 2, 3, 4]) await folder(`more-${n}`, `More ${n}`, 'shop');
  });

  /** Renames a dashboard as Leslie, a second later than the others were made. */
  const renameAsLeslie = async (title: string): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const { httpUrl } = running().server;
    const headers = {
      authorization: `Basic ${Buffer.from(`leslie:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/merge-patch+json',
    };
    const body = JSON.stringify({ spec: { title } });
    const answer = await fetch(`${httpUrl}${DASHBOARDS}/orders`, { method: 'PATCH', headers, body });
    expect(answer.status).to.equal(200);
  };

  it('shows what lies in folders, who changed each object and when, by few requests', async () => {
    const asked: string[] = [];
    page().on('request', (request) => {
      if (request.url().includes('details=true')) asked.push(request.url());
    });
    await person().goTo('/folders/shop');
    await row('Full').getByText('3 dashboards').waitFor();
    await row('Half').getByText('1 folder', { exact: true }).waitFor();
    expect(await row('None').locator('.item-count').count()).to.equal(0);
    await row('Orders').locator('.item-by').getByText('admin').waitFor();
    // One for each kind, and again when the list is followed.
    expect(asked.length).to.be.within(2, 4);
    await expectAccessible(page());
    await renameAsLeslie('Orders again');
    await row('Orders again').getByText('Leslie Lamport').waitFor();
    expect(await row('Orders again').locator('.item-by').getAttribute('title')).to.equal('leslie');
  });

  it('is sorted by each column, forwards and backwards, and the order is in the address', async () => {
    await renameAsLeslie('Orders of today');
    await person().goTo('/folders/shop');
    await row('Full').getByText('3 dashboards').waitFor();
    expect((await titles()).slice(0, 3)).to.deep.equal(['Full', 'Half', 'More 1']);
    await column('Contents').click();
    await page().waitForURL(/sort=-contents$/);
    expect((await titles()).slice(0, 2)).to.deep.equal(['Full', 'Half']);
    await column('Changed').press('Enter');
    await page().waitForURL(/sort=-changed$/);
    await rows().first().getByText('Orders').waitFor();
    await page().reload();
    await rows().first().getByText('Orders').waitFor();
    await column('Title').click();
    await page().waitForURL(/folders\/shop$/);
    await rows().first().getByText('Full').waitFor();
    await column('Title').click();
    await rows().first().getByText('Orders').waitFor();
    expect(await column('Title').getAttribute('aria-pressed')).to.equal('true');
    await expectAccessible(page());
  });

  describe('with several selected rows', () => {
    const { send } = writerOn(() => running().server);
    const choose = (title: string, options = {}) =>
      page()
        .getByRole('checkbox', { name: `Select “⁨${title}⁩”` })
        .click(options);
    const dialog = () => page().getByRole('dialog');
    const bar = () => page().getByRole('group', { name: 'Selected objects' });
    const told = (text: string | RegExp) => page().getByText(text).waitFor();
    const read = async (name: string) => (await send('GET', `${DASHBOARDS}/${name}`)).json<Read>();
    interface Read {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
      readonly spec: { readonly tags?: readonly string[] };
    }

    before(async () => {
      await folder('many', 'Many');
      await folder('target', 'Target');
      await folder('inner', 'Inner', 'many');
      for (const n of [1, 2, 3, 4]) await dashboard(`board-${n}`, `Board ${n}`, 'many', n === 1 ? [] : ['old']);
    });
    beforeEach(async () => {
      await person().goTo('/folders/many');
      await row('Board 4').waitFor();
    });

    it('moves them after a preview, and back', async () => {
      await choose('Inner');
      await choose('Board 2', { modifiers: ['Shift'] });
      await bar().getByText('3 selected').waitFor();
      await expectAccessible(page());
      await bar().getByRole('button', { name: 'Move…' }).click();
      await dialog().getByText('Target', { exact: true }).click();
      await dialog().getByText('Nobody gains access, and nobody loses it.').waitFor();
      await expectAccessible(page());
      await dialog().getByRole('button', { name: 'Move to “⁨Target⁩”' }).click();
      await told('3 were moved to “⁨Target⁩”.');
      await row('Board 1').waitFor({ state: 'detached' });
      expect((await read('board-1')).metadata.annotations['svc.app/folder']).to.equal('target');
      await page().getByRole('button', { name: 'Undo' }).click();
      await told('3 were moved back.');
      await row('Board 1').waitFor();
    });

    it('tags dashboards, and takes it back', async () => {
      await choose('Board 1');
      await choose('Board 2');
      await bar().getByRole('button', { name: 'Tags…' }).click();
      await dialog().getByLabel('Add tags').fill('new, newer');
      await dialog().getByRole('button', { name: 'old' }).click();
      await expectAccessible(page());
      await dialog().getByRole('button', { name: 'Save' }).click();
      await told('2 were tagged.');
      for (const name of ['board-1', 'board-2']) expect((await read(name)).spec.tags).to.deep.equal(['new', 'newer']);
      await page().getByRole('button', { name: 'Undo' }).click();
      await told('2 were given their tags back.');
      expect((await read('board-1')).spec.tags ?? []).to.deep.equal([]);
      expect((await read('board-2')).spec.tags).to.deep.equal(['old']);
    });

    it('deletes them with what lies in them, and brings them back', async () => {
      await dashboard('inside', 'Inside', 'inner');
      await page().getByRole('checkbox', { name: 'Select all' }).click();
      await bar().getByText('5 selected').waitFor();
      await bar().getByRole('button', { name: 'Delete…' }).click();
      await dialog().getByText('with 1 dashboard').waitFor();
      await expectAccessible(page());
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await told('5 were deleted.');
      await told('Nothing lies here yet');
      await page().getByRole('button', { name: 'Undo' }).click();
      await told('5 were brought back.');
      await row('Board 4').waitFor();
      expect((await read('inside')).metadata.annotations['svc.app/folder']).to.equal('inner');
    });

    const refuse = (route: Route) => route.fulfill({ status: 500, json: { message: 'Not now.' } });
    const press = (name: string) => bar().getByRole('button', { name }).click();
    const why = () => dialog().getByRole('alert').getByText('“⁨Board 2⁩”: Not now.');

    it('says of which the server does not tell what would happen, and asks again', async () => {
      const address = /\/dashboards\/board-2(\?|$)/;
      await choose('Board 2');
      await page().route(address, refuse);
      await press('Delete…');
      await why().waitFor();
      await expectAccessible(page());
      const remove = dialog().getByRole('button', { name: 'Delete', exact: true });
      expect(await remove.getAttribute('aria-disabled')).to.equal('true');
      await page().unroute(address, refuse);
      await dialog().getByRole('button', { name: 'Try again' }).click();
      await why().waitFor({ state: 'detached' });
      await remove.and(page().locator('[aria-disabled=false]')).waitFor();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page().route(address, refuse);
      await press('Move…');
      await dialog().getByText('Target', { exact: true }).click();
      await why().waitFor();
      await page().unroute(address, refuse);
      await dialog().getByRole('button', { name: 'Try again' }).click();
      await dialog().getByText('Nobody gains access, and nobody loses it.').waitFor();
    });

    it('moves none that lies in the folder already', async () => {
      await choose('Board 2');
      await press('Move…');
      await dialog().getByRole('treeitem', { name: 'Many' }).click();
      await dialog().getByText('They lie there already.').waitFor();
      const move = dialog().getByRole('button', { name: 'Move to “⁨Many⁩”' });
      expect(await move.getAttribute('aria-disabled')).to.equal('true');
    });

    it('offers no Undo if nothing was done, and says what did not come back', async () => {
      const isDeletion = (url: URL) => url.pathname.endsWith('/board-2') && !url.searchParams.has('dryRun');
      await choose('Board 2');
      await press('Delete…');
      const remove = dialog().getByRole('button', { name: 'Delete', exact: true });
      await remove.and(page().locator('[aria-disabled=false]')).waitFor();
      await page().route(isDeletion, refuse);
      await remove.click();
      await told('0 of 1 were deleted. “⁨Board 2⁩” not: Not now.');
      expect(await page().getByRole('button', { name: 'Undo' }).count()).to.equal(0);
      await page().unroute(isDeletion, refuse);
      await choose('Board 2');
      await press('Delete…');
      await remove.and(page().locator('[aria-disabled=false]')).waitFor();
      await remove.click();
      await page().route(/\/restore$/, async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        await route.fulfill({
          response,
          json: { ...body, status: { ...body.status, leftOut: ['rule x: no folder'] } },
        });
      });
      await page().getByRole('button', { name: 'Undo' }).click();
      await told('1 was brought back. Not back: rule x: no folder');
    });

    it('keeps the focus when the selection is cleared', async () => {
      await choose('Board 2');
      await bar().getByRole('button', { name: 'Clear' }).press('Enter');
      await bar().getByRole('button').first().waitFor({ state: 'detached' });
      expect(await page().evaluate('document.activeElement.ariaLabel')).to.equal('Selected objects');
    });

    it('is not offered to those who may change nothing', async () => {
      await user('vera', 'Viewer');
      const viewer = await running().person({ user: 'vera', password: PASSWORD });
      await viewer.goTo('/folders/many');
      await viewer.page.getByRole('link', { name: 'Board 4' }).waitFor();
      await viewer.page.locator('.item-by', { hasText: 'admin' }).first().waitFor();
      expect(await viewer.page.getByRole('checkbox').count()).to.equal(0);
    });
  });
});
