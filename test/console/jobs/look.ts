import { expect } from 'chai';
import { violationsOf } from '../axe.js';
import { held } from '../held.js';
import { accounts, everybody, type Job, LOGINS, type Scene, type Step } from './job.js';

/** Pages that everybody can open, and that have the most in a row. */
const PLACES = ['/folders', '/trash', '/kinds', '/kinds/folder.svc.app/v1beta1/folders', '/access', '/account'];
const NARROW = { width: 360, height: 780 };
/** A title as long as the server allows, in a script that is read from the right. */
const LONG = 'مجلد المراقبة '.repeat(13).trim();

const fits = async ({ page }: Scene, what: string): Promise<void> => {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), what).to.equal(true);
};

const narrow: Step = async (scene) => {
  const { own, page, visit } = scene;
  await page.setViewportSize(NARROW);
  for (const place of [...PLACES, `/folders/${own}`]) {
    await visit(place);
    await fits(scene, place);
  }
};

const long: Step = async (scene) => {
  const { caller, page, visit, write } = scene;
  await write.folder(`long-${caller}`, `${LONG} ${caller}`);
  await page.setViewportSize(NARROW);
  await visit(`/folders/long-${caller}`);
  const heading = page.getByRole('heading', { level: 1, name: `${LONG} ${caller}` });
  await heading.waitFor();
  expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).direction')).to.equal('rtl');
  await fits(scene, 'long');
};

/** Chooses the other colours, and expects that everything can be read in them. */
const dark: Step = async (scene) => {
  const { own, page, visit, choose, caller } = scene;
  const shown = (theme: string) => page.locator(`html[data-theme=${theme}]`).waitFor();
  const account = caller === 'guest' ? '' : `Account of ${LOGINS[caller]}`;
  await visit(`/folders/${own}`);
  await choose(account, 'Dark colours');
  await shown('dark');
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  expect(await violationsOf(page, { onlyColours: true })).to.deep.equal([]);
  await choose(account, 'Light colours');
  await shown('light');
};

/** A guest has no menu, but the colours of the system. */
const darkSystem: Step = async ({ own, page, person }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await person.goTo(`/folders/${own}`);
  await page.locator('html[data-theme=dark]').waitFor();
  await page.emulateMedia({ colorScheme: null });
  await person.goTo('/folders');
};

const print: Step = async ({ own, page, visit, main }) => {
  await visit(`/folders/${own}`);
  await main.getByRole('link', { name: /oard of/ }).waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.head, .nav, .skip, .kind-filter').locator('visible=true').count()).to.equal(0);
  await page.emulateMedia({ media: null });
};

const copy: Step = async ({ own, person, page, visit, choose, reads }) => {
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit(`/folders/${own}`);
  await choose('Actions on this folder', 'Copy link');
  await reads('The link is copied.');
  expect(await page.evaluate('navigator.clipboard.readText()')).to.match(
    new RegExp(`/console/o/default/folders/${own}$`),
  );
};

const slowly: Step = async ({ own, caller, page, visit }) => {
  await visit('/folders');
  const { isAsked, release } = await held(page, new RegExp(`/folders/${own}(\\?|$)`));
  await page.getByRole('treeitem', { name: `Folder of ${caller}` }).click();
  await isAsked;
  await page.getByRole('status', { name: 'Loading the folder' }).waitFor();
  release();
  await page.getByRole('heading', { level: 1, name: `Folder of ${caller}` }).waitFor();
  await page.unrouteAll();
};

export const LOOK_JOBS: readonly Job[] = [
  { name: 'the pages fit on a narrow screen', cells: everybody(narrow) },
  { name: 'a long title in another script is shown', cells: everybody(long) },
  { name: 'dark colours are chosen', cells: accounts(dark, darkSystem) },
  { name: 'a page is printed', cells: everybody(print) },
  { name: 'the address of a folder is copied', cells: everybody(copy) },
  { name: 'a slow answer is waited for', cells: everybody(slowly) },
];
