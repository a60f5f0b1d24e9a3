import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../e2e/process.js';
import { groupDn, openDirectory, PEOPLE, personDn, READER } from '../signon/ldap-world.js';
import { expectAccessible, type Person, useConsole } from './console.js';

const PASSWORD = 'four-unlikely-words-7';

describe('people in the console', function suite() {
  this.timeout(120_000);
  const console_ = useConsole({ 'auth.provider_networks': '127.0.0.0/8' });
  let admin: Person;
  let page: Page;

  /** A change by the API, as the administrator. */
  const api = async <Body = Record<string, unknown>>(method: string, path: string, data?: unknown): Promise<Body> => {
    const { server } = console_();
    const answer = await admin.context.request.fetch(`${server.httpUrl}${path}`, {
      method,
      headers: { origin: server.httpUrl },
      ...(data !== undefined && { data }),
    });
    expect(answer.ok(), await answer.text()).to.equal(true);
    return (await answer.json()) as Body;
  };
  const createUser = (login: string) =>
    api<{ id: number; uid: string }>('POST', '/api/admin/users', {
      login,
      email: `${login}@example.com`,
      name: `${login} of the tests`,
      password: PASSWORD,
    });
  const told = (text: string) => page.getByText(text).first().waitFor();
  const dialog = (name: string) => page.getByRole('dialog', { name });

  before(async () => {
    admin = await console_().person();
    page = admin.page;
  });
  afterEach(() => expect(admin.complaints).to.deep.equal([]));

  describe('users', () => {
    it('are found by a search, in pages', async () => {
      // They have no passwords, because it takes a second to hash one.
      const iam = '/apis/iam.svc.app/v1beta1';
      const apiVersion = 'iam.svc.app/v1beta1';
      const kept = { grafanaAdmin: false, disabled: false };
      for (let count = 0; count < 60; count++) {
        const name = `many${String(count).padStart(2, '0')}`;
        const spec = { login: name, email: `${name}@example.com`, name: `${name} of the tests`, ...kept };
        await api('POST', `${iam}/users`, { apiVersion, kind: 'User', metadata: { name }, spec });
        const binding = { userRef: { name }, role: 'Viewer' };
        const path = `${iam}/namespaces/default/organizationbindings`;
        await api('POST', path, { apiVersion, kind: 'OrganizationBinding', metadata: { name }, spec: binding });
      }
      await admin.goTo('/people/users?q=many');
      await told('1–50 of 60');
      await page.getByRole('button', { name: 'Next' }).click();
      await told('51–60 of 60');
      await admin.goTo('/people/users?q=many&page=3');
      await told('51–60 of 60');
      await page.getByLabel('Search by name').fill('many07');
      await told('1–1 of 1');
      await page.getByRole('link', { name: 'many07 of the tests' }).waitFor();
      await expectAccessible(page);
    });

    it('are created with a password and a role, and a weak password is refused at its field', async () => {
      await admin.goTo('/people/users');
      await page.getByRole('button', { name: 'New user' }).click();
      const form = dialog('New user');
      await form.getByLabel('Login').fill('nora');
      await form.getByLabel('E-mail address').fill('nora@example.com');
      await form.getByLabel(/^Make a password/).uncheck();
      await form.getByLabel('Password', { exact: true }).fill('eleven-long');
      await form.getByLabel('Role in the organization').selectOption('Editor');
      await form.getByRole('button', { name: 'Create user' }).click();
      await form.getByText('it needs at least 12 characters').waitFor();
      expect(await form.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).to.equal('true');
      await expectAccessible(page);
      await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await form.getByRole('button', { name: 'Create user' }).click();
      await page.getByRole('heading', { name: 'nora' }).waitFor();
      expect(await page.getByLabel('Role in this organization').inputValue()).to.equal('Editor');
      await expectAccessible(page);
    });

    it('are disabled, enabled and deleted, after a question', async () => {
      const { uid } = await createUser('olga');
      await admin.goTo(`/people/users?open=${uid}`);
      const choose = async (item: string) => {
        await page.getByRole('button', { name: 'More about olga' }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await choose('Disable');
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
      await told('olga was disabled.');
      await page.getByText('Disabled', { exact: true }).waitFor();
      await choose('Enable');
      await told('olga was enabled.');
      await choose('Delete user');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click();
      await told('olga was deleted.');
    });

    it('are signed out by an administrator', async () => {
      const { uid } = await createUser('paul');
      const paul = await console_().person({ user: 'paul', password: PASSWORD });
      await admin.goTo(`/people/users?open=${uid}`);
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
      await told('No session is open.');
      expect((await paul.context.request.get(`${console_().server.httpUrl}/api/user`)).status()).to.equal(401);
    });

    it('say in the words of the server why the last administrator keeps their rights', async () => {
      await admin.goTo('/people/users?open=admin');
      await page.getByLabel('Role in this organization').selectOption('Viewer');
      await page.getByRole('alert').getByText('Cannot remove last organization admin').waitFor();
    });
  });

  it('the page of a team says who keeps it, and when it was changed', async () => {
    const spec = { title: 'From the directory', provisioned: true };
    const team = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Team', metadata: { name: 'kept' }, spec };
    await api('POST', '/apis/iam.svc.app/v1beta1/namespaces/default/teams', team);
    await admin.goTo('/people/teams?open=kept');
    const facts = page.locator('dl.facts');
    await facts.getByText('SCIM').waitFor();
    expect(await facts.textContent()).to.match(/Kept bySCIMChanged(just now|\d+ seconds ago)/);
    await expectAccessible(page);
  });

  it('teams are created and get members', async () => {
    await createUser('rosa');
    await admin.goTo('/people/teams');
    await page.getByRole('button', { name: 'New team' }).click();
    await dialog('New team').getByLabel('Name').fill('Night <b>watch</b>');
    await dialog('New team').getByRole('button', { name: 'Create team' }).click();
    await page.getByRole('heading', { name: 'Night <b>watch</b>' }).waitFor();
    const member = page.getByRole('combobox', { name: 'Add a member' });
    await member.fill('rosa');
    await page.getByRole('option', { name: 'rosa of the tests' }).waitFor();
    await member.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    const level = page.getByLabel('What rosa of the tests is in the team');
    await level.selectOption('Team administrator');
    await told('rosa of the tests is an administrator of the team now.');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove rosa of the tests' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await level.waitFor({ state: 'detached' });
  });

  it('a token of a service account is shown once, works, and is revoked', async () => {
    await admin.goTo('/people/accounts');
    await page.getByRole('button', { name: 'New service account' }).click();
    await dialog('New service account').getByLabel('Name').fill('builder');
    await dialog('New service account').getByRole('button', { name: 'Create service account' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog('New token').getByLabel('Name').fill('ci');
    await dialog('New token').getByRole('button', { name: 'Create token' }).click();
    await told('Copy the token now. It is not shown again.');
    await expectAccessible(page);
    const token = (await page.getByLabel('Token', { exact: true }).textContent()) ?? '';
    const use = () => fetch(`${console_().server.httpUrl}/api/org`, { headers: { authorization: `Bearer ${token}` } });
    expect((await use()).status).to.equal(200);
    await page.keyboard.press('Escape');
    const question = dialog('Close without copying?');
    await question.getByText('The token was not copied, and is not shown again.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Token', { exact: true }).textContent()).to.equal(token);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.content()).to.not.contain(token);
    await page.getByRole('button', { name: 'Revoke ci' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await told('No token yet.');
    expect((await use()).status).to.equal(401);
  });

  it('a custom role is created, refused at the permission that is wrong, given and taken away', async () => {
    await createUser('sven');
    await api('POST', '/api/folders', { uid: 'monthly', title: 'Reports of the month' });
    await admin.goTo('/people/roles');
    await page.getByRole('button', { name: 'New role' }).click();
    const form = dialog('New role');
    await form.getByLabel('Title').fill('Reporter');
    await form.getByLabel('Action 1', { exact: true }).fill('no action');
    await form.getByRole('button', { name: 'Create role' }).click();
    await form.getByRole('alert').getByText('must be an action').waitFor();
    await form.getByLabel('Action 1', { exact: true }).fill('dashboards:read');
    await form.getByLabel('On what, of action 1').fill('dashboards:*');
    await form.getByRole('button', { name: 'Add a permission' }).click();
    await form.getByLabel('Action 2', { exact: true }).fill('folders:read');
    await form.getByLabel('Kind of what, of action 2').selectOption('One folder');
    const folder = form.getByRole('combobox', { name: 'Which folder, of action 2' });
    await folder.fill('Reports');
    await page.getByRole('option', { name: 'Reports of the month' }).waitFor();
    await folder.press('Enter');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', { name: 'Reporter' }).waitFor();
    const scope = page.getByRole('row').filter({ hasText: 'folders:uid:monthly' });
    await scope.getByText('Reports of the month').waitFor();
    await page.getByRole('button', { name: 'Edit role' }).click();
    const again = page.getByRole('dialog').getByRole('combobox', { name: 'Which folder, of action 2' });
    await eventually(
      async () => (await again.inputValue()) === 'Reports of the month' || undefined,
      () => 'the folder has no title',
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    const who = page.getByRole('combobox', { name: 'Who', exact: true });
    await who.fill('sven');
    await page.getByRole('option', { name: 'sven of the tests' }).waitFor();
    await who.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Give it' }).click();
    await page.getByRole('button', { name: 'Take away the role of sven of the tests' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click();
    await told('Nobody has it.');
    await expectAccessible(page);
  });

  it('sign-on settings are saved without the secret that nobody typed, and wrong ones are told at their fields', async () => {
    await admin.goTo('/people/sign-on?open=generic_oauth');
    await page.getByLabel('Auth URL').fill('http://example.com/auth');
    await page.getByRole('button', { name: 'Save and enable' }).click();
    await page.getByRole('alert').getByText('Client Id is required.').waitFor();
    await page.getByLabel('Client id', { exact: true }).fill('console');
    await page.getByLabel('Client secret').fill('very hidden');
    for (const [field, path] of [
      ['Auth URL', 'auth'],
      ['Token URL', 'token'],
      ['API URL', 'user'],
    ] as const)
      await page.getByLabel(field).fill(`https://id.example.com/${path}`);
    await page.getByLabel('Auth style').selectOption('In a header');
    await page.getByLabel('Login prompt').selectOption('Which account');
    const wrong = page.getByLabel('API URL');
    await wrong.fill('nonsense');
    await page.getByRole('button', { name: 'Save and enable' }).click();
    await page.getByText('1 field is wrong.').waitFor();
    expect(await page.evaluate('document.activeElement.value')).to.equal('nonsense');
    await page.getByText(`${new URL(page.url()).origin}/login/generic_oauth`).waitFor();
    await wrong.fill('https://id.example.com/user');
    await page.getByText('1 field is wrong.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save and enable' }).click();
    await told('It is enabled, but 3 of 3 addresses failed the test. People may not be able to sign in by it.');
    await expectAccessible(page);
    expect(await page.getByLabel('Auth style').inputValue()).to.equal('InHeader');
    expect(await page.getByLabel('Login prompt').inputValue()).to.equal('select_account');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByLabel('Name', { exact: true }).fill('Our sign-on');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    expect((await sent).postDataJSON()).to.deep.equal({ spec: { settings: { name: 'Our sign-on' } } });
    await page.getByRole('heading', { name: 'Our sign-on' }).waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await told('The settings were reset.');
  });

  it('the form of SAML shows what applies in the chosen case, and no provider has a field without effect', async () => {
    await admin.goTo('/people/sign-on?open=saml');
    const field = (name: string) => page.getByLabel(name, { exact: true });
    await field('IDP metadata URL').fill('https://id.example.com/metadata');
    for (const name of [
      'Client id',
      'Client secret',
      'Token URL',
      'Force use graph API',
      'Relay state',
      'IDP metadata',
      'IDP metadata path',
    ])
      expect(await field(name).count(), name).to.equal(0);
    await field('Allow IDP initiated').check();
    await field('Relay state').waitFor();
    await field('The metadata of the provider come from').selectOption('A text that I paste');
    await field('IDP metadata').fill('<none>');
    expect(await field('IDP metadata URL').count()).to.equal(0);
    await page.getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByText('idpMetadata is neither XML nor XML in base64.').waitFor();
    await expectAccessible(page);
    await admin.goTo('/people/sign-on?open=okta');
    await field('Client id').waitFor();
    expect(await field('Icon').count()).to.equal(0);
  });

  it('directories are set up in a form, which shows what a login would get before they are saved', async function test() {
    const directory = await openDirectory(this);
    try {
      await directory.person('ann', ['ops', 'staff']);
      await admin.goTo('/people/sign-on?open=ldap');
      await page.getByRole('heading', { name: 'LDAP', exact: true }).waitFor();
      const field = (label: string) => page.getByLabel(label, { exact: true });
      await page.getByRole('button', { name: 'Add a directory' }).click();
      await field('Host').fill('127.0.0.1');
      await field('Port').fill(String(directory.port));
      await field('Account that searches').fill(READER.bind_dn);
      await field('Password of the account').fill(READER.bind_password);
      await field('Search bases').fill(`${PEOPLE}\n`);
      await field('Attribute of the login').fill('uid');
      await field('Search filter').fill('(uid=*)');
      const save = page.getByRole('button', { name: 'Save 1 change' });
      await save.click();
      await page.getByText('It must be a filter of RFC 4515').waitFor();
      expect(await page.locator(':focus').inputValue()).to.equal('(uid=*)');
      await field('Search filter').fill('(uid=%s)');
      await page.getByRole('button', { name: 'Add a group' }).click();
      await field('Group 1').fill(groupDn('ops'));
      await field('Role of group 1').selectOption('Editor');
      await field('Login to look for').fill('ann');
      await page.getByRole('button', { name: 'Test the connection' }).click();
      const found = page.getByRole('list', { name: 'What the directory says' });
      await found.getByText(`Editor in Main Org., by ${groupDn('ops')}`).waitFor();
      await found.getByText(personDn('ann')).waitFor();
      await expectAccessible(page);
      await save.click();
      await told('The settings were saved.');
      await admin.goTo('/people/sign-on?open=ldap');
      await field('Password of the account').waitFor();
      expect(await field('Password of the account').inputValue()).to.equal('');
      // The stored password goes along, although nobody sees it.
      await field('Port').fill(String(directory.tlsPort));
      await field('Encryption').selectOption('use_ssl');
      await field('Do not check the certificate').check();
      await page.getByRole('button', { name: 'Test the connection' }).click();
      await page.getByText('It answers by TLS.').waitFor();
      await page.getByRole('button', { name: 'Edit as YAML' }).click();
      expect(await page.getByLabel('Config').inputValue()).to.contain("bind_password: '*********'");
      await page.getByLabel('Config').fill('servers: [');
      await page.getByText('It is no YAML').waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
      await told('The settings were reset.');
    } finally {
      await directory.close();
    }
  });

  it('the page of a directory tells of the last synchronization, and why it is not complete', async () => {
    const at = new Date(Date.now() - 180_000).toISOString();
    const whole = { at, people: 412, disabled: 2, enabled: 0, kept: 0, failed: 0, problems: [] as string[] };
    const show = async (lastSync: typeof whole): Promise<void> => {
      const address = /\/api\/v1\/sso-settings\/ldap$/;
      await page.unroute(address);
      await page.route(address, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), lastSync } });
      });
      await admin.goTo('/people/sign-on?open=ldap');
    };
    await admin.goTo('/people/sign-on?open=ldap');
    await page.getByRole('button', { name: 'Test the connection' }).waitFor();
    expect(await page.getByText('Last synchronization').count()).to.equal(0);
    await show(whole);
    await told('Last synchronization: 3 minutes ago, 412 people, 2 disabled');
    await show({ ...whole, people: 1, enabled: 1, kept: 3, failed: 4, problems: ['127.0.0.1: nobody answers'] });
    await told('1 person, 2 disabled, 1 enabled again, 3 missing but not disabled, 4 failed');
    const why = page.getByRole('list', { name: 'Why the synchronization is not complete' });
    await why.getByText('127.0.0.1: nobody answers').waitFor();
    await expectAccessible(page);
  });

  it('the connection of a provider is tested as it is saved, and each address is told', async () => {
    const url = 'http://127.0.0.1:1';
    await admin.goTo('/people/sign-on?open=okta-west');
    const button = page.getByRole('button', { name: 'Test the connection' });
    // The button still gets the focus.
    await button.press('Enter');
    await told('Save the settings first.');
    // Nothing answers at the first two addresses. The last one is this server.
    const settings = { clientId: 'a', authUrl: `${url}/a`, tokenUrl: `${url}/t`, apiUrl: console_().server.httpUrl };
    const object = { apiVersion: 'iam.svc.app/v1beta1', kind: 'SSOSetting', metadata: { name: 'okta-west' } };
    await api('POST', '/apis/iam.svc.app/v1beta1/ssosettings', { ...object, spec: { settings } });
    await admin.goTo('/people/sign-on?open=okta-west');
    await button.click();
    const found = page.getByRole('list', { name: 'What was tested' });
    await found.waitFor();
    expect(await found.getByRole('listitem').allInnerTexts()).to.have.length(3);
    await found.getByText('nothing listens at this port').first().waitFor();
    await found.getByText('It answers').waitFor();
    await page.getByRole('status').getByText('2 of 3 failed.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('West');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await found.waitFor({ state: 'detached' });
    // An address that the server does not ask.
    const changed = { ...settings, name: 'West', enabled: true, apiUrl: 'https://10.1.2.3/' };
    await api('PUT', '/apis/iam.svc.app/v1beta1/ssosettings/okta-west', { ...object, spec: { settings: changed } });
    await admin.goTo('/people/sign-on');
    await page.getByRole('row', { name: /West/ }).getByText('Enabled, but nobody can sign in').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'West' }).click();
    await page.getByRole('status').getByText('the address 10.1.2.3 is internal').waitFor();
  });

  it('the connection cannot be tested by people who may only read the settings', async () => {
    const { uid } = await createUser('rita');
    const iam = '/apis/iam.svc.app/v1beta1/namespaces/default';
    const object = (kind: string, spec: object) => ({
      apiVersion: 'iam.svc.app/v1beta1',
      kind,
      metadata: { name: 'sign-on-reader' },
      spec,
    });
    const permissions = [{ action: 'settings:read', scope: 'settings:*' }];
    await api('POST', `${iam}/roles`, object('Role', { permissions }));
    const roleRef = { kind: 'Role', name: 'sign-on-reader' };
    await api('POST', `${iam}/rolebindings`, object('RoleBinding', { roleRef, subject: { kind: 'User', name: uid } }));
    const rita = await console_().person({ user: 'rita', password: PASSWORD });
    await rita.goTo('/people/sign-on?open=gitlab');
    const button = rita.page.getByRole('button', { name: 'Test the connection' });
    await rita.page.locator('button[aria-disabled="true"]', { hasText: 'Test the connection' }).waitFor();
    expect(await button.getAttribute('title')).to.contain('You may not change this SSO setting.');
    await button.press('Enter');
    await rita.page.getByRole('status').getByText('You may not change this SSO setting.').waitFor();
    expect(rita.complaints).to.deep.equal([]);
  });

  it('an ordinary viewer is told what is not for them, and can change nothing of it', async () => {
    await createUser('vera');
    const vera = await console_().person({ user: 'vera', password: PASSWORD });
    for (const [tab, needed] of [
      ['users', 'org.users:read'],
      ['accounts', 'serviceaccounts:read'],
      ['roles', 'roles:read'],
      ['sign-on', 'settings:read'],
    ] as const) {
      await vera.goTo(`/people/${tab}`);
      await vera.page.getByText('What the server said').click();
      await vera.page.getByText(needed).waitFor();
      expect(await vera.page.getByRole('button', { name: /^New / }).count()).to.equal(0);
    }
    await vera.goTo('/people/teams');
    await vera.page.getByText('You see teams that you are in.').waitFor();
    await vera.goTo('/account');
    await vera.page.getByRole('heading', { name: 'Preferences' }).waitFor();
    await expectAccessible(vera.page);
    expect(vera.complaints).to.deep.equal([]);
  });
});
