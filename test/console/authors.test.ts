import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, useConsole } from './console.js';
import { DASHBOARDS, FOLDERS, PASSWORD, writerOn } from './content.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const PLACE = (tab = '') => `/objects/dashboard.svc.app/v1beta1/dashboards/default/orders${tab}`;

describe('the names of authors in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  let uid = '';

  before(async () => {
    ({ uid } = await write.user('edith', 'Editor', 'Edith Clarke'));
    await write.user('vera', 'Viewer', 'Vera Rubin');
    await write.folder('ops', 'Operations');
    await write.dashboard('orders', 'Orders', 'ops');
    const { server } = running();
    const { context } = await running().person({ user: 'edith', password: PASSWORD });
    const send = async (method: 'patch' | 'delete', path: string, data?: object) => {
      const options = { headers: MERGE, ...(data !== undefined && { data }) };
      const answer = await context.request[method](`${server.httpUrl}${path}`, options);
      expect(answer.ok(), await answer.text()).to.equal(true);
    };
    await send('patch', `${DASHBOARDS}/orders`, { spec: { title: 'Orders today' } });
    await write.folder('shared', 'Shared');
    await send('patch', `${FOLDERS}/shared`, { spec: { title: 'Of Edith' } });
    await write.folder('old', 'Old');
    await send('delete', `${FOLDERS}/old`);
    await write.folder('young', 'Young');
    await context.close();
  });

  const names = async (page: Page): Promise<void> => {
    await page.getByText('Edith Clarke').first().waitFor();
    const text = (await page.getByRole('main').textContent()) ?? '';
    expect(text.toLowerCase(), 'no uid').not.to.contain(uid.toLowerCase());
    expect(await page.content(), 'no address').not.to.contain('edith@example.com');
  };

  for (const [user, password] of [
    ['vera', PASSWORD],
    ['edith', PASSWORD],
    ['admin', 'admin'],
  ] as const)
    it(`are shown in place of uids, with the login as a tooltip: ${user}`, async () => {
      const person = await running().person({ user, password });
      await person.goTo(PLACE());
      await names(person.page);
      const by = person.page.locator('.object-origin .author');
      expect(await by.getAttribute('title')).to.equal('edith');
      await person.visit(PLACE('/history'));
      await person.page.getByRole('region', { name: 'Versions' }).waitFor();
      await names(person.page);
      await person.visit('/trash');
      await person.page.getByText('Old', { exact: true }).waitFor();
      await names(person.page);
      await person.visit('/folders/old');
      await person.page.getByText('Edith Clarke has deleted it').waitFor();
      expect(person.complaints).to.deep.equal([]);
    });

  it('are in conflicts of a plan with what somebody changed in the console', async () => {
    const person = await running().person();
    const { page } = person;
    await person.goTo('/plan');
    await page.getByLabel('Set', { exact: true }).fill('ours');
    await page.getByRole('textbox', { name: 'Manifests' }).click();
    await page.keyboard.insertText(
      'apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata:\n  name: shared\nspec:\n  title: Of the plan\n',
    );
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('conflict with what Edith Clarke changed in the console').waitFor();
    expect(await page.getByText('Mozilla').count()).to.equal(0);
    await expectAccessible(page);
    expect(person.complaints).to.deep.equal([]);
  });
});
