import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../content.js';
import { accounts, everybody, type Job, LOGINS, type Scene, type Step } from './job.js';
import { comeAsGuest, signIn } from './stage.js';

async function type(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel(/login/i).fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const loginOf = ({ caller }: Scene): string => (caller === 'guest' ? 'nobody' : LOGINS[caller]);

const enter: Step = async (scene) => {
  const { page, context } = await comeAsGuest(scene.running);
  await page.goto(`${scene.running.server.httpUrl}/login`);
  await type(page, loginOf(scene), scene.caller === 'administrator' ? 'admin' : PASSWORD);
  await page.getByRole('button', { name: `Account of ${loginOf(scene)}` }).waitFor();
  await page.getByRole('treeitem', { name: `Folder of ${scene.caller}` }).waitFor();
  await context.close();
};

/** A guest is inside already, and is told what is wrong with an account that is not there. */
const stayOutside: Step = async ({ running }) => {
  const { page, context, goTo } = await comeAsGuest(running);
  await goTo('/folders');
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await type(page, 'nobody', PASSWORD);
  await page.getByText('The login or the password is wrong.').waitFor();
  await context.close();
};

const leave: Step = async ({ caller, running }) => {
  if (caller === 'guest') return;
  const { page, context, goTo } = await signIn(running, caller);
  await goTo('/folders');
  await page.getByRole('button', { name: `Account of ${LOGINS[caller]}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/login/);
  expect((await context.request.get(`${running.server.httpUrl}/api/user`)).status()).to.equal(401);
  await context.close();
};

const nothingToLeave: Step = async ({ visit, page }) => {
  await visit('/folders');
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  expect(await page.getByRole('button', { name: /^Account of/ }).count()).to.equal(0);
};

/** The server goes away under an open page, which goes on by itself. */
const awayAndBack: Step = async ({ own, caller, page, visit, person }) => {
  await visit(`/folders/${own}`);
  await page.evaluate('globalThis.isSame = true');
  await person.context.setOffline(true);
  await page.evaluate('dispatchEvent(new Event("focus"))');
  await page.getByText('It is tried again until the server answers.').waitFor();
  await person.context.setOffline(false);
  await page.getByText('It is tried again until the server answers.').waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: `Folder of ${caller}` }).waitFor();
  expect(await page.evaluate('globalThis.isSame === true')).to.equal(true);
};

export const SESSION_JOBS: readonly Job[] = [
  { name: 'somebody signs in', cells: accounts(enter, stayOutside) },
  { name: 'somebody signs out', cells: accounts(leave, nothingToLeave) },
  { name: 'the server is away, and comes back', cells: everybody(awayAndBack) },
];
