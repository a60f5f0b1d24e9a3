import { expect } from 'chai';
import { eventually } from '../e2e/process.js';
import { expectAccessible, useConsole } from './console.js';
import { held } from './held.js';
import { IAM, usePermissions } from './permissions.js';

describe('access in the console', function suite() {
  this.timeout(120_000);
  const console_ = useConsole();
  const { uids, post, give, setPrivate, open, folder, row, change } = usePermissions(console_);

  it('shows who has access, at which level, and why', async () => {
    const { page, complaints } = await folder('inner');
    await row(page, 'Crew').getByRole('link', { name: 'Operations' }).waitFor();
    expect(await row(page, 'Crew').textContent())
      .to.contain('Edit')
      .and.to.contain('Inherited from');
    expect(await row(page, 'Viewer').textContent())
      .to.contain('View')
      .and.to.contain('Role of the organization');
    await page.getByText('The folders above are open to it, too.').waitFor();
    await expectAccessible(page);
    expect(complaints).to.deep.equal([]);
  });

  it('lists no role that gives nothing there, and who is behind a team or a role', async () => {
    const about = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Role', metadata: { name: 'shop-alerts' } };
    const permissions = [{ action: 'alert.rules:read', scope: 'folders:uid:shop' }];
    await post(`${IAM}/roles`, { ...about, spec: { title: 'Alerts of the shop', permissions } });
    const spec = { subject: { kind: 'User', name: uids.get('norm') }, roleRef: { kind: 'Role', name: 'shop-alerts' } };
    const binding = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name: 'norm-alerts' }, spec };
    await post(`${IAM}/rolebindings`, binding);
    const { page, complaints } = await folder('inner');
    const editors = row(page, 'Editor').filter({ hasText: 'Role of the organization' });
    await editors.getByText('Basic role · 1 person').waitFor();
    expect(await page.getByText('Norm None').count(), 'his role is about another folder').to.equal(0);
    await editors.getByText('Who they are').click();
    await page.getByRole('list', { name: 'People of Editor' }).getByText('Edith Editor').waitFor();
    await expectAccessible(page);
    expect(complaints).to.deep.equal([]);
  });

  it('makes a folder inside a folder private in one step, and says why it is private', async () => {
    await give(['BasicRole', 'Viewer'], 'Edit', 'ops');
    const { page, complaints } = await folder('inner');
    await page.getByRole('button', { name: 'Make private' }).click();
    const dialog = page.getByRole('dialog');
    for (const role of ['Editor', 'Viewer']) await change(page, `role ${role} · 1 person`, 'Edit', '—').waitFor();
    await dialog.getByRole('button', { name: 'Make it private' }).click();
    await page.getByText('Others keep what they have on the folders above.').waitFor();
    await row(page, 'Viewer').waitFor({ state: 'detached' });
    expect(await row(page, 'Crew').textContent()).to.contain('Inherited from');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open to the organization' }).click();
    await dialog.getByRole('button', { name: 'Open it' }).click();
    await page.getByText('The folders above are open to it, too.').waitFor();
    await setPrivate('ops', 'none');
    await page.getByText('It lies in a private folder').waitFor();
    await page.getByRole('button', { name: 'Make private' }).waitFor();
    await expectAccessible(page);
    await setPrivate('ops', null);
    const { status } = await console_().server.client.request('DELETE', `${IAM}/rolebindings/ops.basicrole.Viewer`);
    expect(status).to.equal(200);
    expect(complaints).to.deep.equal([]);
  });

  it('says when there are more entries than it shows', async () => {
    const { page } = await open('/folders');
    await page.route(/\/scopeaccessreviews$/, async (route) => {
      const response = await route.fetch();
      const review = await response.json();
      await route.fulfill({ response, json: { ...review, status: { ...review.status, isPartial: true } } });
    });
    await give(['User', uids.get('norm') ?? ''], 'View', 'inner');
    await give(['User', uids.get('edith') ?? ''], 'Edit', 'inner');
    await page.goto(page.url().replace(/folders.*/, 'folders/inner?tab=permissions'));
    await page.getByText('Only the first thousand entries are shown.').waitFor();
    await expectAccessible(page);
  });

  it('gives, changes and removes an entry, and says before who gains and who loses access', async () => {
    const { page, complaints } = await folder('ops');
    await page.getByRole('combobox', { name: 'Give access to' }).fill('vera');
    await page.getByRole('option', { name: /Vera Viewer/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Level' }).first().selectOption('Edit');
    await page.getByRole('button', { name: 'Add' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Change their level' }).waitFor();
    await change(page, 'Vera Viewer', 'View', 'Edit').waitFor();
    expect(await dialog.getByText('Vera Viewer', { exact: true }).getAttribute('title')).to.equal('vera');
    expect(await dialog.getByRole('heading', { name: /^(Gain|Lose) access$/ }).count()).to.equal(0);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Give access' }).click();
    await page.getByRole('combobox', { name: 'Level of Vera Viewer' }).selectOption('Admin');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('combobox', { name: 'Level of Vera Viewer' }).selectOption('View');
    await change(page, 'Vera Viewer', 'Edit', 'View').waitFor();
    await dialog.getByRole('button', { name: 'Change to View' }).click();
    await page.getByText('Vera Viewer has the level View.').waitFor();
    await page.getByRole('button', { name: 'Remove the entry of Vera Viewer' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await row(page, 'Vera Viewer').waitFor({ state: 'detached' });
    expect(complaints).to.deep.equal([]);
  });

  it('takes back by Undo what was given, changed, removed or made private', async () => {
    const { page, complaints } = await folder('ops');
    const dialog = page.getByRole('dialog');
    const undo = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await page.getByText('It is as it was before.').last().waitFor();
      const messages = page.getByRole('button', { name: 'Close message' });
      while ((await messages.count()) > 0) await messages.first().click();
    };
    const level = page.getByRole('combobox', { name: 'Level of vera' });
    const addVera = async (): Promise<void> => {
      await page.getByRole('combobox', { name: 'Give access to' }).fill('vera');
      await page.getByRole('option', { name: /Vera Viewer/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', { name: 'Level' }).first().selectOption('Edit');
      await page.getByRole('button', { name: 'Add' }).click();
      await dialog.getByRole('button', { name: 'Give access' }).click();
      await level.waitFor();
    };
    await addVera();
    await undo();
    await level.waitFor({ state: 'detached' });
    await addVera();
    await level.selectOption('View');
    await dialog.getByRole('button', { name: 'Change to View' }).click();
    await page.getByText(/has the level View\./).waitFor();
    await undo();
    await eventually(
      async () => (await level.inputValue()) === 'Edit' || undefined,
      () => 'the level is not Edit again',
    );
    await page.getByRole('button', { name: 'Remove the entry of vera' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await level.waitFor({ state: 'detached' });
    await undo();
    await level.waitFor();
    await page.getByRole('button', { name: 'Make private' }).click();
    await dialog.getByRole('button', { name: 'Make it private' }).click();
    await page.getByRole('button', { name: 'Open to the organization' }).waitFor();
    await undo();
    await page.getByRole('button', { name: 'Make private' }).waitFor();
    await page.getByRole('button', { name: 'Remove the entry of vera' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await level.waitFor({ state: 'detached' });
    expect(complaints).to.deep.equal([]);
  });

  it('takes back nothing that others have changed since', async () => {
    const { page } = await folder('ops');
    const dialog = page.getByRole('dialog');
    await page.getByRole('combobox', { name: 'Give access to' }).fill('vera');
    await page.getByRole('option', { name: /Vera Viewer/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('button', { name: 'Give access' }).click();
    const level = page.getByRole('combobox', { name: 'Level of vera' });
    await level.waitFor();
    const { client } = console_().server;
    const binding = `${IAM}/rolebindings/ops.user.${uids.get('vera')}`;
    const { status, text } = await client.request('PATCH', binding, {
      body: { spec: { roleRef: { kind: 'BuiltIn', name: 'Admin' } } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(status, text).to.equal(200);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page
      .getByText(/Precondition failed|has been modified|changed/)
      .first()
      .waitFor();
    await eventually(
      async () => (await level.inputValue()) === 'Admin' || undefined,
      () => 'the level of others did not stay',
    );
    expect((await client.request('DELETE', binding)).status).to.equal(200);
  });

  it('makes a folder private in one step, and public again', async () => {
    const { page } = await folder('ops');
    await page.getByRole('button', { name: 'Make private' }).click();
    const dialog = page.getByRole('dialog');
    await change(page, 'role Editor · 1 person', 'Edit', '—').waitFor();
    await dialog.getByText('It holds for what lies in it, too: 1 subfolder').waitFor();
    await change(page, 'role Editor', 'Edit', '—').getByText('Who they are').click();
    await dialog.getByRole('list', { name: 'People of Editor' }).getByText('Edith Editor').waitFor();
    await expectAccessible(page);
    await change(page, 'role Viewer · 1 person', 'View', '—').waitFor();
    await dialog.getByRole('button', { name: 'Make it private' }).click();
    await page.getByRole('button', { name: 'Open to the organization' }).waitFor();
    await row(page, 'Viewer').waitFor({ state: 'detached' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open to the organization' }).click();
    await dialog.getByRole('button', { name: 'Open it' }).click();
    await row(page, 'Viewer').waitFor();
  });

  it('warns before people take away or lower their own access', async () => {
    const { page } = await folder('own', 'edith');
    await page.getByRole('combobox', { name: 'Level of Edith Editor' }).selectOption('View');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/You lower your own access/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove the entry of Edith Editor' }).click();
    await dialog.getByText(/You lower your own access/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('combobox', { name: 'Level of Edith Editor' }).inputValue()).to.equal('Admin');
  });

  it('warns before people remove a custom role of their own, which has no level', async () => {
    const about = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Role', metadata: { name: 'keeper' } };
    const actions = ['folders:read', 'folders.permissions:read', 'folders.permissions:write'];
    const permissions = actions.map((action) => ({ action, scope: 'folders:*' }));
    await post(`${IAM}/roles`, { ...about, spec: { title: 'Keeper', permissions } });
    await post('/api/folders', { uid: 'kept', title: 'Kept' });
    for (const login of ['norm', 'edith']) await give(['User', uids.get(login) ?? ''], 'keeper', 'kept', 'Role');
    for (const [login, name, warning] of [
      ['norm', 'Norm None', /You take away your own access/],
      ['edith', 'Edith Editor', /You lower your own access. You will only edit this folder/],
    ] as const) {
      const { page } = await folder('kept', login);
      // They may not list users, and know the people of the folder by name all the same.
      await page.getByRole('button', { name: `Remove the entry of ${name}` }).click();
      await page.getByRole('dialog').getByText(warning).waitFor();
    }
    const { page } = await folder('kept');
    await row(page, 'Norm None').getByRole('link', { name: 'Role keeper of Norm None' }).waitFor();
  });

  it('chooses nobody by Enter until the people for the typed text are found', async () => {
    const { page } = await folder('ops');
    const field = page.getByRole('combobox', { name: 'Give access to' });
    await field.fill('edith');
    await page.getByRole('option', { name: /Edith Editor/ }).waitFor();
    const { isAsked, release } = await held(page, /\/org\/users\/lookup/);
    await field.fill('vera');
    await field.press('Enter');
    await isAsked;
    await field.press('Enter');
    expect(await field.inputValue()).to.equal('vera');
    release();
    await page.getByRole('option', { name: /Vera Viewer/ }).waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).to.equal('Vera Viewer');
  });

  it('tells viewers why they may not see who has access, and what they may do themselves', async () => {
    const { page } = await folder('ops', 'vera');
    await page.getByText('Only who administers this folder may see who has access to it.').waitFor();
    await page.getByText('Yes').first().waitFor();
    expect(await page.getByRole('button', { name: 'Make private' }).count()).to.equal(0);
    await expectAccessible(page);
  });
});
