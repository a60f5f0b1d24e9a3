import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import { type Person, useConsole, usePerson } from './console.js';
import { FOLDERS, writerOn } from './content.js';
import { itFollowsOthers } from './live-suite.js';

describe('the live pages of the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const { person, page } = usePerson(running);

  itFollowsOthers(person, write);

  it('show in one session what is done in the other one, in both directions', async () => {
    await write.folder('both', 'Both');
    const other = await running().person();
    for (const one of [person(), other]) await one.goTo('/folders/both?tab=permissions');
    const levelIn = ({ page: one }: Person) => one.getByRole('combobox', { name: 'Level of Crew' });
    await write.send('POST', '/api/teams', { name: 'Crew' });
    await page().getByRole('combobox', { name: 'Give access to' }).fill('Crew');
    await page().getByRole('option', { name: /Crew/ }).click();
    await page().getByRole('button', { name: 'Add' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Give access' }).click();
    await levelIn(other).selectOption('Edit');
    await other.page.getByRole('dialog').getByRole('button', { name: 'Change to Edit' }).click();
    await page().locator('select:has(option:checked[value=Edit])').first().waitFor();
    await page().getByRole('button', { name: 'Remove the entry of Crew' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await levelIn(other).waitFor({ state: 'detached' });
    expect(other.complaints).to.deep.equal([]);
    await other.context.close();
  });

  it('keep a form that is open when somebody deletes what it is about', async () => {
    const { uid } = (await write.send('POST', '/api/teams', { name: 'Doomed' })).json<{ uid: string }>();
    await person().goTo(`/people/teams?open=${uid}`);
    await page().getByRole('button', { name: 'Edit team' }).click();
    const form = page().getByRole('dialog', { name: 'Edit team' });
    await form.getByLabel('Name').fill('Typed');
    const other = await running().person();
    await other.goTo('/people/teams');
    const line = other.page.getByRole('link', { name: 'Doomed' });
    await line.waitFor();
    await write.remove(`/apis/iam.svc.app/v1beta1/namespaces/default/teams/${uid}`);
    await line.waitFor({ state: 'detached' });
    await other.context.close();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Name').inputValue()).to.equal('Typed');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page().getByRole('alert').waitFor();
  });

  /** The watches that are open now. */
  const watchesOf = (one: Page): ReadonlySet<Request> => {
    const open = new Set<Request>();
    one.on('request', (request) => {
      if (request.url().includes('watch=1')) open.add(request);
    });
    for (const event of ['requestfinished', 'requestfailed'] as const)
      one.on(event as 'requestfinished', (request) => open.delete(request));
    return open;
  };

  it('have at most two watches open at once', async () => {
    const open = watchesOf(page());
    let most = 0;
    page().on('request', () => {
      most = Math.max(most, open.size);
    });
    await write.folder('counted', 'Counted');
    const places = [
      '/folders/counted',
      '/folders/counted?tab=permissions',
      '/people/users',
      '/people/teams',
      '/people/roles',
    ];
    for (const place of places) {
      most = 0;
      await person().goTo(place);
      // Waits until the next watch has its turn.
      if (place === '/folders/counted') await page().waitForRequest(/alertrules\?.*watch=1/, { timeout: 20_000 });
      await write.folder(`during-${places.indexOf(place)}`, 'During');
      expect(most, place).to.be.at.most(2);
    }
  });

  it('watch each kind in a folder on its own by HTTP/2, which has many streams in one connection', async () => {
    await write.folder('streams', 'Streams');
    const secure = await running().person({ context: { ignoreHTTPSErrors: true }, at: running().server.httpsUrl });
    const kinds = ['folders', 'dashboards', 'libraryelements', 'alertrules'];
    const asked = Promise.all(
      kinds.map((kind) => secure.page.waitForRequest(new RegExp(`/${kind}\\?.*watch=1`), { timeout: 60_000 })),
    );
    await secure.goTo('/folders/streams');
    for (const request of await asked) expect(request.url()).to.not.contain('timeoutSeconds');
    expect(secure.complaints).to.deep.equal([]);
    await secure.context.close();
  });

  it('watch nothing while they are hidden, and go on where they stopped when they are seen again', async () => {
    const open = watchesOf(page());
    await write.folder('seen', 'Seen');
    await person().goTo('/folders/seen');
    await page().getByRole('treeitem', { name: 'Seen' }).waitFor();
    const setHidden = (isHidden: boolean) =>
      page().evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await page().waitForRequest(/watch=1/);
    await setHidden(true);
    while (open.size > 0) await page().waitForEvent('requestfailed');
    await write.rename(`${FOLDERS}/seen`, 'Seen again');
    await setHidden(false);
    await page().getByRole('treeitem', { name: 'Seen again' }).waitFor();
  });
});
