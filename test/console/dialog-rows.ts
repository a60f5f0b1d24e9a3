import type { Locator, Page } from 'playwright-core';

/** A dialog, and what is expected of the focus. */
export interface DialogRow {
  /** The functions that show it, as `dialogUses` names them. */
  readonly uses: readonly string[];
  readonly place: string;
  /** Opens it, and returns what gets the focus back when it is closed. */
  readonly open: (page: Page) => Promise<Locator>;
  /** The name of what has the focus at first. */
  readonly focus: string;
  /** Fills it in. */
  readonly fill?: (dialog: Locator) => Promise<unknown>;
  /** Where the focus is when it has done its work. By default where it was before. Undefined: it does no work. */
  readonly after?: string;
}

const main = (page: Page): Locator => page.locator('#main');

/** Presses a button. */
const button =
  (name: string) =>
  async (page: Page): Promise<Locator> => {
    const found = main(page).getByRole('button', { name, exact: true });
    await found.click();
    return found;
  };

/** Chooses an entry of the menu of a button. */
const menu =
  (name: string, item: string | RegExp) =>
  async (page: Page): Promise<Locator> => {
    const found = await button(name)(page);
    await page.getByRole('menuitem', { name: item }).click();
    return found;
  };

/** Presses a key in the tree of folders. */
const key =
  (pressed: string) =>
  async (page: Page): Promise<Locator> => {
    const tree = page.getByRole('tree', { name: 'Folders', exact: true });
    await tree.getByText('Operations').waitFor();
    await tree.focus();
    await tree.press(pressed);
    return tree;
  };

/** Presses a key anywhere, with the focus on a field. */
const anywhere =
  (pressed: string) =>
  async (page: Page): Promise<Locator> => {
    const find = page.getByRole('button', { name: /^Find anything/ });
    await find.press(pressed);
    return find;
  };

/** Selects rows of a list, and presses a button. */
const selected =
  (names: readonly string[], name: string) =>
  async (page: Page): Promise<Locator> => {
    for (const one of names) await main(page).getByRole('checkbox', { name: one }).check();
    return button(name)(page);
  };

const title = (text: string) => (dialog: Locator) => dialog.getByLabel('Title').fill(text);
const name = (text: string) => (dialog: Locator) => dialog.getByLabel('Name', { exact: true }).fill(text);

const FOLDERS = '/folders';
const OPS = '/folders/ops';
const MANY = '/folders/many';
const PERMISSIONS = '/folders/ops?tab=permissions';
const YAML = '/objects/folder.svc.app/v1beta1/folders/default/text/yaml';

/** Types in an editor what is not saved yet. */
async function typedIn(page: Page, label: string, text: string, begin = ''): Promise<void> {
  const editor = page.getByRole('textbox', { name: label });
  await editor.waitFor();
  if (begin !== '') await editor.getByText(begin).first().waitFor();
  if (await editor.getByText(text.trim()).isVisible()) return;
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(text);
}

/** A manifest of another object than the set `pruned` has. */
const OTHER = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'other' },
});

/** Every dialog of the console. A component that shows one and is in no row fails a test. */
export const DIALOGS: readonly DialogRow[] = [
  {
    uses: ['app/palette/palette Palette'],
    place: FOLDERS,
    open: anywhere('Control+k'),
    focus: 'Folders, dashboards, people, teams, kinds, pages and actions',
  },
  { uses: ['app/palette/keys-help KeysHelp'], place: FOLDERS, open: anywhere('?'), focus: 'Keys' },
  {
    uses: ['folders/actions/create CreateFolder'],
    place: FOLDERS,
    open: menu('New', 'Folder…'),
    focus: 'Title',
    fill: title('Made'),
    after: 'New',
  },
  {
    uses: ['folders/actions/create-dashboard CreateDashboard'],
    place: FOLDERS,
    open: menu('New', 'Dashboard…'),
    focus: 'Title',
    fill: title('Made here'),
    after: 'Made here',
  },
  {
    uses: ['folders/import/dialog ImportDialog'],
    place: FOLDERS,
    open: menu('New', 'Import dashboards…'),
    focus: 'JSON',
    fill: (dialog) => dialog.getByLabel('JSON').fill('{ "title": "Imported", "uid": "imported", "panels": [] }'),
    after: 'Imported',
  },
  {
    uses: ['folders/actions/edit Edit', 'folders/actions/edit Form'],
    place: OPS,
    open: key('F2'),
    focus: 'Title',
    after: 'Folders',
  },
  {
    uses: ['folders/actions/move MoveDialog'],
    place: '/folders/moved',
    open: menu('Actions on this folder', /^Move to/),
    focus: 'Search folders by title',
    fill: (dialog) => dialog.getByRole('button', { name: /^All folders/ }).click(),
    after: 'Actions on this folder',
  },
  {
    uses: ['folders/actions/delete DeleteDialog'],
    place: '/folders/doomed',
    open: menu('Actions on this folder', /^Delete/),
    focus: 'Cancel',
    after: 'Operations',
  },
  {
    uses: ['folders/actions/tag-many TagMany'],
    place: MANY,
    open: selected(['Select “⁨Board 1⁩”', 'Select “⁨Board 2⁩”'], 'Tags…'),
    focus: 'Add tags',
    fill: (dialog) => dialog.getByLabel('Add tags').fill('prod'),
    after: 'Selected objects',
  },
  {
    uses: ['folders/actions/move-many MoveMany'],
    place: MANY,
    open: selected(['Select “⁨Board 1⁩”'], 'Move…'),
    focus: 'Search folders by title',
    fill: (dialog) => dialog.getByRole('button', { name: /^All folders/ }).click(),
    after: 'Selected objects',
  },
  {
    uses: ['folders/actions/delete-many DeleteMany'],
    place: MANY,
    open: selected(['Select “⁨Board 2⁩”'], 'Delete…'),
    focus: 'Cancel',
    after: 'Selected objects',
  },
  {
    uses: ['folders/access/privacy Privacy'],
    place: PERMISSIONS,
    open: button('Make private'),
    focus: 'Cancel',
    after: 'Open to the organization',
  },
  {
    uses: ['folders/access/add AddEntry'],
    place: PERMISSIONS,
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Give access to' }).fill('nora');
      await page.getByRole('option', { name: /nora/ }).click();
      return button('Add')(page);
    },
    focus: 'Cancel',
    after: 'Add',
  },
  {
    uses: ['folders/access/table Row'],
    place: PERMISSIONS,
    open: button('Remove the entry of vera'),
    focus: 'Cancel',
    after: 'Who has access',
  },
  {
    uses: ['kinds/removal remove'],
    place: '/kinds/core/v1/configmaps',
    open: selected(['Select doomed'], 'Delete…'),
    focus: 'Cancel',
    after: 'ConfigMap',
  },
  {
    uses: ['object/actions Delete'],
    place: '/objects/dashboard.svc.app/v1beta1/libraryelements/default/lost',
    open: button('Delete…'),
    focus: 'Cancel',
    after: 'Lost',
  },
  {
    uses: ['object/history/restore-dialog RestoreVersion'],
    place: '/objects/folder.svc.app/v1beta1/folders/default/changed/history',
    open: button('Restore version 1'),
    focus: 'Cancel',
    after: 'Restore version 1',
  },
  {
    uses: ['object/yaml/difference Difference'],
    place: YAML,
    open: async (page) => {
      await typedIn(page, 'Folder text as YAML', '  description: Typed\n', 'metadata');
      return button('Review and save')(page);
    },
    focus: 'Why? (optional)',
    after: 'Review and save',
  },
  {
    uses: ['object/yaml/workbench Workbench'],
    place: YAML,
    open: async (page) => {
      await typedIn(page, 'Folder text as YAML', '# Thrown away\n', 'metadata');
      return button('Discard changes')(page);
    },
    focus: 'Cancel',
    after: 'Folder text as YAML',
  },
  {
    uses: ['sets/plan-form clear'],
    place: '/plan?set=cleared',
    open: async (page) => {
      await typedIn(page, 'Manifests', 'kind: Typed');
      return button('Clear the text')(page);
    },
    focus: 'Cancel',
    after: 'Plan',
  },
  {
    uses: ['sets/plan mayDelete'],
    place: '/plan?set=pruned',
    open: async (page) => {
      await typedIn(page, 'Manifests', OTHER);
      await page.getByLabel('Prune').check();
      await button('Plan')(page);
      return button('Apply')(page);
    },
    focus: 'Cancel',
  },
  { uses: ['mirrors/form MirrorForm'], place: '/mirrors', open: button('New mirror'), focus: 'Address' },
  {
    uses: ['trash/restore-many RestoreMany'],
    place: '/trash',
    open: button('Restore all: Pair and 1 more'),
    focus: 'Cancel',
    after: 'What was deleted',
  },
  {
    uses: ['trash/restore-tree RestoreTree'],
    place: '/trash',
    open: button('Restore Thrown away'),
    focus: 'Cancel',
    after: 'What was deleted',
  },
  {
    uses: ['people/teams/edit EditTeam'],
    place: '/people/teams',
    open: button('New team'),
    focus: 'Name',
    fill: name('New watch'),
    after: 'New watch',
  },
  {
    uses: ['people/teams/edit EditTeam'],
    place: '/people/teams?open=night',
    open: button('Edit team'),
    focus: 'Name',
    after: 'Edit team',
  },
  {
    uses: ['people/teams/members Members'],
    place: '/people/teams?open=night',
    open: button('Remove vera'),
    focus: 'Cancel',
    after: 'Members',
  },
  {
    uses: ['people/teams/members AddMember'],
    place: '/people/teams?open=night',
    open: async (page) => {
      const field = page.getByRole('combobox', { name: 'Add a member' });
      await field.fill('nora');
      await page.getByRole('option', { name: /nora/ }).waitFor();
      await field.press('Enter');
      return field;
    },
    focus: 'Cancel',
    after: 'Add a member',
  },
  {
    uses: ['people/teams/team TeamPage'],
    place: '/people/teams?open=past',
    open: button('Delete team'),
    focus: 'Cancel',
    after: 'Teams',
  },
  {
    uses: ['people/users/create CreateUser', 'people/users/made-password MadePassword'],
    place: '/people/users',
    open: button('New user'),
    focus: 'Login',
    fill: (dialog) => dialog.getByLabel('Login').fill('made'),
    after: 'made',
  },
  {
    uses: ['people/users/add AddUser'],
    place: '/people/users',
    open: button('Add somebody'),
    focus: 'Login or e-mail address',
    fill: (dialog) => dialog.getByLabel('Login or e-mail address').fill('alone'),
    after: 'Add somebody',
  },
  {
    uses: ['people/users/edit EditUser'],
    place: '/people/users?open=nora',
    open: button('Edit profile'),
    focus: 'Name',
    after: 'Edit profile',
  },
  {
    uses: ['people/users/edit SetPassword', 'people/users/made-password MadePassword'],
    place: '/people/users?open=nora',
    open: button('Set password'),
    focus: 'Make a password, which must be changed at the first sign-in',
    after: 'Set password',
  },
  {
    uses: ['people/users/actions UserActions'],
    place: '/people/users?open=nora',
    open: menu('More about nora', 'Disable'),
    focus: 'Cancel',
    after: 'More about nora',
  },
  {
    uses: ['people/users/organizations Organizations'],
    place: '/people/users?open=nora',
    open: button('Remove from the organization'),
    focus: 'Cancel',
    after: 'Add to the organization',
  },
  {
    uses: ['people/users/actions UserActions'],
    place: '/people/users?open=past',
    open: menu('More about past', 'Delete user'),
    focus: 'Cancel',
    after: 'Users',
  },
  {
    uses: ['people/users/sessions Sessions'],
    place: '/people/users?open={vera}',
    open: button('Sign out everywhere'),
    focus: 'Cancel',
    after: 'Sessions',
  },
  {
    uses: ['people/accounts/edit EditAccount'],
    place: '/people/accounts',
    open: button('New service account'),
    focus: 'Name',
    fill: name('Robot'),
    after: 'Robot',
  },
  {
    uses: ['people/accounts/new-token NewToken', 'people/accounts/new-token ShownOnce'],
    place: '/people/accounts?open={builder}',
    open: button('New token'),
    focus: 'Name',
    fill: name('ci'),
    after: 'New token',
  },
  {
    uses: ['people/accounts/tokens Tokens'],
    place: '/people/accounts?open={builder}',
    open: button('Revoke ci'),
    focus: 'Cancel',
    after: 'Tokens',
  },
  {
    uses: ['people/accounts/account AccountPage'],
    place: '/people/accounts?open={builder}',
    open: button('Delete'),
    focus: 'Cancel',
    after: 'Service accounts',
  },
  {
    uses: ['people/roles/edit EditRole'],
    place: '/people/roles',
    open: button('New role'),
    focus: 'Title',
    fill: async (dialog) => {
      await dialog.getByLabel('Title').fill('New role');
      await dialog.getByLabel('Action 1', { exact: true }).fill('folders:read');
      await dialog.getByLabel('On what, of action 1').fill('folders:*');
    },
    after: 'New role',
  },
  {
    uses: ['people/roles/assignments Holders'],
    place: '/people/roles?open=reader',
    open: button('Take away the role of vera'),
    focus: 'Cancel',
    after: 'Who has it',
  },
  {
    uses: ['people/roles/assignments give'],
    place: '/people/roles?open=reader',
    open: async (page) => {
      const who = main(page).getByRole('combobox', { name: 'Who', exact: true });
      await who.fill('given');
      await page.getByRole('option', { name: 'given' }).waitFor();
      await who.press('Enter');
      return who;
    },
    focus: 'Cancel',
    after: 'Who',
  },
  {
    uses: ['people/roles/role RolePage'],
    place: '/people/roles?open=reader',
    open: button('Delete role'),
    focus: 'Cancel',
    after: 'Roles',
  },
  {
    uses: ['people/signon/tab AddProvider'],
    place: '/people/sign-on',
    open: button('Another of a type'),
    focus: 'Type',
    fill: (dialog) => dialog.getByLabel('Suffix').fill('east'),
    after: 'GitHub',
  },
  {
    uses: ['people/signon/provider ProviderPage'],
    place: '/people/sign-on?open=okta-west',
    open: button('Reset'),
    focus: 'Cancel',
    after: 'People',
  },
  {
    uses: ['app/sign-in-again SignInForm'],
    place: '/trash',
    open: async (page) => {
      const again = page.getByRole('button', { name: 'Sign in again' });
      if ((await again.count()) === 0) {
        await page.context().clearCookies();
        await button('Refresh')(page);
      }
      await again.click();
      return again;
    },
    focus: 'Login or e-mail address',
    fill: async (dialog) => {
      await dialog.getByLabel('Login or e-mail address').fill('admin');
      await dialog.getByLabel('Password').fill('admin');
    },
    after: 'Trash',
  },
];
