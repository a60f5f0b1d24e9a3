import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { useChromium } from './chromium.js';
import { startServer, type TestServer } from './harness.js';

interface Opened {
  readonly page: Page;
  /** The hosts that the page has sent requests to. */
  readonly hosts: ReadonlySet<string>;
  /** Errors in the console of the browser, such as violations of the policy of the page. */
  readonly complaints: readonly string[];
}

describe('the documentation in a browser', function suite() {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser | undefined;

  before(async function start() {
    browser = await useChromium();
    if (browser === undefined) return this.skip();
    server = await startServer();
  });
  after(async () => {
    await server?.stop();
  });

  /** A browser without cookies. */
  async function open(path: string): Promise<Opened> {
    const context = await (browser as Browser).newContext();
    const page = await context.newPage();
    const [hosts, complaints] = [new Set<string>(), [] as string[]];
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      const isRefusal = message.text().includes('401');
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
    });
    await page.goto(`${server.httpUrl}${path}`);
    return { page, hosts, complaints };
  }

  /** Sends a request of the legacy API by the page, and returns the status that the page shows. */
  async function tries(page: Page, tag: string, operation: string, body?: string): Promise<string | null> {
    await page.locator(`.opblock-tag[data-tag="${tag}"]`).click();
    const block = page.locator(`[id="operations-${tag}-${operation}"]`);
    await block.locator('.opblock-summary-control').click();
    if (body !== undefined) await block.locator('textarea').fill(body);
    await block.locator('button.execute').click();
    return block.locator('.live-responses-table .response-col_status').last().textContent();
  }

  const tokenOf = async () => (await readFile(join(server.folder, 'data', 'admin.token'), 'utf8')).trim();

  it('shows people the documentation of both APIs after they have signed in', async () => {
    const { page, hosts, complaints } = await open('/login?redirectTo=/docs');
    await page.fill('[name=user]', 'admin');
    await page.fill('[name=password]', 'admin');
    await page.click('button[type=submit]');
    expect(await tries(page, 'folders', 'getFolders')).to.contain('200');
    expect(await tries(page, 'teams', 'postTeams', '{"name": "From the page"}')).to.contain('200');
    expect(page.url()).to.equal(`${server.httpUrl}/docs`);
    await page.selectOption('#choice', 'apis/folder.svc.app/v1beta1');
    await page.locator('.opblock-summary-path', { hasText: 'namespaces' }).first().waitFor();
    expect([...hosts]).to.deep.equal([new URL(server.httpUrl).host]);
    expect(complaints).to.deep.equal([]);
  });

  // Promise: contract 1.5
  it('asks others for a token, and sends it with what they try', async () => {
    const { page, complaints } = await open('/docs#apis/authentication.k8s.io/v1');
    await page.getByRole('alert').getByText('Sign in, or enter a token').waitFor();
    await page.fill('#token', await tokenOf());
    await page.click('text=Use token');
    await page.locator('.opblock-summary-path', { hasText: 'selfsubjectreviews' }).waitFor();
    await page.selectOption('#choice', 'Legacy API (/api)');
    await page.locator('button.authorize.locked').waitFor();
    expect(await tries(page, 'folders', 'getFolders')).to.contain('200');
    expect(await page.context().cookies()).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });
});
