import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../e2e/process.js';
import { STILL, useConsole, visit } from './console.js';
import { FOLDERS, PASSWORD, writerOn } from './content.js';
import { type Places, placesOfConsole } from './places.js';

const FOLDER = { group: 'folder.svc.app', version: 'v1beta1', resource: 'folders' };
/** The arguments of places that need some. */
const ARGUMENTS: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  folders: [[], ['ops'], ['private'], ['none']],
  kind: [[FOLDER]],
  object: ['overview', 'yaml', 'history', 'relations', 'managers', 'events'].flatMap((tab) =>
    ['ops', 'private'].map((name) => [FOLDER, 'default', name, tab]),
  ),
  create: [[FOLDER]],
  people: ['users', 'teams', 'accounts', 'roles', 'sign-on'].map((tab) => [tab]),
  builtInRole: [['Viewer']],
  access: [[], ['ops']],
  whoMay: [['folders', 'get']],
  user: [['none']],
  sets: [[], ['none']],
};

/** Buttons that change something and are shown before anything is typed or chosen. */
const CHANGES =
  /^(New\b|Import |Create |Delete|Make (private|public)|Restore|Edit |Set password|Add$|Review and|Make a plan|Another of)/;

describe('who uses the console', function suite() {
  this.timeout(300_000);
  const running = useConsole({ 'auth.anonymous.enabled': 'true' });
  const write = writerOn(() => running().server);
  let places: Places;

  before(async () => {
    places = await placesOfConsole();
    await write.folder('ops', 'Operations');
    await write.folder('private', 'Private', { 'svc.app/basic-roles': 'none' });
    await write.folder('gone', 'Gone');
    await write.remove(`${FOLDERS}/gone`);
    await write.user('vera', 'Viewer');
    await write.user('edith', 'Editor');
  });

  /** Shows every page to a caller, and expects that none breaks or is empty. Returns the offered changes by page. */
  const walk = async (
    options: BrowserContextOptions,
    login?: string,
  ): Promise<ReadonlyMap<string, readonly string[]>> => {
    const { server, browser } = running();
    const context = await browser.newContext({ ...STILL, ...options });
    if (login !== undefined) {
      const answer = await context.request.post(`${server.httpUrl}/login`, {
        data: { user: login, password: PASSWORD },
      });
      expect(answer.ok(), await answer.text()).to.equal(true);
    }
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    const waiting = new Set<unknown>();
    page.on('request', (request) => request.url().includes('watch=') || waiting.add(request));
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => waiting.delete(request));
    page.on('response', (answer) => answer.status() >= 500 && problems.push(`${answer.status()} ${answer.url()}`));
    const offered = new Map<string, readonly string[]>();
    await page.goto(`${server.httpUrl}/console/`);
    await page.locator('h1').first().waitFor();
    for (const [name, place] of Object.entries(places))
      for (const args of ARGUMENTS[name] ?? [[]]) {
        const path = place(...args);
        await visit(page, path);
        offered.set(path, await offersOf(page, path, () => waiting.size));
      }
    expect(problems).to.deep.equal([]);
    await context.close();
    return offered;
  };

  const offersOf = async (page: Page, path: string, waiting: () => number): Promise<readonly string[]> => {
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    // The page asks for the rights when it is shown, and draws them when the answers are there.
    await eventually(
      async () => {
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        return waiting() === 0 || undefined;
      },
      () => `${path}: ${waiting()} requests have no answer`,
    );
    const text = (await main.textContent()) ?? '';
    expect(text.replace(/\s+/g, ' ').length, `${path}: ${text}`).to.be.greaterThan(30);
    expect(await page.locator('#app').textContent(), path).not.to.match(/Your session has ended|Unauthorized/);
    const able = main.locator('button:not([aria-disabled="true"], :disabled), a.button').locator('visible=true');
    return (await able.allInnerTexts()).filter((word) => CHANGES.test(word.trim()));
  };

  it('a viewer is offered no changes, except a look at what could be restored', async () => {
    const offered = await walk({}, 'vera');
    for (const [path, words] of offered) expect(words, path).to.deep.equal(path === '/trash' ? ['Restore…'] : []);
  });

  it('an anonymous caller is offered the same', async () => {
    const offered = await walk({});
    for (const [path, words] of offered) expect(words, path).to.deep.equal(path === '/trash' ? ['Restore…'] : []);
  });

  it('an editor is offered what editors may, and not people, roles and sets', async () => {
    const offered = await walk({}, 'edith');
    expect(offered.get('/folders')?.map((word) => word.split('\n')[0])).to.include('New');
    expect(offered.get('/folders/ops')).to.include('New folder here');
    expect(offered.get(places['create']?.(FOLDER) ?? '')).to.include('Review and create');
    for (const place of [
      '/people/users',
      '/people/teams',
      '/people/roles',
      '/people/sign-on',
      '/sets',
      '/mirrors',
      '/folders/private',
    ])
      expect(
        offered.get(place)?.filter((word) => !/^New\s*▾?$/.test(word)),
        place,
      ).to.deep.equal([]);
  });

  it('the operator, who is no stored user, is offered everything', async () => {
    const token = (await readFile(join(running().server.folder, 'data', 'admin.token'), 'utf8')).trim();
    const offered = await walk({ extraHTTPHeaders: { authorization: `Bearer ${token}` } });
    expect(offered.get('/people/users')).to.include('New user');
    expect(offered.get('/people/roles')).to.include('New role');
    expect(offered.get('/people/teams')).to.include('New team');
    expect(offered.get('/sets')).to.include('New plan');
    expect(offered.get('/mirrors')).to.include('New mirror');
  });
});
