import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../e2e/process.js';
import { expectAccessible, STILL, useConsole } from './console.js';
import { PASSWORD, writerOn } from './content.js';

const NEXT = 'my-own-unlikely-words-9';

describe('adding people in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);

  before(async () => {
    await write.user('ada', 'Admin');
    await write.user('vera', 'Viewer');
    const { id } = await write.user('zoe', 'Viewer');
    await write.send('DELETE', `/api/orgs/1/users/${id}`);
  });

  const signIn = async (page: Page, user: string, password: string, place = '/console/o/default/trash') => {
    await page.goto(`${running().server.httpUrl}/login?redirectTo=${encodeURIComponent(place)}`);
    await page.getByLabel(/^Login/).fill(user);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const focused = (page: Page, text: string) =>
    eventually(
      async () => (await page.evaluate('document.activeElement.textContent')) === text || undefined,
      () => `the focus is not on ${text}`,
    );

  it('makes a password for a new user, who must replace it before anything else', async () => {
    const { page, goTo, complaints, context } = await running().person();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await goTo('/people/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const form = page.getByRole('dialog', { name: 'New user' });
    await form.getByLabel('Login').fill('newcomer');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create user' }).click();
    const made = page.getByRole('dialog', { name: 'The first password of newcomer' });
    const password = (await made.locator('code').textContent()) ?? '';
    expect(password).to.match(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    await expectAccessible(page);
    await made.getByRole('button', { name: 'Copy' }).press('Enter');
    await page.getByText('The password is copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(password);
    await made.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'newcomer' }).waitFor();
    expect(complaints).to.deep.equal([]);

    const other = await (await running().browser.newContext(STILL)).newPage();
    await signIn(other, 'newcomer', password);
    await other.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await expectAccessible(other);
    expect(await other.getByLabel(/^Login/).inputValue(), 'the login stays').to.equal('newcomer');
    const choose = async (next: string, again: string) => {
      await other.getByLabel('Present password').fill(password);
      await other.getByLabel('New password', { exact: true }).fill(next);
      await other.getByLabel('New password again').fill(again);
      await other.getByRole('button', { name: 'Sign in' }).click();
    };
    await choose(NEXT, `${NEXT}x`);
    await other.getByText('The two new passwords are not the same.').waitFor();
    await choose(password, password);
    await other.getByText('The new password is the old one.').waitFor();
    await expectAccessible(other);
    await choose(NEXT, NEXT);
    await other.waitForURL(/\/console\/o\/default\/trash$/);
    await other.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
    await other.context().close();
  });

  it('makes a password for somebody who has lost theirs, and gives the focus back', async () => {
    const { page, goTo } = await running().person();
    await goTo('/people/users');
    await page.getByRole('link', { name: 'vera' }).click();
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('dialog', { name: 'Set password' }).getByRole('button', { name: 'Set password' }).click();
    const made = page.getByRole('dialog', { name: 'The first password of vera' });
    await made.locator('code').waitFor();
    await page.keyboard.press('Escape');
    // Nobody can see the password again, so it is not lost by a key.
    await made.locator('code').waitFor();
    await page
      .getByRole('dialog', { name: 'Close without copying?' })
      .getByRole('button', { name: 'Close it' })
      .click();
    await focused(page, 'Set password');
  });

  it('adds an account that exists, also by administrators of the organization, who may change roles, too', async () => {
    const { page, goTo, complaints } = await running().person({ user: 'ada', password: PASSWORD });
    await goTo('/people/users');
    await page.getByRole('button', { name: 'Add somebody' }).click();
    const form = page.getByRole('dialog', { name: 'Add somebody to the organization' });
    // By login, they could find out the addresses of others, so the form does not ask for one.
    await form.getByLabel('E-mail address', { exact: true }).fill('zoe');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await form.getByText('No account has this e-mail address.').waitFor();
    await expectAccessible(page);
    await form.getByLabel('E-mail address', { exact: true }).fill('zoe@example.com');
    await form.getByLabel('Role in the organization').selectOption('Editor');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('zoe@example.com is Editor here now.').waitFor();
    await focused(page, 'Add somebody');
    await page.getByRole('link', { name: 'zoe' }).click();
    await page.getByLabel('Role in this organization').selectOption('Viewer');
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page.getByText('zoe is Viewer now.').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('creates an account for the organization, by its administrators', async () => {
    const { page, goTo, complaints } = await running().person({ user: 'ada', password: PASSWORD });
    await goTo('/people/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const form = page.getByRole('dialog', { name: 'New user' });
    await form.getByText('Only an administrator of the server can set another one.').waitFor();
    expect(await form.getByRole('checkbox').count(), 'the password is made').to.equal(0);
    await form.getByLabel('Login').fill('vera');
    await form.getByRole('button', { name: 'Create user' }).click();
    await form.getByText('An account that exists has this login or this e-mail address.').waitFor();
    await expectAccessible(page);
    await form.getByLabel('Login').fill('hired');
    await form.getByLabel('Role in the organization').selectOption('Editor');
    await form.getByRole('button', { name: 'Create user' }).click();
    const made = page.getByRole('dialog', { name: 'The first password of hired' });
    const password = (await made.locator('code').textContent()) ?? '';
    expect(password).to.match(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    await made.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'hired' }).waitFor();
    expect(await page.getByLabel('Role in this organization').inputValue()).to.equal('Editor');
    await page.getByRole('button', { name: 'Remove from the organization' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Add again' }).click();
    await page.getByText('hired is Editor here again.').waitFor();
    await page.getByRole('link', { name: 'hired' }).waitFor();
    // The browser reports the refused request.
    expect(complaints.filter((text) => !text.includes('412'))).to.deep.equal([]);
    const login = (body: object) =>
      page.request.post(`${running().server.httpUrl}/login`, { data: { user: 'hired', password, ...body } });
    expect((await login({})).status()).to.equal(403);
    expect((await login({ newPassword: NEXT })).status()).to.equal(200);
  });

  it('warns who signs in with the login as password, until it is changed', async () => {
    const page = await (await running().browser.newContext(STILL)).newPage();
    await signIn(page, 'admin', 'admin');
    await page.getByText('Your password is your login.').waitFor();
    expect(page.url()).to.not.contain('#');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Change the password' }).click();
    await page.getByLabel('Old password').fill('admin');
    for (const name of ['New password', 'New password again']) await page.getByLabel(name, { exact: true }).fill(NEXT);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is your login.').waitFor({ state: 'detached' });
    await page.context().close();
  });
});
