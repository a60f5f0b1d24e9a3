import { expect } from 'chai';
import { expectAccessible, type Person, useConsole } from './console.js';
import { DASHBOARDS, PASSWORD, writerOn } from './content.js';

const BINDINGS = '/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings';

describe('the permissions of a dashboard', function suite() {
  this.timeout(180_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const open = async (login: string, tab = '/permissions'): Promise<Person> => {
    const person = await running().person(login === 'admin' ? {} : { user: login, password: PASSWORD });
    await person.goTo(`/objects/dashboard.svc.app/v1beta1/dashboards/default/board${tab}`);
    return person;
  };

  before(async () => {
    await write.user('edith', 'Editor', 'Edith Editor');
    await write.user('vera', 'Viewer', 'Vera Viewer');
    await write.user('norm', 'None', 'Norm None');
    await write.folder('ops', 'Operations');
    await write.dashboard('board', 'On call', 'ops');
    const team = (await write.send('POST', '/api/teams', { name: 'Crew' })).json<{ uid: string }>();
    await write.create(BINDINGS, 'RoleBinding', `ops.team.${team.uid}`, {
      subject: { kind: 'Team', name: team.uid },
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope: { folder: 'ops' },
    });
  });

  it('tell who has access and why, and give, change and take it', async () => {
    const { page, complaints } = await open('admin');
    const table = page.getByRole('table', { name: 'Who has access to this dashboard, and why' });
    const row = (text: string) => table.getByRole('row').filter({ hasText: text });
    await row('Crew').getByRole('link', { name: 'Operations' }).waitFor();
    await row('Viewer').getByText('Role of the organization').waitFor();
    await expectAccessible(page);
    const who = page.getByRole('combobox', { name: 'Give access to' });
    await who.fill('norm');
    await page.getByRole('option', { name: /Norm None/ }).waitFor();
    await who.press('Enter');
    await page.getByRole('button', { name: 'Add' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/Norm None/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Give access' }).click();
    await row('norm').getByText('Entry of this dashboard').waitFor();
    const { items } = (await write.send('GET', `${BINDINGS}?fieldSelector=spec.scope.dashboard=board`)).json<{
      items: { spec: object }[];
    }>();
    expect(items.map(({ spec }) => spec)).to.have.length(1);
    // It is the page of somebody who has nothing else.
    const norm = await open('norm', '');
    await norm.page.getByRole('heading', { level: 1, name: 'On call' }).waitFor();
    await norm.page.getByTitle('You may not view this folder.').waitFor();
    await page.getByRole('combobox', { name: /^Level of norm/i }).selectOption('Edit');
    await dialog.getByRole('button', { name: 'Change to Edit' }).click();
    await page.getByText(/has the level Edit\./).waitFor();
    await page.getByRole('button', { name: /^Remove the entry of norm/i }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await row('norm').waitFor({ state: 'detached' });
    expect(complaints).to.deep.equal([]);
  });

  it('make it private, and public again', async () => {
    const { page } = await open('admin');
    await page.getByRole('button', { name: 'Make private' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make this dashboard private' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make it private' }).click();
    await page.getByText('The dashboard is private.').waitFor();
    const { metadata } = (await write.send('GET', `${DASHBOARDS}/board`)).json<{ metadata: { annotations: object } }>();
    expect(metadata.annotations).to.include({ 'svc.app/basic-roles': 'none' });
    await page.getByRole('button', { name: 'Open to the organization' }).click();
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.getByRole('button', { name: 'Make private' }).waitFor();
  });

  for (const login of ['edith', 'vera'])
    it(`say what ${login} may do, who may not see the others`, async () => {
      const { page } = await open(login);
      await page.getByRole('heading', { name: 'What you may do with this dashboard' }).waitFor();
      await page.getByText('Yes').first().waitFor();
      await expectAccessible(page);
    });
});
