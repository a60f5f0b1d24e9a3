import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible, useConsole } from './console.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const place = (name: string): string => `/objects/folder.svc.app/v1beta1/folders/default/${name}/yaml`;

describe('the YAML of an object in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();

  const create = async (name: string, spec: object = { title: name }): Promise<void> => {
    const body = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata: { name }, spec };
    const answer = await running().server.client.request('POST', FOLDERS, { body });
    expect(answer.status, answer.text).to.equal(201);
  };
  const specOf = async (name: string): Promise<unknown> =>
    (await running().server.client.request('GET', `${FOLDERS}/${name}`)).json()['spec'];
  /** Changes the object as somebody else. */
  const patch = async (name: string, spec: object): Promise<void> => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = JSON.stringify({ spec });
    expect((await running().server.client.request('PATCH', `${FOLDERS}/${name}`, { headers, body })).status).to.equal(
      200,
    );
  };
  const open = async (name: string): Promise<{ page: Page; editor: Locator; complaints: readonly string[] }> => {
    const { page, goTo, complaints } = await running().person();
    await goTo(place(name));
    const editor = page.getByRole('textbox', { name: `Folder ${name} as YAML` });
    await editor.getByText('kind').waitFor();
    return { page, editor, complaints };
  };
  /** Puts the cursor behind the last character. */
  const atEnd = async (page: Page, editor: Locator): Promise<void> => {
    await editor.click();
    await page.keyboard.press('ControlOrMeta+End');
  };
  const add = async (page: Page, editor: Locator, line: string): Promise<void> => {
    await atEnd(page, editor);
    // As one insertion, so that the editor proposes nothing meanwhile.
    await page.keyboard.insertText(`${line}\n`);
  };

  it('is saved after the difference was shown, by keys alone', async () => {
    await create('saved');
    const { page, editor, complaints } = await open('saved');
    await add(page, editor, '  description: For tests');
    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog', { name: 'What will change' });
    await dialog.getByText('For tests').waitFor();
    await expectAccessible(page);
    // What each write changes by itself is not shown.
    expect(await dialog.locator('.yaml-difference').textContent()).to.not.match(/generation|updatedTimestamp/);
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).to.equal('Why? (optional)');
    await page.keyboard.type('Because of tests');
    let stored = 0;
    await page.route(/\/folders\/saved(\?|$)/, async (route) => {
      if (route.request().method() === 'PUT') stored++;
      // The watch tells of what was stored before the answer comes.
      const response = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.fulfill({ response });
    });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    await page.unroute(/\/folders\/saved(\?|$)/);
    expect(stored, 'Enter was pressed twice').to.equal(1);
    expect(await specOf('saved')).to.deep.equal({ title: 'saved', description: 'For tests' });
    await expectAccessible(page);
    await add(page, editor, '# No message');
    await atEnd(page, editor);
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.press('Escape');
    await editor.getByText('For tests').click();
    await page.keyboard.press('End');
    await page.keyboard.insertText(' again');
    await page.keyboard.press('ControlOrMeta+s');
    await dialog.getByText('For tests again').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const history = (await running().server.client.request('GET', `${FOLDERS}/saved/history`)).json<{
      versions: { message?: string }[];
    }>();
    expect(history.versions.map(({ message }) => message)).to.deep.equal([undefined, 'Because of tests', undefined]);
    expect(complaints).to.deep.equal([]);
  });

  it('hides the managed fields until they are asked for, and never shows the version', async () => {
    await create('managed');
    const { page, editor } = await open('managed');
    expect(await editor.textContent())
      .to.not.contain('managedFields')
      .and.not.contain('resourceVersion');
    await page.getByLabel('Managed fields').check();
    await editor.getByText('managedFields').waitFor();
    await page.getByLabel('Managed fields').uncheck();
    await editor.getByText('managedFields').waitFor({ state: 'detached' });
  });

  it('proposes the fields of the schema, and tells what they mean', async () => {
    await create('proposed');
    const { page, editor } = await open('proposed');
    await atEnd(page, editor);
    await page.keyboard.type('  desc');
    await page.getByRole('option', { name: /^description/ }).waitFor();
    await page.getByText('What the folder is for.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await editor.getByText('title', { exact: true }).hover();
    await page.getByText('Title shown to people.').waitFor();
  });

  it('marks what does not fit the schema at its line, and what is no YAML', async () => {
    await create('wrong');
    const { page, editor } = await open('wrong');
    await add(page, editor, '  description: 3\n  unknown: x');
    await page.getByRole('button', { name: /Line 17.*Expected string/ }).waitFor();
    await page.getByRole('button', { name: /Line 18.*Unknown field: unknown/ }).waitFor();
    await page.getByText('2 problems').waitFor();
    await add(page, editor, ']');
    await page.getByRole('button', { name: /Line 19/ }).waitFor();
  });

  it('shows what the server refuses at the line that it means', async () => {
    await create('refused');
    const { page, editor } = await open('refused');
    await editor.getByText('svc.app/deprecatedInternalID').click();
    await page.keyboard.press('End');
    await page.keyboard.insertText('\n    team: "not a label!"');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('alert').filter({ hasText: 'is invalid' }).waitFor();
    await page.getByRole('button', { name: /Line 10.*metadata\.labels/ }).waitFor();
  });

  it('takes over what others change, as long as nobody types', async () => {
    await create('live');
    const { page, editor } = await open('live');
    await patch('live', { title: 'By others' });
    await editor.getByText('By others').waitFor();
    await page.getByText('Nothing was changed.').waitFor({ state: 'detached' });
  });

  it('merges what others change elsewhere, and asks where both have changed the same field', async () => {
    await create('both', { title: 'Before', description: 'Before' });
    const { page, editor, complaints } = await open('both');
    await editor.getByText('title', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.insertText(' and mine');
    await page.getByRole('button', { name: 'Discard changes' }).waitFor();
    await patch('both', { description: 'Theirs' });
    await page.getByText(/changed the object.*These changes are in your text now: spec.description/).waitFor();
    await page.getByText('system:admin').first().waitFor();
    await editor.getByText('Theirs').waitFor();
    await patch('both', { title: 'Also theirs' });
    await page
      .getByRole('heading', { name: /^system:admin has \(.*\) changed a field that you changed, too/ })
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep mine: spec.title' }).click();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await specOf('both')).to.deep.equal({ title: 'Before and mine', description: 'Theirs' });
    expect(complaints).to.deep.equal([]);
  });

  it('takes over a field of others when asked to', async () => {
    await create('theirs', { title: 'Before' });
    const { page, editor } = await open('theirs');
    await editor.getByText('title', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.insertText(' and mine');
    await page.getByRole('button', { name: 'Discard changes' }).waitFor();
    await patch('theirs', { title: 'By others' });
    await page.getByRole('button', { name: 'Take over theirs: spec.title' }).click();
    await editor.getByText('By others').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
  });

  it('keeps what was typed when the page is left, and shows it again, or what is stored', async () => {
    await create('draft');
    const { page, editor } = await open('draft');
    await add(page, editor, '  description: Not yet saved');
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.goBack();
    await page.getByText('This is what you typed here').waitFor();
    await editor.getByText('Not yet saved').waitFor();
    await atEnd(page, editor);
    await page.keyboard.insertText('# and more\n');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show what is stored' }).click();
    await editor.getByText('Not yet saved').waitFor({ state: 'detached' });
    await page.getByText('This is what is stored.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Go on with it' }).click();
    await editor.getByText('# and more').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await editor.getByText('Not yet saved').waitFor({ state: 'detached' });
  });

  it('keeps what was typed when the session ends', async () => {
    await create('session');
    const { page, editor } = await open('session');
    await add(page, editor, '  description: Still here');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByText('Your session has ended.').waitFor();
    expect(await editor.textContent()).to.contain('Still here');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByLabel('Login or e-mail address').fill('admin');
    await page.getByLabel('Password').fill('admin');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Your session has ended.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByText('Still here').waitFor();
  });

  it('forgets that the server was away when it is back', async () => {
    await create('away');
    const { page, editor } = await open('away');
    await add(page, editor, '  description: Typed before');
    await page.route('**/apis/**', (route) => route.abort());
    await page.route('**/livez', (route) => route.abort());
    await page.getByRole('button', { name: 'Review and save' }).click();
    const box = page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' });
    await box.waitFor();
    await page.unroute('**/apis/**');
    await page.unroute('**/livez');
    await box.waitFor({ state: 'detached' });
    expect(await editor.textContent()).to.contain('Typed before');
  });

  it('can be scrolled by keys', async () => {
    await create('long', { title: 'long', description: 'word '.repeat(3000) });
    const { page } = await open('long');
    await expectAccessible(page);
  });

  it('lets Tab leave the editor after Escape', async () => {
    await create('keys');
    const { page, editor } = await open('keys');
    await editor.click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await editor.evaluate((element) => element.matches(':focus'))).to.equal(false);
  });

  it('cannot be changed by people who may only read it, and says why', async () => {
    await create('readonly');
    const { client } = running().server;
    const user = { login: 'reader', password: 'reader-password-1', name: 'Reader' };
    expect((await client.request('POST', '/api/admin/users', { body: user })).status).to.equal(200);
    const { page, goTo } = await running().person({ user: user.login, password: user.password });
    await goTo(place('readonly'));
    await page.getByText(/^Read only: /).waitFor();
    const editor = page.getByRole('textbox', { name: 'Folder readonly as YAML' });
    expect(await editor.getAttribute('aria-readonly')).to.equal('true');
    const save = page.getByRole('button', { name: 'Review and save' });
    expect(await save.getAttribute('aria-disabled')).to.equal('true');
    expect(await save.getAttribute('title')).to.contain('You may not change this folder.');
  });

  it('of a dashboard of 3 MiB is shown, and saved', async () => {
    const panels = Array.from({ length: 5000 }, (_, id) => ({ id, title: `Panel ${id}`, text: 'x'.repeat(560) }));
    const path = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
    const body = {
      apiVersion: 'dashboard.svc.app/v1beta1',
      kind: 'Dashboard',
      metadata: { name: 'large' },
      spec: { title: 'Large', panels },
    };
    expect((await running().server.client.request('POST', path, { body })).status).to.equal(201);
    const { page, goTo, complaints } = await running().person();
    await goTo('/objects/dashboard.svc.app/v1beta1/dashboards/default/large/yaml');
    await page.getByText('The text is large').waitFor();
    const editor = page.getByRole('textbox', { name: 'Dashboard large as YAML' });
    await editor.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('  description: Typed at the end\n');
    await page.getByRole('button', { name: 'Review and save' }).click();
    const dialog = page.getByRole('dialog', { name: 'What will change' });
    await dialog.getByText('Typed at the end').first().waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(complaints).to.deep.equal([]);
  });
});

describe('a new object in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();

  it('begins with a template of its schema, shows refusals at their lines, and is created', async () => {
    const { page, goTo, complaints } = await running().person();
    await goTo('/create/folder.svc.app/v1beta1/folders');
    const editor = page.getByRole('textbox', { name: 'New Folder as YAML' });
    await editor.getByText('# Title shown to people.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /Must not be empty/ }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.insertText('Made here');
    await editor.getByText('name', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.insertText('made');
    await page.getByRole('button', { name: 'Review and create' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/objects\/folder\.svc\.app\/v1beta1\/folders\/default\/made/);
    const made = await running().server.client.request('GET', `${FOLDERS}/made`);
    expect(made.json()['spec']).to.deep.equal({ title: 'Made here' });
    expect(complaints).to.deep.equal([]);
    await goTo('/create/folder.svc.app/v1beta1/folders');
    await editor.getByText('name', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.insertText('made');
    await page.getByRole('button', { name: /Must not be empty/ }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.insertText('Again');
    await page.getByRole('button', { name: 'Review and create' }).click();
    await page.getByRole('button', { name: /Line 7.*already exists/ }).waitFor();
  });
});
