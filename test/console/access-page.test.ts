import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, useConsole } from './console.js';
import { held } from './held.js';
import { IAM, usePermissions } from './permissions.js';

describe('the page about access of the console', function suite() {
  this.timeout(120_000);
  const console_ = useConsole();
  const { uids, post, addUser, give, setPrivate, open } = usePermissions(console_);

  /** The place of the page on which somebody chooses a folder. */
  const choose = async (page: Page, field: string, text: string, option: RegExp | string): Promise<void> => {
    const box = page.getByRole('combobox', { name: field });
    await box.fill(text);
    await page.getByRole('option', { name: option }).waitFor();
    await box.press('Enter');
  };
  const sentence = (page: Page, text: string | RegExp) => page.locator('.access-sentence').filter({ hasText: text });

  it('answers in a sentence what somebody may do with a folder that is chosen by its title, and why', async () => {
    const { page, complaints } = await open('/access');
    await sentence(page, 'x').waitFor({ state: 'detached' });
    await choose(page, 'Person, team or service account', 'vera', /Vera Viewer/);
    await page.getByRole('heading', { name: /What Vera Viewer may do/ }).waitFor();
    await choose(page, 'Which folder', 'Operat', 'Operations');
    await sentence(page, 'Vera Viewer may view Operations: has the role Viewer in the organization.').waitFor();
    await expectAccessible(page);
    const address = page.url();
    expect(address).to.contain('subject=User').and.to.contain('object=ops');
    await choose(page, 'Person, team or service account', 'Crew', /Crew/);
    await sentence(page, 'The team Crew may edit Operations: has Edit on Operations.').waitFor();
    await page.goBack();
    await page.goBack();
    await sentence(page, 'Vera Viewer may view Operations').waitFor();
    const other = await console_().person({});
    await other.goTo(address.replace(/^.*\/console(\/o\/[^/]+)?/, ''));
    await sentence(other.page, 'Vera Viewer may view Operations').waitFor();
    expect(await other.page.getByRole('combobox', { name: 'Which folder' }).inputValue()).to.equal('Operations');
    expect([...complaints, ...other.complaints]).to.deep.equal([]);
  });

  it('names the team by which somebody may edit a folder, and says of a free name that no folder is called so', async () => {
    const { uid } = await post<{ uid: string }>('/api/teams', { name: 'Site reliability' });
    const spec = { teamRef: { name: uid }, userRef: { name: uids.get('norm') } };
    const member = { apiVersion: 'iam.svc.app/v1beta1', kind: 'TeamBinding', metadata: { name: `${uid}.norm` }, spec };
    await post(`${IAM}/teambindings`, member);
    await post('/api/folders', { uid: 'a2', title: 'Platform' });
    await give(['Team', uid], 'Edit', 'a2');
    const { page } = await open(`/access?subject=User/${uids.get('norm')}&object=a2`);
    const row = page.getByRole('table', { name: 'Folders that they may open' }).getByRole('row', { name: /^Platform/ });
    await row.getByText('member of the team Site reliability, which has Edit on Platform').waitFor();
    await row.getByRole('cell', { name: 'edit', exact: true }).waitFor();
    await row.getByRole('link', { name: 'Platform' }).waitFor();
    await sentence(
      page,
      'Norm None may edit Platform: member of the team Site reliability, which has Edit on Platform.',
    ).waitFor();
    const permissions = [{ action: 'folders.permissions:read', scope: 'folders:uid:a2' }];
    const role = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Role', metadata: { name: 'auditor' } };
    await post(`${IAM}/roles`, { ...role, spec: { title: 'Auditors', permissions } });
    const bound = { subject: { kind: 'User', name: uids.get('norm') }, roleRef: { kind: 'Role', name: 'auditor' } };
    await post(`${IAM}/rolebindings`, { ...role, kind: 'RoleBinding', metadata: { name: 'norm-audits' }, spec: bound });
    await page.reload();
    await row.getByText('edit, and has the role Auditors').waitFor();
    const field = page.getByRole('combobox', { name: 'Which folder' });
    await field.fill('Nirvana');
    await page.getByText('There is no folder called so.').waitFor();
    await field.press('Enter');
    expect(await page.locator('.access-sentence').count()).to.equal(0);
    await open(`/access?object=Platform`).then(({ page: other }) =>
      other.getByText('There is no folder called so, or you may not view it.').waitFor(),
    );
    await page.goto(page.url().replace(/access\?.*/, 'access?ask=who&object=Platform'));
    await page.getByText('There is no folder called so.').waitFor();
    expect(await page.getByRole('table', { name: /^Who may do this/ }).count()).to.equal(0);
  });

  it('ticks only what is allowed with all objects, and counts the private ones', async () => {
    await setPrivate('own', 'none');
    const { page } = await open(`/access?subject=User/${uids.get('vera')}`);
    await page.getByText('All kinds, by verb').click();
    const folders = page.getByRole('row', { name: /^Folder / });
    await folders.getByText('all but 1').first().waitFor();
    await page
      .getByRole('row', { name: /^SSOSetting/ })
      .getByText('no', { exact: true })
      .first()
      .waitFor();
    await page.getByText('with all but so many, such as private ones').waitFor();
    await expectAccessible(page);
    const { page: admins } = await open('/access');
    await admins.getByText('May administer all of them: administrator of the server.').first().waitFor();
    await admins.getByText('All kinds, by verb').click();
    await admins
      .getByRole('row', { name: /^Folder / })
      .getByText('yes')
      .first()
      .waitFor();
    expect(
      await admins
        .getByRole('row', { name: /^Folder / })
        .getByText(/all but/)
        .count(),
    ).to.equal(0);
    await setPrivate('own', null);
  });

  it('never shows the rights of one person as those of another', async () => {
    const { page } = await open(`/access?object=ops`);
    await sentence(page, 'You may administer Operations: administrator of the server.').waitFor();
    const { isAsked, release } = await held(page, /\/(accesssummary|scopeaccess)reviews/);
    await page.getByRole('combobox', { name: 'Person, team or service account' }).fill('vera');
    await page.getByRole('option', { name: /Vera Viewer/ }).click();
    await page.getByRole('heading', { name: /What Vera Viewer may do/ }).waitFor();
    await isAsked;
    expect(await page.getByRole('table', { name: 'Rights by kind and verb' }).count()).to.equal(0);
    expect(await page.locator('.access-sentence').count()).to.equal(0);
    release();
    await sentence(page, 'Vera Viewer may view Operations').waitFor();
  });

  it('answers who may do something, and why, by names, also to administrators of the organization', async () => {
    await addUser('orla', 'Orla Admin', 'Admin');
    for (const user of [undefined, 'orla']) {
      const { page } = await open('/access?ask=who&object=own', user);
      const table = page.getByRole('table', { name: /^Who may do this/ });
      await page.getByRole('combobox', { name: 'Verb' }).selectOption('delete');
      const edith = table.getByRole('row').filter({ hasText: 'Edith Editor' });
      await edith.getByText('Role Editor in the organization').waitFor();
      await edith.getByRole('link', { name: 'Own' }).waitFor();
      expect(await table.getByText('Vera Viewer').count()).to.equal(0);
      await expectAccessible(page);
    }
    const { page } = await open('/access?ask=who&kind=users', 'orla');
    await page.getByText('User is outside of organizations.', { exact: false }).waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
  });

  it('calls a custom role by its title', async () => {
    const about = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Role', metadata: { name: 'r-1' } };
    const permissions = [{ action: 'folders:read', scope: 'folders:uid:own' }];
    await post(`${IAM}/roles`, { ...about, spec: { title: 'Reader of reports', permissions } });
    await give(['User', uids.get('norm') ?? ''], 'r-1', 'own', 'Role');
    const { page } = await open('/access?ask=who&object=own');
    const row = page.getByRole('row').filter({ hasText: 'Norm None' });
    await row.getByRole('link', { name: 'Role Reader of reports' }).waitFor();
    const { page: other } = await open('/folders/own?tab=permissions');
    await other.getByRole('link', { name: /^Role Reader of reports of/ }).waitFor();
    const { page: norm } = await open('/access?object=own', 'orla');
    await sentence(norm, 'You may administer Own: you have the role Admin in the organization.').waitFor();
    const { page: third } = await open(`/access?subject=User/${uids.get('norm')}&object=own`);
    await sentence(third, 'has the role Reader of reports on Own.').waitFor();
  });

  it('leads administrators of the organization from a person and a team to what they may open', async () => {
    const { page } = await open(`/people/users?open=${uids.get('edith')}`, 'orla');
    await page.getByRole('link', { name: 'What may they open?' }).click();
    await page.getByRole('heading', { name: /What Edith Editor may do/ }).waitFor();
    await choose(page, 'Which folder', 'Own', 'Own');
    await sentence(page, 'Edith Editor may administer Own: has Admin on Own.').waitFor();
    await page.getByText('Also: has the role Editor in the organization.').waitFor();
    await open('/folders/own?tab=permissions', 'orla').then(({ page: other }) =>
      other.getByRole('link', { name: 'Which people may do what with this folder?' }).waitFor(),
    );
  });

  it('lets those who may not ask about others ask about themselves', async () => {
    for (const [user, verb] of [
      ['vera', 'view'],
      ['edith', 'edit'],
    ] as const) {
      const { page } = await open('/access', user);
      await page.getByText('Only administrators of the organization may ask about others.', { exact: false }).waitFor();
      expect(await page.getByRole('combobox', { name: /^Person/ }).count()).to.equal(0);
      const row = page
        .getByRole('table', { name: 'Folders that they may open' })
        .getByRole('row', { name: /^Operations/ });
      await row.getByText(verb, { exact: true }).waitFor();
      await choose(page, 'Which folder', 'Operations', 'Operations');
      await sentence(page, `You may ${verb} Operations`).waitFor();
      await page.getByRole('tab', { name: 'Who may do this?' }).click();
      await page.getByText('Only administrators of the organization may ask who may do something.').waitFor();
      await expectAccessible(page);
    }
  });
});
