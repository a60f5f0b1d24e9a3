import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../e2e/process.js';
import { expectAccessible, type Person, useConsole } from './console.js';
import { held } from './held.js';

const IAM = '/apis/iam.svc.app/v1beta1/namespaces/default';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const PASSWORD = 'Rather-long-passw0rd';

describe('access in the console', function suite() {
  this.timeout(120_000);
  const console_ = useConsole();
  const uids = new Map<string, string>();

  const post = async <Body>(path: string, body: unknown, method = 'POST'): Promise<Body> => {
    const { status, text } = await console_().server.client.request(method, path, { body });
    expect(status, text).to.be.within(200, 299);
    return JSON.parse(text) as Body;
  };
  const addUser = async (login: string, name: string, role: string): Promise<void> => {
    const user = { login, name, email: `${login}@example.com`, password: PASSWORD };
    const { id, uid } = await post<{ id: number; uid: string }>('/api/admin/users', user);
    uids.set(login, uid);
    await post(`/api/orgs/1/users/${id}`, { role }, 'PATCH');
  };
  const give = (who: readonly [kind: string, name: string], level: string, folder: string, kind = 'BuiltIn') =>
    post(`${IAM}/rolebindings`, {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'RoleBinding',
      metadata: { name: `${folder}.${who[0].toLowerCase()}.${who[1]}` },
      spec: { subject: { kind: who[0], name: who[1] }, roleRef: { kind, name: level }, scope: { folder } },
    });
  const setPrivate = async (name: string, value: string | null): Promise<void> => {
    const { status, text } = await console_().server.client.request('PATCH', `${FOLDERS}/${name}`, {
      body: { metadata: { annotations: { 'svc.app/basic-roles': value } } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(status, text).to.equal(200);
  };
  const open = async (place: string, user?: string): Promise<Person> => {
    const person = await console_().person(user === undefined ? {} : { user, password: PASSWORD });
    await person.goTo(place);
    return person;
  };
  const folder = (name: string, user?: string) => open(`/folders/${name}?tab=permissions`, user);
  const row = (page: Page, text: string) =>
    page
      .getByRole('table', { name: /^Who has access to this folder/ })
      .getByRole('row')
      .filter({ hasText: text });

  /** A line of a dialog: who gets which level in place of which one. */
  const change = (page: Page, who: string, from: string, to: string) =>
    page
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: who })
      .filter({ hasText: new RegExp(`${from}.*to ${to}`) });

  before(async () => {
    await addUser('vera', 'Vera Viewer', 'Viewer');
    await addUser('edith', 'Edith Editor', 'Editor');
    await addUser('norm', 'Norm None', 'None');
    await post('/api/folders', { uid: 'ops', title: 'Operations' });
    await post('/api/folders', { uid: 'inner', title: 'Inner', parentUid: 'ops' });
    await post('/api/folders', { uid: 'own', title: 'Own' });
    const { uid } = await post<{ uid: string }>('/api/teams', { name: 'Crew' });
    await give(['Team', uid], 'Edit', 'ops');
    await give(['User', uids.get('edith') ?? ''], 'Admin', 'own');
  });

  it('shows who has access, at which level, and why', async () => {
    const { page, complaints } = await folder('inner');
    await row(page, 'Crew').getByRole('link', { name: 'Operations' }).waitFor();
    expect(await row(page, 'Crew').textContent())
      .to.contain('Edit')
      .and.to.contain('Inherited from');
    expect(await row(page, 'Viewer').textContent())
      .to.contain('View')
      .and.to.contain('Role of the organization');
    await page.getByText('The folders above are public, too.').waitFor();
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
    await page.getByRole('button', { name: 'Make public' }).click();
    await dialog.getByRole('button', { name: 'Make it public' }).click();
    await page.getByText('The folders above are public, too.').waitFor();
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
    await page.getByRole('button', { name: 'Make public' }).waitFor();
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
    await change(page, 'role Viewer · 1 person', 'View', '—').waitFor();
    await dialog.getByRole('button', { name: 'Make it private' }).click();
    await page.getByRole('button', { name: 'Make public' }).waitFor();
    await row(page, 'Viewer').waitFor({ state: 'detached' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make public' }).click();
    await dialog.getByRole('button', { name: 'Make it public' }).click();
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
    const { isAsked, release } = await held(page, /\/org\/users\/search/);
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
    await page.getByText(/folders\.permissions:read/).waitFor();
    await page.getByText('Yes').first().waitFor();
    expect(await page.getByRole('button', { name: 'Make private' }).count()).to.equal(0);
    await expectAccessible(page);
  });

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
    await sentence(
      page,
      'Norm None may edit Platform: member of the team Site reliability, which has Edit on Platform.',
    ).waitFor();
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
      await page
        .getByRole('row', { name: /^Folder / })
        .getByText('yes')
        .first()
        .waitFor();
      await choose(page, 'Which folder', 'Operations', 'Operations');
      await sentence(page, `You may ${verb} Operations`).waitFor();
      await page.getByRole('tab', { name: 'Who may do this?' }).click();
      await page.getByText('Only administrators of the organization may ask who may do something.').waitFor();
      await expectAccessible(page);
    }
  });
});
