import { expect } from 'chai';
import { expectAccessible, type Person, useConsole } from './console.js';
import { PASSWORD, writerOn } from './content.js';

const IAM = '/apis/iam.svc.app/v1beta1';
const HOLDERS = 60;

describe('roles in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const people: Person[] = [];
  const open = async (place: string, user?: string): Promise<Person> => {
    const person = await running().person(user === undefined ? {} : { user, password: PASSWORD });
    people.push(person);
    await person.goTo(place);
    return person;
  };
  const create = (path: string, kind: string, name: string, spec: object) =>
    write.send('POST', `${IAM}${path}`, { apiVersion: 'iam.svc.app/v1beta1', kind, metadata: { name }, spec });

  before(() => write.user('vera', 'Viewer'));
  afterEach(async () => {
    for (const { complaints, context } of people.splice(0)) {
      expect(complaints).to.deep.equal([]);
      await context.close();
    }
  });

  it('of the server show what they allow, also to people who may not see the custom ones', async () => {
    const { page } = await open('/people/roles', 'vera');
    await page.getByText('What the server said').click();
    await page.getByText('roles:read').waitFor();
    expect(await page.getByRole('button', { name: 'New role' }).count()).to.equal(0);
    await page.getByText('Editor', { exact: true }).click();
    const table = page.getByRole('group').filter({ hasText: 'Creates, changes and deletes these, too.' });
    const row = table.getByRole('row').filter({ hasText: 'library.panels' });
    await row.getByText('read, create, write, delete').waitFor();
    await table.getByText('It does not hold in private folders.').waitFor();
    await page.getByRole('region', { name: 'On a service account' }).getByText('Admin', { exact: true }).click();
    await page.getByText('serviceaccounts.permissions').last().waitFor();
    await expectAccessible(page);
  });

  it('are explained where levels are given', async () => {
    await write.folder('ops', 'Operations');
    const { page } = await open('/folders/ops?tab=permissions');
    await page.getByText('What do the levels allow?').click();
    await page.getByRole('group').getByText('Edit', { exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'annotations' }).getByText('read, create, write, delete').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Role of the organization: Editor' }).click();
    await page.getByRole('heading', { name: 'Roles of the server' }).waitFor();
    await page.getByText('It does not hold in private folders.').locator('visible=true').waitFor();
  });

  it('show those who have them by name, in pages, as they come', async () => {
    await create('/namespaces/default/roles', 'Role', 'reader', { title: 'Reader', permissions: [] });
    const give = async (name: string): Promise<void> => {
      await create('/namespaces/default/rolebindings', 'RoleBinding', `reader.${name}`, {
        subject: { kind: 'User', name },
        roleRef: { kind: 'Role', name: 'reader' },
      });
    };
    for (let count = 0; count < HOLDERS; count++) {
      const name = `holder${String(count).padStart(2, '0')}`;
      const spec = { login: name, email: `${name}@example.com`, name: `Holder ${count}` };
      await create('/users', 'User', name, { ...spec, grafanaAdmin: false, disabled: false });
      await create('/namespaces/default/organizationbindings', 'OrganizationBinding', name, {
        userRef: { name },
        role: 'Viewer',
      });
      if (count < HOLDERS - 1) await give(name);
    }
    const { page } = await open('/people/roles?open=reader');
    const holders = page.getByRole('button', { name: /^Take away the role of Holder / });
    await page.getByRole('button', { name: 'Take away the role of Holder 49' }).waitFor();
    expect(await holders.count()).to.equal(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Take away the role of Holder 58' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).to.equal(0);
    await give('holder59');
    await page.getByRole('button', { name: 'Take away the role of Holder 59' }).waitFor();
    await expectAccessible(page);
  });

  it('say whose access in the organization changes, before they are given and taken away', async () => {
    const permissions = [{ action: 'dashboards:write', scope: 'dashboards:*' }];
    await create('/namespaces/default/roles', 'Role', 'writer', { title: 'Writer', permissions });
    await create('/namespaces/default/teams', 'Team', 'night', { title: 'Night shift' });
    const { uid } = await write.user('tom', 'Viewer', 'Tom Kilburn');
    await create('/namespaces/default/teambindings', 'TeamBinding', 'tom', {
      teamRef: { name: 'night' },
      userRef: { name: uid },
      permission: 'member',
    });
    const { page } = await open('/people/roles?open=writer');
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Give it to').selectOption('Team');
    const who = page.getByRole('combobox', { name: 'Who', exact: true });
    const choose = async (): Promise<void> => {
      await who.fill('Night');
      await page.getByRole('option', { name: 'Night shift' }).waitFor();
      await who.press('Enter');
    };
    await choose();
    await dialog.getByRole('heading', { name: 'Change their level on the organization' }).waitFor();
    await dialog.getByText('Team Night shift').waitFor();
    await dialog.getByText('1 person').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nobody has it.').waitFor();
    await choose();
    await dialog.getByRole('button', { name: 'Give it' }).click();
    await page.getByRole('button', { name: 'Take away the role of Night shift' }).click();
    await dialog.getByText('Team Night shift').waitFor();
    await dialog.getByText('Viewer', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Take away' }).click();
    await page.getByText('Nobody has it.').waitFor();
  });
});
