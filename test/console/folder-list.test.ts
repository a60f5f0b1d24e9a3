import { expect } from 'chai';
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
  });

  /** Renames a dashboard as Leslie, a second later than the others were made. */
  const renameAsLeslie = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const { httpUrl } = running().server;
    const headers = {
      authorization: `Basic ${Buffer.from(`leslie:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/merge-patch+json',
    };
    const body = JSON.stringify({ spec: { title: 'Orders again' } });
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
    expect(await row('Orders').locator('.item-by').textContent()).to.contain('admin');
    expect(asked).to.have.length(2);
    await expectAccessible(page());
    await renameAsLeslie();
    await row('Orders again').getByText('Leslie Lamport').waitFor();
    expect(await row('Orders again').locator('.item-by').getAttribute('title')).to.equal('leslie');
  });

  it('is sorted by each column, forwards and backwards, and the order is in the address', async () => {
    await person().goTo('/folders/shop');
    await row('Full').getByText('3 dashboards').waitFor();
    expect((await titles()).slice(0, 3)).to.deep.equal(['Full', 'Half', 'None']);
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
});
