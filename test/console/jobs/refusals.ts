import { expect } from 'chai';
import type { Scene, Step } from './job.js';

/** Waits for a button that is shown to those who may not use it, and expects that it says why. */
export async function isRefused({ main, page }: Scene, name: string): Promise<void> {
  const button = main.getByRole('button', { name, exact: true }).and(page.locator('[aria-disabled=true]')).first();
  await button.waitFor();
  expect(await button.getAttribute('title')).to.match(SENTENCE);
}

/** What people can read: no verb of the API, and no permission. */
const SENTENCE = /^[A-Z][^:]*\.$/;

/** A place that shows a sentence to those who may not use it, and offers no such button. */
export function tells(
  place: string | ((scene: Scene) => string),
  text: string | RegExp,
  button?: string | RegExp,
): Step {
  return async (scene) => {
    await scene.visit(typeof place === 'string' ? place : place(scene));
    await scene.reads(text);
    if (button !== undefined) await isAbsent(scene, button);
    expect(await scene.main.getByText('is forbidden').locator('visible=true').count()).to.equal(0);
  };
}

/** Expects that a button that can be used is not there. Something that comes later must have been waited for. */
export async function isAbsent({ main, page }: Scene, name: string | RegExp): Promise<void> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  const able = main.getByRole('button', { name, exact: true }).and(page.locator(':not([aria-disabled=true]):enabled'));
  expect(await able.count(), String(name)).to.equal(0);
}
