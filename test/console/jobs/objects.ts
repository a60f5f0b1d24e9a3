import { expect } from 'chai';
import { FOLDERS } from '../content.js';
import { administrators, everybody, type Job, type Scene, type Step } from './job.js';
import { isAbsent, tells } from './refusals.js';

const WORKSPACES = '/apis/example.com/v1/namespaces/default/workspaces';
const SETS = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets';
const NOT_FOR_YOU = /^(You may not|This can be seen after signing in)/;

const filter: Step = async ({ caller, page, visit }) => {
  await visit('/kinds/folder.svc.app/v1beta1/folders');
  const grid = page.getByRole('grid');
  await grid.getByRole('link', { name: 'Folder of guest' }).waitFor();
  await page.getByRole('button', { name: 'Title', exact: true }).click();
  await page.locator('[aria-sort=ascending]').waitFor();
  await page.getByLabel('Filter by text').fill(`folder of ${caller}`);
  // What lies in the folder shows its title, too.
  await page.getByText(/^\d+ match/).waitFor();
  await grid
    .getByRole('link', { name: `Folder of ${caller}` })
    .first()
    .waitFor();
};

const makeCustom: Step = async (scene) => {
  const { page, visit, press, dialog, stored } = scene;
  await visit('/create/example.com/v1/workspaces');
  const editor = page.getByRole('textbox', { name: 'New Workspace as YAML' });
  await editor.getByText('metadata').waitFor();
  await replace(
    scene,
    'New Workspace as YAML',
    'apiVersion: example.com/v1\nkind: Workspace\nmetadata:\n  name: mine\nspec:\n  size: 3\n',
  );
  await press('Review and create');
  await press('Create', dialog);
  await page.getByRole('heading', { level: 1, name: 'mine' }).waitFor();
  expect((await stored(`${WORKSPACES}/mine`)).spec).to.deep.equal({ size: 3 });
};

const noCustom: Step = async (scene) => {
  await scene.visit('/create/example.com/v1/workspaces');
  await scene.reads(/You may not create workspaces here\. |can be done after signing in/);
  await isAbsent(scene, 'Review and create');
};

async function replace({ page }: Scene, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

const plan: Step = async (scene) => {
  const { visit, press, reads, stored } = scene;
  await visit('/plan?set=planned');
  await replace(scene, 'Manifests', `${JSON.stringify(folder('applied', 'Applied'))}\n`);
  await press('Plan');
  await reads('1 to create');
  await press('Apply');
  await reads('Applied in one commit');
  expect((await stored(`${FOLDERS}/applied`)).spec).to.deep.equal({ title: 'Applied' });
};

const putBack: Step = async ({ write, visit, press, reads, stored }) => {
  await write.send('POST', `${SETS}/drifting/apply`, {
    apiVersion: 'apply.svc.app/v1beta1',
    kind: 'ApplyRequest',
    spec: { objects: [folder('drifted', 'As applied')] },
  });
  await write.rename(`${FOLDERS}/drifted`, 'By hand');
  await visit('/sets/drifting');
  await press('Compare drifted');
  await press('Put back drifted');
  await reads('drifted is again as it was applied.');
  expect((await stored(`${FOLDERS}/drifted`)).spec['title']).to.equal('As applied');
};

const folder = (name: string, title: string): object => ({
  apiVersion: 'folder.svc.app/v1beta1',
  kind: 'Folder',
  metadata: { name },
  spec: { title },
});

const health: Step = async ({ visit, page }) => {
  await visit('/server');
  await page.getByText('✓ storage').waitFor();
  await page
    .getByRole('region', { name: 'Requests' })
    .getByText(/a second$/)
    .first()
    .waitFor();
};

const noHealth: Step = async (scene) => {
  await tells('/server', NOT_FOR_YOU)(scene);
  expect(await scene.page.getByRole('region', { name: 'Memory' }).count()).to.equal(0);
};

export const OBJECT_JOBS: readonly Job[] = [
  { name: 'a table is sorted and filtered', cells: everybody(filter) },
  { name: 'an object of a custom kind is made', cells: administrators(makeCustom, noCustom) },
  {
    name: 'manifests are planned and applied',
    cells: administrators(
      plan,
      tells('/plan', /^(You cannot apply manifests here\. You may not [^.]+\. (Ask|Sign in) [^.]+\.$)/, 'Apply'),
    ),
  },
  { name: 'a member of a set is put back', cells: administrators(putBack, tells('/sets', NOT_FOR_YOU, /^Put back/)) },
  { name: 'the health of the server is watched', cells: administrators(health, noHealth) },
];
