import { expect } from 'chai';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { DASHBOARDS, PASSWORD, writerOn } from './content.js';
import { foldersOn } from './folders.js';

const PLACE = '/objects/dashboard.svc.app/v1beta1/dashboards/default/orders';

interface Read {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

describe('titles and descriptions in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const { folder, dashboard, patch } = foldersOn(() => running().server);
  const { send, user, create } = writerOn(() => running().server);
  const { person, page } = usePerson(running);
  const dialog = () => page().getByRole('dialog', { name: 'Rename and describe' });
  const read = async () => (await send('GET', `${DASHBOARDS}/orders`)).json<Read>();

  before(async () => {
    await user('edith', 'Editor', 'Edith Editor');
    await user('vera', 'Viewer');
    await folder('shop', 'Shop');
    await dashboard('orders', 'Orders', 'shop', ['old', 'a, b']);
    const panels = [{ id: 1, type: 'stat', title: 'Open' }];
    await patch(`${DASHBOARDS}/orders`, {
      spec: { panels },
      metadata: { annotations: { 'svc.app/message': 'The first reason' } },
    });
  });

  it('of a dashboard are changed on its page, with its tags and a reason, and nothing else of it', async () => {
    const { panels } = (await read()).spec;
    await person().goTo(PLACE);
    await page().getByRole('button', { name: 'Actions for Orders' }).click();
    await page().getByRole('menuitem', { name: 'Rename and describe…' }).click();
    await dialog().getByLabel('Title').fill('Orders of today');
    await dialog().getByLabel('Description').fill('How many orders come in.');
    await dialog().getByLabel('Add tags').fill('new');
    await dialog().getByRole('button', { name: 'old', exact: true }).click();
    await dialog().getByLabel('Why? (optional)').fill('So that it is found');
    await expectAccessible(page());
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page().getByRole('heading', { level: 1, name: 'Orders of today' }).waitFor();
    await page().getByText('So that it is found').waitFor();
    const { spec, metadata } = await read();
    expect(spec).to.deep.include({ title: 'Orders of today', description: 'How many orders come in.', panels });
    expect(spec['tags']).to.deep.equal(['a, b', 'new']);
    expect(metadata.annotations['svc.app/message']).to.equal('So that it is found');
  });

  it('of a dashboard are changed from the list of its folder, and the reason before is none of this change', async () => {
    await patch(`${DASHBOARDS}/orders`, { spec: { title: 'Orders' } });
    await person().goTo('/folders/shop');
    await page().getByRole('button', { name: 'Actions on “⁨Orders⁩”' }).click();
    await page().getByRole('menuitem', { name: 'Rename and describe…' }).click();
    await dialog().getByLabel('Title').fill('Orders again');
    await dialog().getByLabel('Title').press('Enter');
    await page().getByRole('link', { name: 'Orders again' }).waitFor();
    expect((await read()).metadata.annotations).not.to.have.property('svc.app/message');
  });

  it('are changed by F2, of what has the focus in a list, and else of what the page shows', async () => {
    await patch(`${DASHBOARDS}/orders`, { spec: { title: 'Orders' } });
    const opens = async (key: string, name: string | RegExp, title: string) => {
      await page().keyboard.press(key);
      const opened = page().getByRole('dialog', { name });
      await opened.waitFor();
      if (key === 'F2') expect(await dialog().getByLabel('Title').inputValue()).to.equal(title);
      else expect(await opened.textContent()).to.contain(title);
      await page().keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
    };
    await person().goTo('/folders/shop');
    await page().getByRole('link', { name: 'Orders' }).waitFor();
    await page().getByRole('button', { name: 'Actions on this folder' }).waitFor();
    await page()
      .locator('body')
      .click({ position: { x: 1, y: 1 } });
    await opens('F2', 'Rename and describe', 'Shop');
    await page().getByRole('link', { name: 'Orders' }).focus();
    await opens('F2', 'Rename and describe', 'Orders');
    await opens('Shift+F2', /^Move/, 'Orders');
    await opens('Delete', /^Delete/, 'Orders');
    await page().getByRole('link', { name: 'Orders' }).press('Enter');
    await page().getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await page()
      .getByRole('button', { name: /^Actions for Orders/ })
      .waitFor();
    await opens('F2', 'Rename and describe', 'Orders');
    await page().keyboard.press('Control+k');
    await page().getByRole('dialog', { name: 'Find anything' }).waitFor();
    await page().keyboard.press('F2');
    expect(await dialog().count()).to.equal(0);
  });

  it('show what somebody else has saved meanwhile, and keep it', async () => {
    await person().goTo(PLACE);
    await page()
      .getByRole('button', { name: /^Actions for Orders/ })
      .click();
    await page().getByRole('menuitem', { name: 'Rename and describe…' }).click();
    await dialog().getByLabel('Title').fill('Mine');
    const headers = {
      authorization: `Basic ${Buffer.from(`edith:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/merge-patch+json',
    };
    const body = JSON.stringify({ spec: { description: 'By Edith', tags: ['hers'] } });
    await fetch(`${running().server.httpUrl}${DASHBOARDS}/orders`, { method: 'PATCH', headers, body });
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('Edith Editor has changed this dashboard meanwhile.').waitFor();
    await dialog().getByText('By Edith').waitFor();
    await expectAccessible(page());
    await dialog().getByRole('button', { name: 'Save mine' }).click();
    await page().getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
    expect((await read()).spec).to.deep.include({ title: 'Mine', description: 'By Edith', tags: ['hers'] });
  });

  it('of a folder are changed with a reason, which its page and its history show', async () => {
    await person().goTo('/folders/shop');
    await page().getByRole('button', { name: 'Actions on this folder' }).click();
    await page()
      .getByRole('menuitem', { name: /^Rename and describe/ })
      .click();
    await dialog().getByLabel('Title').fill('The shop');
    await dialog().getByLabel('Why? (optional)').fill('There is one only');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page().getByRole('region', { name: 'Folder', exact: true }).getByText('There is one only').waitFor();
    await page().getByRole('tab', { name: 'History' }).click();
    await page().getByRole('region', { name: 'Versions' }).getByText('There is one only').waitFor();
  });

  it('are asked for at the root of those only who may create there', async () => {
    const edit = { roleRef: { kind: 'BuiltIn', name: 'Edit' }, scope: { folder: 'shop' } };
    const { uid } = (await send('GET', '/api/users/lookup?loginOrEmail=vera')).json<{ uid: string }>();
    const bindings = '/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings';
    await create(bindings, 'RoleBinding', 'shop.vera', { ...edit, subject: { kind: 'User', name: uid } });
    const vera = await running().person({ user: 'vera', password: PASSWORD });
    const button = vera.page.getByRole('button', { name: 'New', exact: true });
    await vera.goTo('/folders/general');
    await button.and(vera.page.locator('[aria-disabled=true]')).waitFor();
    expect(await button.getAttribute('title')).to.equal(
      'You may not create folders here, but in some folders. Open one of them.',
    );
    await vera.page.getByRole('treeitem', { name: 'The shop' }).click();
    await vera.page.getByRole('button', { name: 'Actions on this folder' }).waitFor();
    await button.and(vera.page.locator('[aria-haspopup]')).click();
    await vera.page.getByRole('menuitem', { name: 'Folder…' }).waitFor();
    const edith = await running().person({ user: 'edith', password: PASSWORD });
    await edith.goTo('/folders/general');
    await edith.page
      .getByRole('button', { name: 'New', exact: true })
      .and(edith.page.locator('[aria-haspopup]'))
      .click();
    await edith.page.getByRole('menuitem', { name: 'Folder…' }).click();
    await edith.page.getByRole('dialog').getByLabel('Title').fill('By Edith');
    await edith.page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await edith.page.getByRole('heading', { level: 1, name: 'By Edith' }).waitFor();
  });
});
