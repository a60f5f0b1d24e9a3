import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../e2e/process.js';
import { expectAccessible, type Person, useConsole } from './console.js';
import { FOLDERS, PASSWORD, writerOn } from './content.js';

const HERE = '/apis/iam.svc.app/v1beta1/namespaces/default';
const PRIVATE = { 'svc.app/basic-roles': 'none' };

describe('changes of people and roles in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const uids = new Map<string, string>();
  const create = (path: string, kind: string, name: string, spec: object) =>
    write.create(`${HERE}/${path}`, kind, name, spec);

  before(async () => {
    for (const [login, role] of [
      ['zoe', 'Viewer'],
      ['ada', 'Admin'],
      ['bea', 'Admin'],
    ] as const)
      uids.set(login, (await write.user(login, role, `${login} of the tests`)).uid);
    await write.folder('vault', 'Vault', PRIVATE);
    await create('teams', 'Team', 'crew', { title: 'Crew' });
    await create('rolebindings', 'RoleBinding', 'crew-vault', {
      subject: { kind: 'Team', name: 'crew' },
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope: { folder: 'vault' },
    });
    await create('roles', 'Role', 'guest', {
      title: 'Guest',
      permissions: [{ action: 'folders:read', scope: 'folders:*' }],
    });
    await create('rolebindings', 'RoleBinding', 'zoe-vault', {
      subject: { kind: 'User', name: uids.get('zoe') },
      roleRef: { kind: 'Role', name: 'guest' },
      scope: { folder: 'vault' },
    });
  });

  const at = async (place: string, user = 'ada'): Promise<Person> => {
    const person = await running().person({ user, password: PASSWORD });
    await person.goTo(place);
    return person;
  };
  const lines = async (page: Page, title: string): Promise<string> =>
    (await page.getByRole('dialog', { name: title }).locator('.access-change').allInnerTexts())
      .join(' ')
      .replace(/\s+/g, ' ');
  const undo = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('It is as it was before.').waitFor();
  };
  const roleOf = async (login: string): Promise<string> =>
    (await write.send('GET', `${HERE}/organizationbindings/${uids.get(login)}`)).json<{ spec: { role: string } }>().spec
      .role;

  it('show who changes the level with another role in the organization, and take it back', async () => {
    const { page, complaints } = await at(`/people/users?open=${uids.get('zoe')}`);
    const role = page.getByLabel('Role in this organization');
    await role.selectOption('Editor');
    const title = 'Make zoe Editor in the organization?';
    await page.getByRole('dialog', { name: title }).waitFor();
    expect(await lines(page, title)).to.equal(
      'Change their level on the organization zoe of the tests Viewer → to Editor',
    );
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await eventually(
      async () => (await role.inputValue()) === 'Viewer' || undefined,
      () => 'the field is not as it was',
    );
    await role.selectOption('Editor');
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('zoe is Editor now.').waitFor();
    expect(await roleOf('zoe')).to.equal('Editor');
    await undo(page);
    expect(await roleOf('zoe')).to.equal('Viewer');
    expect(complaints).to.deep.equal([]);
  });

  it('warn who takes the own rights away', async () => {
    const { page } = await at(`/people/users?open=${uids.get('bea')}`, 'bea');
    await page.getByLabel('Role in this organization').selectOption('Viewer');
    await page.getByText('This is your own account. You may lock yourself out.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('show what a new and a former member of a team gains and loses, and take it back', async () => {
    const { page, complaints } = await at('/people/teams?open=crew');
    const field = page.getByRole('combobox', { name: 'Add a member' });
    await field.fill('zoe');
    await page.getByRole('option', { name: /zoe/ }).waitFor();
    await field.press('Enter');
    const adding = 'Add zoe of the tests to the team?';
    await page.getByRole('dialog', { name: adding }).getByText(/Vault/).waitFor();
    expect(await lines(page, adding)).to.equal('Change their level on Vault zoe of the tests View → to Edit');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    const remove = page.getByRole('button', { name: 'Remove zoe of the tests' });
    await remove.click();
    const removing = 'Remove zoe of the tests from the team?';
    await page.getByRole('dialog', { name: removing }).getByText(/Vault/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await remove.waitFor({ state: 'detached' });
    await undo(page);
    await remove.waitFor();
    expect(complaints).to.deep.equal([]);
    await write.remove(`${HERE}/teambindings/crew.${uids.get('zoe')}`);
  });

  it('show who gains and loses access by another content of a role, and take it back', async () => {
    const { page, complaints } = await at('/people/roles?open=guest');
    await page.getByRole('button', { name: 'Edit role' }).click();
    const form = page.getByRole('dialog', { name: 'Edit role' });
    await form.getByRole('button', { name: 'Remove action 1' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    const title = 'Save the role?';
    await page.getByRole('dialog', { name: title }).getByText(/Vault/).waitFor();
    expect(await lines(page, title)).to.contain('Lose access to Vault zoe of the tests');
    await page.getByRole('dialog', { name: title }).getByRole('button', { name: 'Cancel' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save the role' }).click();
    await form.waitFor({ state: 'detached' });
    const permissions = async () =>
      (await write.send('GET', `${HERE}/roles/guest`)).json<{ spec: { permissions: readonly unknown[] } }>().spec
        .permissions;
    expect(await permissions()).to.deep.equal([]);
    await undo(page);
    expect(await permissions()).to.have.length(1);
    expect(complaints).to.deep.equal([]);
    expect((await write.send('GET', `${FOLDERS}/vault`)).status).to.equal(200);
  });

  it('lead from the members of a team to the person and to what they may open, and from there to who may', async () => {
    await create('teambindings', 'TeamBinding', 'crew-zoe', {
      teamRef: { name: 'crew' },
      userRef: { name: uids.get('zoe') },
      permission: 'member',
    });
    const { page, complaints } = await at('/people/teams?open=crew');
    await page.getByRole('link', { name: 'zoe of the tests', exact: true }).click();
    await page.getByRole('heading', { name: 'zoe' }).first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'What may they open? (zoe of the tests)' }).click();
    await page.getByRole('heading', { name: /What zoe of the tests may do/ }).waitFor();
    await page.getByText('All kinds, by verb').click();
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Folder', exact: true }) });
    await row.getByRole('link', { name: /^get: / }).click();
    await page.getByRole('tabpanel', { name: 'Who may do this?' }).waitFor();
    await page
      .getByRole('cell', { name: /zoe of the tests/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    expect(complaints).to.deep.equal([]);
  });

  it('have names in the table of role bindings', async () => {
    const { page } = await at('/kinds/iam.svc.app/v1beta1/rolebindings');
    for (const text of ['user zoe of the tests', 'team Crew', 'role Guest', 'folder Vault'])
      await page.getByRole('gridcell', { name: text }).first().waitFor();
    const uid = uids.get('zoe') ?? '';
    expect(await page.getByTitle(`User/${uid}`).first().textContent()).not.to.contain(uid);
    await page.getByLabel('Filter by text').fill('zoe of');
    await page.getByRole('gridcell', { name: 'team Crew' }).first().waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: 'user zoe of the tests' }).first().waitFor();
    await page.getByRole('row').filter({ hasText: 'user zoe of the tests' }).getByRole('link').first().click();
    await page.getByRole('definition').filter({ hasText: 'user zoe of the tests' }).waitFor();
  });
});
