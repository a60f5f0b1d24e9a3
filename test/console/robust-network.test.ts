import { expect } from 'chai';
import type { Locator, Route } from 'playwright-core';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { FOLDERS, writerOn } from './content.js';
import { beginFolder } from './folders.js';

/** A slow network: milliseconds until an answer begins, and bytes a second. */
const SLOW = { offline: false, latency: 200, downloadThroughput: 125_000, uploadThroughput: 125_000 };

describe('the console on a slow network', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const { person, page } = usePerson(running);

  before(async () => {
    await write.folder('ops', 'Operations');
    await write.folder('east', 'East', { 'svc.app/folder': 'ops' });
  });
  beforeEach(async () => {
    const session = await person().context.newCDPSession(page());
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
  });

  /** Holds the requests until an element is shown, to prove that it is shown before the answer. */
  const shownBefore = async (requests: string | RegExp, element: Locator): Promise<() => void> => {
    let isShown = false;
    await page().route(requests, async (route: Route) => {
      await element.waitFor();
      isShown = true;
      await route.continue();
    });
    return () => expect(isShown, `${requests} was asked for`).to.equal(true);
  };
  const skeleton = (name = 'Loading') => page().getByRole('status', { name, exact: true }).first();

  it('shows its frame before its scripts are there, and then what was asked for', async () => {
    const check = await shownBefore(/\/assets\/main-\w+\.js$/, skeleton());
    await person().goTo('/folders/ops');
    check();
    await page().getByRole('link', { name: 'East' }).waitFor();
    await expectAccessible(page());
  });

  it('shows lines in place of a folder before its answer is there', async () => {
    await person().goTo('/folders');
    const check = await shownBefore(`**${FOLDERS}/ops`, skeleton('Loading the folder'));
    await page().getByRole('treeitem', { name: 'Operations' }).click();
    await page().getByRole('heading', { level: 1, name: 'Operations' }).waitFor();
    check();
  });

  it('shows lines in place of a table, and of a page, before they are there', async () => {
    await person().goTo('/folders');
    const scripts = await shownBefore(/\/assets\/page-\w+\.js$/, skeleton());
    await page().getByRole('link', { name: 'All kinds' }).click();
    await page().getByRole('heading', { level: 1, name: 'All kinds' }).waitFor();
    scripts();
    const table = await shownBefore(new RegExp(`${FOLDERS}\\?limit=500`), skeleton('Loading folders'));
    await page().getByRole('link', { name: 'Folder', exact: true }).click();
    await page().getByRole('grid').getByRole('link', { name: 'ops' }).waitFor();
    table();
  });

  it('shows that it saves, and saves once however often Enter is pressed', async () => {
    await person().goTo('/folders/east');
    await beginFolder(page());
    const dialog = page().getByRole('dialog', { name: /^New folder in/ });
    await dialog.getByLabel('Title').fill('Only once');
    const check = await shownBefore(`**${FOLDERS}`, dialog.getByRole('button', { name: 'Create', disabled: true }));
    await dialog.getByLabel('Title').press('Enter');
    await dialog.getByLabel('Title').press('Enter');
    await page().getByRole('heading', { level: 1, name: 'Only once' }).waitFor();
    check();
    const { items } = (await write.send('GET', FOLDERS)).json<{ items: { spec: { title: string } }[] }>();
    expect(items.filter(({ spec }) => spec.title === 'Only once')).to.have.length(1);
  });
});
