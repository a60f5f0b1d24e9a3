import { expect } from 'chai';
import { FOLDERS } from '../content.js';
import { administrators, type Job, type Scene, type Step, writers } from './job.js';
import { tells } from './refusals.js';

const BINDINGS = '/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings';
const permissions = ({ own }: Scene): string => `/folders/${own}?tab=permissions`;

const makePrivate: Step = async (scene) => {
  const { own, page, dialog, visit, press, stored } = scene;
  await visit(permissions(scene));
  await press('Make private');
  await press('Make it private', dialog);
  await page.getByRole('button', { name: 'Open to the organization' }).waitFor();
  const roles = async () => (await stored(`${FOLDERS}/${own}`)).metadata.annotations?.['svc.app/basic-roles'];
  expect(await roles()).to.equal('none');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('button', { name: 'Make private' }).waitFor();
  expect(await roles()).to.equal(undefined);
};

const give: Step = async (scene) => {
  const { own, page, dialog, visit, press, stored } = scene;
  const given = async (): Promise<number> => {
    const { items } = await stored<{ items: { spec: { subject: { name: string }; scope?: { folder?: string } } }[] }>(
      BINDINGS,
    );
    return items.filter(({ spec }) => spec.subject.name === 'crew' && spec.scope?.folder === own).length;
  };
  await visit(permissions(scene));
  await page.getByRole('combobox', { name: 'Give access to' }).fill('crew');
  await page.getByRole('option', { name: /Crew/ }).click();
  await page.getByRole('combobox', { name: 'Level', exact: true }).selectOption('Edit');
  await press('Add');
  await press('Give access', dialog);
  const level = page.getByRole('combobox', { name: 'Level of Crew' });
  await level.waitFor();
  expect(await level.inputValue()).to.equal('Edit');
  expect(await given()).to.equal(1);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
  await level.waitFor({ state: 'detached' });
  expect(await given()).to.equal(0);
};

const ONLY_OWNERS = tells(
  permissions,
  'Only who administers this folder may see who has access to it.',
  'Make private',
);

const field = async ({ page }: Scene, name: string, text: string): Promise<void> => {
  const box = page.getByRole('combobox', { name });
  await box.fill(text);
  await page.getByRole('option', { name: text }).first().waitFor();
  await box.press('Enter');
};

const why: Step = async (scene) => {
  await scene.visit('/access');
  await field(scene, 'Person, team or service account', 'vera');
  await field(scene, 'Which folder', 'Folder of viewer');
  await scene.reads('vera may view Folder of viewer: has the role Viewer in the organization.');
};

/** Others ask about themselves, and are not offered to ask about people. */
const whyMe =
  (level: string): Step =>
  async (scene) => {
    await scene.visit('/access');
    await field(scene, 'Which folder', 'Folder of viewer');
    await scene.reads(new RegExp(`^You may ${level} Folder of viewer`));
    expect(await scene.page.getByRole('combobox', { name: /^Person/ }).count()).to.equal(0);
  };

/** A place that others have sent. */
const hidden = tells('/folders/private', /^(You may not see this folder|This can be seen after signing in)$/);
const shown: Step = async ({ visit, page }) => {
  await visit('/folders/private');
  await page.getByRole('heading', { level: 1, name: 'Private matters' }).waitFor();
};

/** A guest is no subject that has levels. */
const whyGuest: Step = async (scene) => {
  await scene.visit('/access');
  await field(scene, 'Which folder', 'Folder of viewer');
  await scene.page.getByRole('definition').filter({ hasText: 'Yes' }).waitFor();
  await scene.reads('No: You may not change this folder. Sign in first.');
};

export const ACCESS_JOBS: readonly Job[] = [
  { name: 'a folder is made private, and open again by Undo', cells: writers(makePrivate, ONLY_OWNERS) },
  { name: 'a team gets access, and loses it by Undo', cells: writers(give, ONLY_OWNERS) },
  {
    name: 'somebody asks why a person may see a folder',
    cells: { administrator: why, editor: whyMe('edit'), viewer: whyMe('view'), guest: whyGuest },
  },
  { name: 'the address of a private folder is opened', cells: administrators(shown, hidden) },
];
