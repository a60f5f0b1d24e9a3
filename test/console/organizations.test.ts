import { expect } from 'chai';
import { expectAccessible, switchOrganization, useConsole } from './console.js';
import { PASSWORD, writerOn } from './content.js';

const SECOND = '/apis/folder.svc.app/v1beta1/namespaces/org-2/folders';
const RULES = '/apis/rules.alerting.svc.app/v1beta1/namespaces/org-2/alertrules';
const of = (group: string, resource: string) => ({ group, version: 'v1beta1', resource });

describe('the organization in the addresses of the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);

  before(async () => {
    await write.send('POST', '/api/orgs', { name: 'Second Org' });
    await write.folder('ops', 'Operations');
    await write.create(SECOND, 'Folder', 'shop', { title: 'Shop' });
    await write.create(
      RULES,
      'AlertRule',
      'late',
      { title: 'Late', ruleGroup: 'g', condition: 'A', data: [{ refId: 'A' }] },
      { 'svc.app/folder': 'shop' },
    );
    await write.user('zoe', 'None');
    const { id } = await write.user('mary', 'Viewer');
    await write.send('POST', '/api/orgs/2/users', { loginOrEmail: 'mary', role: 'Viewer' });
    await write.send('DELETE', `/api/orgs/1/users/${id}`);
  });

  const heading = (page: Awaited<ReturnType<ReturnType<typeof running>['person']>>['page'], name: string) =>
    page.getByRole('heading', { level: 1, name }).waitFor();

  it('is in each of them, so that a link shows the same to others, and two tabs may show two organizations', async () => {
    const one = await running().person();
    await one.goTo('/o/org-2/folders/shop');
    await heading(one.page, 'Shop');
    const other = await one.context.newPage();
    await other.goto(`${running().server.httpUrl}/console/o/default/folders/ops`);
    await heading(other, 'Operations');
    await one.page.reload();
    await heading(one.page, 'Shop');
    await one.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click();
    await one.page.waitForURL(/\/console\/o\/org-2\/trash$/);
    await one.page.goBack();
    await heading(one.page, 'Shop');
    await one.page.getByRole('button', { name: 'Organization: Second Org' }).waitFor();
    await other.getByRole('button', { name: 'Organization: Main Org.' }).waitFor();
    expect(one.complaints).to.deep.equal([]);
  });

  it('is added to addresses of earlier versions: that of the object, or the one that was shown last', async () => {
    const { page, goTo } = await running().person();
    await goTo('/objects/folder.svc.app/v1beta1/folders/org-2/shop/yaml?a=b');
    await page.waitForURL(/\/console\/o\/org-2\/folders\/shop\?a=b&tab=yaml$/);
    await goTo('/folders/shop?tab=permissions');
    await page.waitForURL(/\/console\/o\/org-2\/folders\/shop\?tab=permissions$/);
  });

  it('changes by a switch, which leads to the same page without what was open in the other one', async () => {
    const { page, visit } = await running().person();
    await page.goto(`${running().server.httpUrl}/console/o/default/folders/ops`);
    await heading(page, 'Operations');
    await switchOrganization(page, 'Second Org');
    await page.waitForURL(/\/console\/o\/org-2\/folders$/);
    await page.getByRole('treeitem', { name: 'Shop' }).waitFor();
    await visit('/o/org-2/objects/folder.svc.app/v1beta1/folders/org-2/shop');
    await switchOrganization(page, 'Main Org.');
    await page.waitForURL(/\/console\/o\/default\/folders$/);
  });

  it('is offered when an object is in another organization of the caller', async () => {
    const { page, goTo } = await running().person();
    await goTo('/o/default/folders/shop');
    await page.getByText('It is in Second Org.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Switch' }).click();
    await heading(page, 'Shop');
    const { group, version, resource } = of('rules.alerting.svc.app', 'alertrules');
    await goTo(`/o/default/objects/${group}/${version}/${resource}/default/late`);
    await page.getByText('It is in Second Org.').waitFor();
    await page.getByRole('button', { name: 'Switch' }).click();
    await page.waitForURL(/\/o\/org-2\/objects\/.*\/org-2\/late$/);
  });

  it('is one of their own for people who sign in for the first time', async () => {
    const { page, goTo } = await running().person({ user: 'mary', password: PASSWORD });
    await goTo('/');
    await page.waitForURL(/\/console\/o\/org-2\/folders$/);
    await page.getByRole('treeitem', { name: 'Shop' }).waitFor();
  });

  it('is none of the next visit if it does not exist, or is not of the caller', async () => {
    // The first organization of the administrator is another one than the last.
    for (const [options, other] of [
      [{}, 'typo'],
      [{ user: 'mary', password: PASSWORD }, 'default'],
    ] as const) {
      const { page, goTo } = await running().person(options);
      await goTo('/o/org-2/folders');
      await page.getByRole('treeitem', { name: 'Shop' }).waitFor();
      await goTo(`/o/${other}/folders`);
      await heading(page, 'There is no such organization');
      await page.getByText(`You belong to no organization “${other}”`).waitFor();
      await expectAccessible(page);
      await goTo('/');
      await page.waitForURL(/\/console\/o\/org-2\/folders$/);
      await page.getByRole('treeitem', { name: 'Shop' }).waitFor();
      await goTo('/o/typo/trash');
      await page.getByRole('button', { name: 'Go to Second Org' }).click();
      await page.getByRole('treeitem', { name: 'Shop' }).waitFor();
    }
  });

  it('stands beside the tab of the server page and the compared versions', async () => {
    const { page, goTo } = await running().person();
    for (const title of ['Shop 2', 'Shop 3']) await write.rename(`${SECOND}/shop`, title);
    await goTo('/o/org-2/objects/folder.svc.app/v1beta1/folders/org-2/shop/history');
    await page.getByLabel('Compare from version 1').check();
    await page.waitForURL(/tab=history&from=1&to=3$/);
    await page.reload();
    await page.getByRole('region', { name: 'Versions' }).waitFor();
    expect(await page.getByLabel('Compare from version 1').isChecked()).to.equal(true);
    await write.rename(`${SECOND}/shop`, 'Shop');
    await goTo('/server?tab=audit');
    expect(await page.getByRole('tab', { name: 'Audit log' }).getAttribute('aria-selected')).to.equal('true');
    await page.getByRole('tab', { name: 'What is stored' }).click();
    await page.waitForURL(/\/server\?tab=stored$/);
    await page.goBack();
    await page.waitForURL(/\/server\?tab=audit$/);
  });

  it('decides whose people are shown, and not the active organization of the caller', async () => {
    const { page, goTo } = await running().person();
    await goTo('/o/nope/people/users');
    await heading(page, 'There is no such organization');
    expect(await page.getByText('admin@localhost').count()).to.equal(0);
    await page.route(/\/apis\/iam\.svc\.app\/v1beta1\/organizations\?/, (route) => route.abort());
    await goTo('/o/org-2/people/users');
    await page.getByText('mary@example.com').waitFor();
    expect(await page.getByText('zoe@example.com').count()).to.equal(0);
    await page.getByRole('button', { name: 'Add somebody' }).click();
    await page.getByRole('textbox', { name: 'Login or e-mail address' }).fill('zoe');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('zoe@example.com').waitFor();
    expect((await write.send('GET', '/api/orgs/2/users')).text).to.contain('zoe');
  });

  it('shows nothing of another one while it loads', async () => {
    const role = { permissions: [{ action: 'folders:read', scope: 'folders:*' }], title: 'Only in the first' };
    await write.create('/apis/iam.svc.app/v1beta1/namespaces/default/roles', 'Role', 'first', role);
    const { page, goTo } = await running().person();
    await goTo('/o/default/people/roles');
    await page.getByText('Only in the first').waitFor();
    await page.route(/\/namespaces\/org-2\/roles/, () => undefined);
    await switchOrganization(page, 'Second Org');
    await page.waitForURL(/\/o\/org-2\/people\/roles/);
    await page.waitForTimeout(300);
    expect(await page.getByText('Only in the first').count()).to.equal(0);
  });

  it('leaves the link to the content of the page on the page', async () => {
    const { page, goTo } = await running().person();
    await goTo('/o/default/folders/ops');
    await page.getByRole('button', { name: 'Skip to the content' }).press('Enter');
    await page.waitForURL(/\/o\/default\/folders\/ops/);
    expect(await page.evaluate('document.activeElement.id')).to.equal('main');
    await heading(page, 'Operations');
  });
});
