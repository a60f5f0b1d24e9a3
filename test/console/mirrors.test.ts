import { expect } from 'chai';
import { startServer, type TestServer } from '../e2e/harness.js';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { DASHBOARDS, FOLDERS, PASSWORD, within, writerOn } from './content.js';

const MIRRORS = '/apis/mirror.svc.app/v1beta1/namespaces/default/mirrors';
const BINDINGS = '/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings';
const SECRETS = '/api/v1/namespaces/default/secrets';

describe('mirrors in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole({ 'webhooks.networks': '127.0.0.0/8' });
  const write = writerOn(() => running().server);
  const { person, page } = usePerson(running);
  let other: TestServer;
  let token = '';
  const there = writerOn(() => other);

  before(async () => {
    other = await startServer({ settings: { 'legacy.compatibility': 'clients' } });
    const { id } = (await there.send('POST', '/api/serviceaccounts', { name: 'mirror', role: 'Admin' })).json<{
      id: number;
    }>();
    const { key } = (await there.send('POST', `/api/serviceaccounts/${id}/tokens`, { name: 'mirror' })).json<{
      key: string;
    }>();
    token = key;
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'north' }, stringData: { token: key } };
    await write.send('POST', SECRETS, secret);
    await write.folder('ops', 'Operations');
    await write.dashboard('load', 'Load of all machines', 'ops');
    await write.create(MIRRORS, 'Mirror', 'north', {
      address: other.httpUrl,
      credential: { secret: 'north' },
      folders: { names: ['ops'] },
      delete: true,
      check: { interval: '10s', drift: 'Report' },
      provenance: { tag: 'mirrored' },
    });
  });
  after(() => other?.stop());

  const row = () => page().getByRole('row').filter({ hasText: 'north' });
  const open = async () => {
    await person().goTo('/mirrors');
    await row().getByRole('link', { name: 'north', exact: true }).click();
  };
  const region = (name: string) => page().getByRole('region', { name, exact: true });

  it('are listed with their address, what is there, and whether all has arrived', async () => {
    await person().goTo('/mirrors');
    for (const text of [other.httpUrl, '1 folder, 1 dashboard', 'Nothing']) await row().getByText(text).waitFor();
    await row().getByText('Ready', { exact: true }).waitFor();
    await expectAccessible(page());
  });

  it('have a page that says in sentences what arrived, what it takes, and what happened', async () => {
    await open();
    const [state, taken] = [region('State'), region('What it takes')];
    await state.getByText('Everything that is selected is there as it is here.').waitFor();
    await state.getByText('1 folder, 1 dashboard').waitFor();
    await taken.getByRole('link', { name: 'Operations' }).waitFor();
    for (const text of [
      'is left alone',
      'is deleted there, but not more than half',
      'every 10s, and only reported.',
      'tag “mirrored”',
    ])
      await taken.getByText(text).waitFor();
    await expectAccessible(page());
    expect(await page().title()).to.equal('north · Mirror');
    await page().locator('nav a[aria-current=page]', { hasText: 'Mirrors' }).waitFor();
    await page().getByRole('tab', { name: 'Events' }).click();
    await page().getByRole('row').filter({ hasText: 'Arrived' }).first().waitFor();
  });

  it('show what was refused by its title and with a link, as it happens', async () => {
    await write.create(
      DASHBOARDS,
      'Dashboard',
      'secret',
      { title: 'Secret plans' },
      {
        ...within('ops'),
        'svc.app/basic-roles': 'none',
      },
    );
    await person().goTo('/mirrors');
    await row().getByText('Refused', { exact: true }).waitFor();
    await row().getByText('is private here, but not its folder').waitFor();
    await row().getByRole('link', { name: 'Secret plans' }).waitFor();
    await row().getByRole('link', { name: 'north', exact: true }).click();
    const refused = region('Errors');
    await refused.getByText('is private here, but not its folder').waitFor();
    await region('State').getByText('1 object cannot be sent: the errors have the reasons.').waitFor();
    await expectAccessible(page());
    await write.remove(`${DASHBOARDS}/secret`);
    await refused.waitFor({ state: 'detached' });
    await region('State').getByText('Ready', { exact: true }).waitFor();
  });

  it('show what was sent apart from somebody who is not there', async () => {
    const { uid } = await write.user('nils', 'None');
    const spec = {
      subject: { kind: 'User', name: uid },
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope: { folder: 'ops' },
    };
    await write.create(BINDINGS, 'RoleBinding', `ops.user.${uid}`, spec);
    await open();
    const part = region('Sent in part');
    await part.getByRole('link', { name: 'Operations' }).waitFor();
    await part.getByText('Not there: user nils.').waitFor();
    await region('State').getByText('Ready', { exact: true }).waitFor();
    await expectAccessible(page());
    await write.remove(`${BINDINGS}/ops.user.${uid}`);
    await part.waitFor({ state: 'detached' });
  });

  it('say what somebody has changed there', async () => {
    await open();
    await there.send('PUT', '/api/folders/ops', { title: 'Changed by hand', overwrite: true });
    await region('State').getByText('Drifted', { exact: true }).waitFor();
    await region('State').getByText('Somebody has changed there: folder ops: its title.').waitFor();
    await there.send('PUT', '/api/folders/ops', { title: 'Operations', overwrite: true });
    await region('State').getByText('Drifted', { exact: true }).waitFor({ state: 'detached' });
  });

  it('are made in a form, which tests the connection with what is typed, and makes a Secret of the token', async () => {
    await person().goTo('/mirrors');
    await page().getByRole('button', { name: 'New mirror' }).click();
    const dialog = page().getByRole('dialog', { name: 'New mirror' });
    const field = (name: string) => dialog.getByLabel(name, { exact: true });
    const create = dialog.getByRole('button', { name: 'Create mirror' });
    const test = dialog.getByRole('button', { name: 'Test the connection' });
    await expectAccessible(page());
    await create.click();
    await dialog.getByText('must not be empty').first().waitFor();
    await dialog.locator('input:focus[aria-invalid=true]').waitFor();
    await field('Address').fill('http://10.0.0.1');
    await field('Token').fill('wrong');
    await test.click();
    await dialog.getByText('The operator of this server can allow it there.').waitFor();
    await field('Address').fill(other.httpUrl);
    await test.click();
    await dialog.getByText('It is refused (401). It is wrong, has expired, or belongs to another server.').waitFor();
    await field('Token').fill(token);
    await test.click();
    await dialog.getByText('and the credential may write. A mirror to it can work.').waitFor();
    await field('Name of the mirror').fill('east');
    await field('From where').selectOption('Only some folders');
    await dialog.getByRole('combobox', { name: 'Folders' }).fill('Operat');
    await dialog.getByRole('option', { name: 'Operations' }).click();
    await dialog.getByRole('button', { name: 'Leave out Operations' }).waitFor();
    await field('Library elements').uncheck();
    await field('What is there already').selectOption('Is replaced, and kept as it is here');
    await field('What somebody changes there').selectOption('Is looked for, and only reported');
    await field('How often it is looked for').fill('1s');
    await create.click();
    await dialog.getByText('must be a duration of at least 10s').waitFor();
    await field('How often it is looked for').fill('30m');
    await expectAccessible(page());
    await create.click();
    const taken = region('What it takes');
    await taken.getByText('every 30m, and only reported.').waitFor();
    await taken.getByRole('link', { name: 'Operations' }).waitFor();
    await region('State').getByText('Ready', { exact: true }).waitFor();
    // Each try that was refused has left nothing behind, and the one Secret has the token.
    const { items } = (await write.send('GET', SECRETS)).json<{
      items: { metadata: { name: string }; data: { token: string } }[];
    }>();
    const made = items.filter(({ metadata: { name } }) => name.startsWith('east-'));
    expect(made.map(({ data }) => Buffer.from(data.token, 'base64').toString())).to.deep.equal([token]);
    const { spec } = (await write.send('GET', `${MIRRORS}/east`)).json<{ spec: object }>();
    expect(spec).to.deep.equal({
      address: other.httpUrl,
      credential: { secret: made[0]?.metadata.name },
      folders: { names: ['ops'] },
      kinds: ['Dashboard'],
      permissions: true,
      teams: false,
      preferences: false,
      existing: 'Adopt',
      delete: false,
      check: { interval: '30m', drift: 'Report' },
    });
  });

  it('are edited in the same form, which leaves alone what it does not show', async () => {
    await open();
    await page().getByRole('button', { name: 'Edit…' }).click();
    const dialog = page().getByRole('dialog', { name: 'Edit mirror north' });
    await dialog.getByRole('combobox', { name: 'Secret' }).waitFor();
    await dialog.getByLabel('Teams, with their members', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const taken = region('What it takes');
    await taken.getByText('that have a permission on one of these folders go along').waitFor();
    await taken.getByText('tag “mirrored”').waitFor();
    await taken.getByText('every 10s, and only reported.').waitFor();
    await write.remove(`${MIRRORS}/east`);
  });

  it('say why the other server cannot be asked, and since when changes wait', async () => {
    await person().goTo('/mirrors');
    await row().getByText('Ready', { exact: true }).waitFor();
    await other.kill();
    await write.rename(`${FOLDERS}/ops`, 'Operations of the night');
    await row().getByText('Unreachable', { exact: true }).waitFor();
    await row().getByText('cannot be reached').waitFor();
    await row().getByText('1 object, since').waitFor();
    await expectAccessible(page());
  });

  it('are made in an editor with a template, too, and for administrators only', async () => {
    await person().goTo('/mirrors');
    await page().getByRole('button', { name: 'New mirror' }).click();
    await page().getByRole('dialog').getByRole('link', { name: 'YAML' }).click();
    const editor = page().getByRole('textbox', { name: 'New Mirror as YAML' });
    await editor.getByText('address').first().waitFor();
    await editor.click();
    await page().keyboard.press('ControlOrMeta+a');
    await page().keyboard.press('Delete');
    const made = {
      apiVersion: 'mirror.svc.app/v1beta1',
      kind: 'Mirror',
      metadata: { name: 'south', namespace: 'default' },
      spec: { address: other.httpUrl, credential: { secret: 'north' }, delete: false },
    };
    await page().keyboard.insertText(JSON.stringify(made, undefined, 2));
    await page().getByRole('button', { name: 'Review and create' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await region('What it takes').getByText('all of the organization, and what lies in none').waitFor();
    await region('State').getByText('Unreachable', { exact: true }).waitFor();
    await write.user('edith', 'Editor');
    const { page: theirs, goTo } = await running().person({ user: 'edith', password: PASSWORD });
    await goTo('/mirrors');
    await theirs.getByText('You may not see this').waitFor();
    expect(await theirs.getByRole('link', { name: 'Mirrors', exact: true }).count()).to.equal(0);
    await expectAccessible(theirs);
  });
});
