import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { DASHBOARDS, FOLDERS } from '../content.js';
import { type Job, type Scene, type Step, writers } from './job.js';
import { isRefused } from './refusals.js';

const place = (name: string): string => `/objects/folder.svc.app/v1beta1/folders/default/${name}/yaml`;

async function open({ page, visit }: Scene, name: string): Promise<Locator> {
  await visit(place(name));
  const editor = page.getByRole('textbox', { name: `Folder ${name} as YAML` });
  await editor.getByText('metadata').waitFor();
  return editor;
}

async function append({ page }: Scene, editor: Locator, line: string): Promise<void> {
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(`${line}\n`);
}

const mistake: Step = async (scene) => {
  const { own, page, press, dialog } = scene;
  const editor = await open(scene, own);
  await append(scene, editor, '  descriptoin: mistyped');
  await page.getByRole('button', { name: /Line \d+.*Unknown field: descriptoin/ }).waitFor();
  await press('Discard changes');
  await press('Discard', dialog);
  await page.getByText('Unknown field').first().waitFor({ state: 'detached' });
};

const conflict: Step = async (scene) => {
  const { caller, write, page, press, stored } = scene;
  const name = `conflict-${caller}`;
  await write.folder(name, 'Before');
  const editor = await open(scene, name);
  await editor.getByText('title', { exact: true }).click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(' and mine');
  await page.getByRole('button', { name: 'Discard changes' }).waitFor();
  await write.rename(`${FOLDERS}/${name}`, 'Of others');
  await press('Take over theirs: spec.title');
  await editor.getByText('Of others').waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
  expect((await stored(`${FOLDERS}/${name}`)).spec['title']).to.equal('Of others');
};

const save: Step = async (scene) => {
  const { caller, own, press, dialog, stored } = scene;
  await append(scene, await open(scene, own), `  description: By ${caller}`);
  await press('Review and save');
  await dialog.getByLabel('Why? (optional)').fill('To see');
  await press('Save', dialog);
  await dialog.waitFor({ state: 'detached' });
  expect((await stored(`${FOLDERS}/${own}`)).spec['description']).to.equal(`By ${caller}`);
};

const readOnly: Step = async (scene) => {
  await open(scene, scene.own);
  await scene.page.getByText(/^Read only: /).waitFor();
  await isRefused(scene, 'Review and save');
};

/** Nobody who only reads can meet a conflict: what others write is shown. */
const follows: Step = async (scene) => {
  const name = `followed-${scene.caller}`;
  await scene.write.folder(name, 'Before');
  const editor = await open(scene, name);
  await scene.write.rename(`${FOLDERS}/${name}`, 'Of others');
  await editor.getByText('Of others').waitFor();
};

const versions = async ({ board, page, visit }: Scene): Promise<void> => {
  await visit(`/objects/dashboard.svc.app/v1beta1/dashboards/default/${board}/history`);
  await page.getByRole('region', { name: 'Difference from Version 1 to Version 2' }).getByText('First board').waitFor();
};

const restore: Step = async (scene) => {
  const { board, caller, write, press, dialog, reads, stored } = scene;
  await versions(scene);
  await press('Restore version 1');
  await press('Restore', dialog);
  await reads('Version 1 is back, as version 3.');
  expect((await stored(`${DASHBOARDS}/${board}`)).spec['title']).to.equal(`First board of ${caller}`);
  await write.rename(`${DASHBOARDS}/${board}`, `Board of ${caller}`);
};

const compareOnly: Step = async (scene) => {
  await versions(scene);
  await isRefused(scene, 'Restore version 1');
};

export const TEXT_JOBS: readonly Job[] = [
  { name: 'a mistake in YAML is marked while it is typed', cells: writers(mistake, readOnly) },
  { name: 'what others change meanwhile is taken over', cells: writers(conflict, follows) },
  { name: 'the YAML of an object is saved after a look at the difference', cells: writers(save, readOnly) },
  { name: 'two versions are compared, and the earlier one comes back', cells: writers(restore, compareOnly) },
];
