import { type Person, useConsole } from './console.js';
import { PASSWORD, writerOn } from './content.js';

const IAM = '/apis/iam.svc.app/v1beta1/namespaces/default';

describe('people who administer one folder in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);

  before(async () => {
    const { uid } = await write.user('leslie', 'Editor');
    await write.user('edgar', 'Viewer');
    await write.create(`${IAM}/teams`, 'Team', 'sre', { title: 'Site reliability' });
    await write.folder('security', 'Security', { 'svc.app/basic-roles': 'none' });
    await write.create(`${IAM}/rolebindings`, 'RoleBinding', 'security.leslie', {
      subject: { kind: 'User', name: uid },
      roleRef: { kind: 'BuiltIn', name: 'Admin' },
      scope: { folder: 'security' },
    });
  });

  const give = async ({ page }: Person, text: string, name: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Give access to' }).fill(text);
    await page.getByRole('option', { name }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Give access' }).click();
    await page
      .getByRole('table', { name: /^Who has access to this folder/ })
      .getByRole('row')
      .filter({ hasText: name })
      .waitFor();
  };

  it('find people and teams by name, and give them access', async () => {
    const person = await running().person({ user: 'leslie', password: PASSWORD });
    await person.goTo('/folders/security?tab=permissions');
    await give(person, 'edg', 'edgar');
    await give(person, 'site', 'Site reliability');
    await person.page.getByRole('combobox', { name: 'Give access to' }).fill('zzz');
    await person.page.getByText('No person or team has this name.').waitFor();
  });
});
