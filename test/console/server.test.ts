import { expect } from 'chai';
import { expectAccessible, type Person, useConsole } from './console.js';

describe('the page of the server', function suite() {
  this.timeout(60_000);
  const opened = useConsole();
  let admin: Person;

  before(async () => {
    admin = await opened().person();
    await admin.goTo('/server');
  });
  afterEach(() => expect(admin.complaints).to.deep.equal([]));

  it('shows whether the server is ready, its version, and what it does', async () => {
    const { page } = admin;
    await page.getByText('✓ storage').waitFor();
    await page.getByText(/^v1\.37\.0\S*, linux/).waitFor();
    const memory = page.getByRole('region', { name: 'Memory' });
    await memory.getByText(/^\d+ MiB$/).waitFor();
    await page
      .getByRole('region', { name: 'Latency' })
      .getByText(/half of them [\d.]+ ms/)
      .waitFor();
    await page
      .getByRole('region', { name: 'Errors' })
      .getByText(/^Answers of 5xx. 0 in this hour/)
      .waitFor();
    await page
      .getByRole('region', { name: 'Requests' })
      .getByText(/^[\d.]+ a second$/)
      .waitFor();
    await expectAccessible(page);
  });

  it('shows this also in a browser whose language is none', async () => {
    const { page, complaints, goTo } = await opened().person();
    await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })`);
    await goTo('/server');
    await page.getByRole('region', { name: 'Memory' }).locator('canvas').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('shows what is stored, with a link to each kind', async () => {
    const { page } = admin;
    await page.getByRole('tab', { name: 'What is stored' }).click();
    const row = page.getByRole('row', { name: /organizations\.iam/ });
    expect(await row.textContent()).to.match(/1\d* ?[\d.]+ ?[KM]?i?B/);
    await expectAccessible(page);
    await row.getByRole('link').click();
    await page.waitForURL(/\/console\/o\/default\/kinds\/iam\.[^/]+\/[^/]+\/organizations$/);
    await page.goBack();
  });

  it('shows events of the audit log as they come, and finds some of them', async () => {
    const { page } = admin;
    await admin.goTo('/server');
    await page.getByRole('tab', { name: 'Audit log' }).click();
    const folders = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
    await opened().server.client.request('POST', folders, {
      body: {
        apiVersion: 'folder.svc.app/v1beta1',
        kind: 'Folder',
        metadata: { name: 'audited' },
        spec: { title: 'Audited' },
      },
    });
    await page.getByLabel(/^Filter by user/).fill('create');
    await page
      .getByRole('row', { name: /created Folder Audited/ })
      .first()
      .waitFor();
    const words = page.getByTitle(`create ${folders}`).first();
    await words.getByRole('link', { name: 'Audited' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel(/^Filter by user/).fill('nothing fits this');
    await page.getByText('No event of the newest 200 fits.').waitFor();
  });

  it('says in the audit log why the server did something by itself', async () => {
    const { page } = admin;
    const reason = 'synchronization with LDAP: ann has left the directory';
    await page.route(/\/api\/admin\/audit\?/, async (route) => {
      const response = await route.fetch();
      const { events } = (await response.json()) as { readonly events: readonly object[] };
      const annotations = { 'audit.svc.app/reason': reason };
      await route.fulfill({
        response,
        json: { events: [...events, { ...events.at(-1), auditID: 'own', annotations }] },
      });
    });
    await admin.goTo('/server');
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByLabel(/^Filter by user/).fill('has left the directory');
    await page.getByRole('row').getByText(reason).waitFor();
    await expectAccessible(page);
  });

  it('tells others that they see nothing, and what the server said', async () => {
    const users = { name: 'Vera', login: 'vera', password: 'long enough 1' };
    await opened().server.client.request('POST', '/api/admin/users', { body: users });
    const vera = await opened().person({ user: 'vera', password: 'long enough 1' });
    await vera.goTo('/server');
    await vera.page.getByText('What the server said').click();
    await vera.page.getByText(/it takes the permission server.metrics:read/).waitFor();
    await vera.page.getByText('✓ storage').waitFor();
    expect(await vera.page.getByRole('region', { name: 'Memory' }).count()).to.equal(0);
    await expectAccessible(vera.page);
    await vera.page.getByRole('tab', { name: 'Audit log' }).click();
    await vera.page.getByText('What the server said').click();
    await vera.page.getByText(/Permissions needed: server.audit:read/).waitFor();
    expect(vera.complaints).to.deep.equal([]);
    await vera.context.close();
  });
});
