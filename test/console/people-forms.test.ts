import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, type Person, useConsole } from './console.js';
import { PASSWORD, writerOn } from './content.js';

const IAM = '/apis/iam.svc.app/v1beta1';

describe('forms of people in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  let admin: Person;
  let page: Page;

  const read = async <Body>(path: string): Promise<Body> => (await write.send('GET', path)).json<Body>();
  const told = (text: string) => page.getByRole('status').getByText(text).first().waitFor();
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  before(async () => {
    admin = await running().person();
    page = admin.page;
  });
  afterEach(() => expect(admin.complaints).to.deep.equal([]));

  it('change the profile of a user, and a login that is taken is told at its field', async () => {
    await write.user('taken', 'Viewer');
    const { uid, id } = await write.user('anna', 'Viewer');
    await admin.goTo(`/people/users?open=${uid}`);
    await press('Edit profile');
    const form = dialog('Edit profile');
    expect(await form.getByLabel('Login').inputValue()).to.equal('anna');
    await form.getByLabel('Login').fill('taken');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Login').getAttribute('aria-invalid')).to.equal('true');
    await expectAccessible(page);
    await form.getByLabel('Login').fill('anna2');
    await form.getByLabel('Name').fill('Anna <i>Second</i>');
    await form.getByLabel('E-mail address').fill('second@example.com');
    await form.getByRole('button', { name: 'Save' }).click();
    await told('The profile was saved.');
    await page.getByRole('heading', { name: 'Anna <i>Second</i>' }).waitFor();
    const expected = { login: 'anna2', name: 'Anna <i>Second</i>', email: 'second@example.com' };
    expect(await read(`/api/users/${id}`)).to.include(expected);
  });

  it('set a password, with which the user signs in, and refuse a weak one at its field', async () => {
    const { uid } = await write.user('bert', 'Viewer');
    await admin.goTo(`/people/users?open=${uid}`);
    await press('Set password');
    const form = dialog('Set password');
    await form.getByLabel(/^Make a password/).uncheck();
    await form.getByLabel('Password', { exact: true }).fill('abc');
    await form.getByRole('button', { name: 'Set password' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).to.equal('true');
    await form.getByLabel('Password', { exact: true }).fill(`${PASSWORD}-new`);
    await form.getByRole('button', { name: 'Set password' }).click();
    await told('The password of bert was set.');
    await form.waitFor({ state: 'detached' });
    const bert = await running().person({ user: 'bert', password: `${PASSWORD}-new` });
    await bert.context.close();
  });

  it('make a user administrator of the server, and take it away again', async () => {
    const { uid, id } = await write.user('cora', 'Viewer');
    const isAdmin = async () => (await read<{ isGrafanaAdmin: boolean }>(`/api/users/${id}`)).isGrafanaAdmin;
    await admin.goTo(`/people/users?open=${uid}`);
    await press('More about cora');
    await page.getByRole('menuitem', { name: 'Make server administrator' }).click();
    await page.getByRole('dialog').getByText('cora may then do everything').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Make administrator' }).click();
    await told('cora administers the server now.');
    await page.getByText('Server administrator', { exact: true }).waitFor();
    expect(await isAdmin()).to.equal(true);
    await press('More about cora');
    await page.getByRole('menuitem', { name: 'Take server administration away' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click();
    await told('cora no longer administers the server.');
    expect(await isAdmin()).to.equal(false);
  });

  it('take a user out of the organization, and add them again', async () => {
    const { uid } = await write.user('dora', 'Editor');
    await admin.goTo(`/people/users?open=${uid}`);
    await press('Remove from the organization');
    await page.getByRole('dialog').getByText('do not come back with a new membership').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('dora is no member of the organization that is shown.').waitFor();
    await page.getByRole('button', { name: 'Add again' }).click();
    await told('dora is Editor here again.');
    expect(await page.getByLabel('Role in this organization').inputValue()).to.equal('Editor');
    await press('Remove from the organization');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await press('Add to the organization');
    await page.getByLabel('Role in this organization').selectOption('Editor');
    await dialog('Make dora Editor in the organization?').getByRole('button', { name: 'Change role' }).click();
    await told('dora is Editor now.');
    await page.getByRole('link', { name: 'What does this role allow?' }).click();
    await page.getByText('library.panels').locator('visible=true').waitFor();
  });

  it('rename a team, refuse a name that is taken, and delete the team', async () => {
    await write.send('POST', '/api/teams', { name: 'Day' });
    const { uid } = (await write.send('POST', '/api/teams', { name: 'Night' })).json<{ uid: string }>();
    await admin.goTo(`/people/teams?open=${uid}`);
    await press('Edit team');
    const form = dialog('Edit team');
    await form.getByLabel('Name').fill('Day');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText('Team name taken').waitFor();
    expect(await form.getByLabel('Name').getAttribute('aria-invalid')).to.equal('true');
    await form.getByLabel('Name').fill('Dawn');
    await form.getByLabel('E-mail address').fill('dawn@example.com');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Dawn' }).waitFor();
    await page.getByText('dawn@example.com').waitFor();
    await press('Edit team');
    await form.getByLabel('E-mail address').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('definition').getByText('None').waitFor();
    await press('Delete team');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete team' }).click();
    await told('The team was deleted.');
    await page.getByRole('link', { name: 'Day' }).waitFor();
    expect(await page.getByRole('link', { name: 'Dawn' }).count()).to.equal(0);
  });

  it('copy a token, change a service account, switch it off and on, and delete it', async () => {
    await admin.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const made = await write.send('POST', '/api/serviceaccounts', { name: 'Builder', role: 'Viewer' });
    const { uid, id } = made.json<{ uid: string; id: number }>();
    await admin.goTo(`/people/accounts?open=${uid}`);
    await press('New token');
    await dialog('New token').getByLabel('Name').fill('ci');
    await dialog('New token').getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).textContent();
    await press('Copy');
    await told('The token was copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(token);
    await press('I have stored it');
    await press('Edit');
    const form = dialog('Edit service account');
    await form.getByLabel('Name').fill('Robot');
    await form.getByLabel('Role in the organization').selectOption('Editor');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Robot' }).waitFor();
    expect(await read(`/api/serviceaccounts/${id}`)).to.include({ name: 'Robot', role: 'Editor' });
    await press('Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await told('The service account is disabled.');
    await press('Enable');
    await told('The service account is enabled.');
    await press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete service account' }).click();
    await told('The service account was deleted.');
  });

  it('change a role and its permissions, and delete the role, which takes it from those who have it', async () => {
    const about = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Role', metadata: { name: 'reports' } };
    const permissions = [
      { action: 'folders:read', scope: 'folders:*' },
      { action: 'dashboards:read', scope: 'dashboards:*' },
    ];
    await write.send('POST', `${IAM}/namespaces/default/roles`, { ...about, spec: { title: 'Reports', permissions } });
    const { uid } = await write.user('emil', 'None');
    await write.send('POST', `${IAM}/namespaces/default/rolebindings`, {
      ...about,
      kind: 'RoleBinding',
      spec: { subject: { kind: 'User', name: uid }, roleRef: { kind: 'Role', name: 'reports' } },
    });
    await admin.goTo('/people/roles?open=reports');
    await page.getByRole('button', { name: 'Take away the role of emil' }).waitFor();
    await press('Edit role');
    const form = dialog('Edit role');
    await form.getByLabel('Title').fill('Readers');
    await form.getByRole('button', { name: 'Remove action 1' }).click();
    await form.getByRole('button', { name: 'Add a permission' }).click();
    await form.getByLabel('Action 2', { exact: true }).fill('nothing');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText('must be an action').waitFor();
    await form.getByLabel('Action 2', { exact: true }).fill('annotations:read');
    await form.getByLabel('On what, of action 2').fill('annotations:*');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await dialog('Save the role?').getByText('emil').waitFor();
    await dialog('Save the role?').getByRole('button', { name: 'Save the role' }).click();
    await told('The role was saved.');
    await page.getByRole('heading', { name: 'Readers' }).waitFor();
    const { spec } = await read<{ spec: object }>(`${IAM}/namespaces/default/roles/reports`);
    expect(spec).to.deep.include({
      title: 'Readers',
      permissions: [permissions[1], { action: 'annotations:read', scope: 'annotations:*' }],
    });
    await press('Delete role');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).click();
    await told('The role was deleted.');
    const bindings = `${IAM}/namespaces/default/rolebindings?fieldSelector=spec.roleRef.name=reports`;
    expect((await read<{ items: readonly unknown[] }>(bindings)).items).to.deep.equal([]);
  });
});
