import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../e2e/process.js';
import { type Person, useConsole } from './console.js';
import { DASHBOARDS, FOLDERS, writerOn } from './content.js';
import { DIALOGS, type DialogRow } from './dialog-rows.js';
import { dialogUses } from './dialog-uses.js';

const ELEMENTS = DASHBOARDS.replace('dashboards', 'libraryelements');
const IAM = '/apis/iam.svc.app/v1beta1';
const HERE = `${IAM}/namespaces/default`;

/** Milliseconds. */
const PATIENCE = 10_000;

/** The name of the focused element, or of the group that has the focus. */
const NAME = `(() => {
  const { activeElement } = document;
  const one = activeElement.shadowRoot?.activeElement ?? activeElement;
  const heading = one.matches('section, table') ? one.querySelector('caption, h2, h3') : null;
  return one.getAttribute('aria-label') ?? (one.labels?.[0] ?? heading ?? one).textContent.trim();
})()`;

describe('the focus in dialogs of the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const uids = new Map<string, string>();
  let person: Person;

  before(async () => {
    const { send, create, folder, dashboard } = write;
    const user = async (name: string, isMember = true): Promise<void> => {
      const spec = { login: name, email: `${name}@example.com`, name: '', grafanaAdmin: false, disabled: false };
      await create(`${IAM}/users`, 'User', name, spec);
      const binding = { userRef: { name }, role: 'Viewer' };
      if (isMember) await create(`${HERE}/organizationbindings`, 'OrganizationBinding', name, binding);
    };
    const bind = (name: string, role: object, subject: object, more = {}) =>
      create(`${HERE}/rolebindings`, 'RoleBinding', name, { roleRef: role, subject, ...more });
    await folder('ops', 'Operations');
    for (const [name, title] of [
      ['doomed', 'Doomed'],
      ['moved', 'Moved'],
      ['many', 'Many'],
    ] as const)
      await folder(name, title, { 'svc.app/folder': 'ops' });
    for (const name of ['text', 'changed']) await folder(name, name);
    await create(ELEMENTS, 'LibraryElement', 'lost', { name: 'Lost', kind: 1, model: { type: 'stat' } });
    await write.rename(`${FOLDERS}/changed`, 'Changed');
    for (const n of [1, 2, 3]) await dashboard(`board-${n}`, `Board ${n}`, 'many');
    await dashboard('thrown', 'Thrown away');
    await write.remove(`${DASHBOARDS}/thrown`);
    await dashboard('pair-1', 'Pair');
    await dashboard('pair-2', 'Pair', 'changed');
    for (const name of ['pair-1', 'pair-2']) await write.remove(`${DASHBOARDS}/${name}?operation=pair`);
    await send('POST', '/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'doomed' },
    });
    await send('POST', '/apis/apply.svc.app/v1beta1/namespaces/default/applysets/pruned/apply', {
      apiVersion: 'apply.svc.app/v1beta1',
      kind: 'ApplyRequest',
      spec: { objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left-out' } }] },
    });
    for (const name of ['night', 'past']) await create(`${HERE}/teams`, 'Team', name, { title: name });
    uids.set('vera', (await write.user('vera', 'Viewer')).uid);
    for (const name of ['nora', 'past', 'given']) await user(name);
    await user('alone', false);
    const vera = { kind: 'User', name: uids.get('vera') };
    await create(`${HERE}/teambindings`, 'TeamBinding', 'vera', {
      teamRef: { name: 'night' },
      userRef: { name: uids.get('vera') },
      permission: 'member',
    });
    await bind('ops.vera', { kind: 'BuiltIn', name: 'View' }, vera, { scope: { folder: 'ops' } });
    await create(`${HERE}/roles`, 'Role', 'reader', { title: 'Reader', permissions: [] });
    await bind('reader.vera', { kind: 'Role', name: 'reader' }, vera);
    const url = 'https://okta.example';
    const settings = { clientId: 'a', authUrl: url, tokenUrl: url, apiUrl: url };
    await create(`${IAM}/ssosettings`, 'SSOSetting', 'okta-west', { settings });
    const builder = await send('POST', '/api/serviceaccounts', { name: 'Builder', role: 'Viewer' });
    uids.set('builder', builder.json<{ uid: string }>().uid);
    await running().person({ user: 'vera', password: 'four-unlikely-words-7' });
    person = await running().person();
    person.page.setDefaultTimeout(PATIENCE);
    await person.goTo('/');
  });
  afterEach(() => expect(person.complaints).to.deep.equal([]));
  after(() => person?.context.close());

  it('is tested for each of them', async () => {
    expect([...new Set(DIALOGS.flatMap(({ uses }) => uses))].sort()).to.deep.equal(await dialogUses());
  });

  const opened = async (row: DialogRow): Promise<{ readonly opener: Locator; readonly dialog: Locator }> => {
    // Messages may lie above what is to be pressed.
    for (const close of await person.page.getByRole('button', { name: 'Close message' }).all()) await close.click();
    const opener = await row.open(person.page);
    const dialog = person.page.getByRole('dialog').last();
    await dialog.waitFor();
    await isNamed(person.page, row.focus);
    return { opener, dialog };
  };

  /** Goes through the dialog by Tab, and expects that the focus stays in it. */
  const goRound = async (dialog: Locator): Promise<void> => {
    const { keyboard } = person.page;
    for (let count = await dialog.getByRole('button').count(); count >= 0; count--) {
      await keyboard.press('Tab');
      expect(await dialog.evaluate(holdsFocus)).to.equal(true);
    }
  };

  /** Does the work of the dialog. It may lead to another one, which shows what was made. */
  const finish = async (row: DialogRow, dialog: Locator): Promise<void> => {
    await row.fill?.(dialog);
    const title = await titleOf(dialog);
    await dialog.locator('.dialog-foot button, .form-foot button, button[type=submit]').last().click();
    await isGone(person.page, title);
    const rest = person.page.getByRole('dialog');
    if ((await rest.count()) === 0) return;
    const second = await titleOf(rest.last());
    await person.page.keyboard.press('Escape');
    // A secret that nobody can see again asks first.
    const question = person.page.getByRole('dialog', { name: 'Close without copying?' });
    await rest.nth(1).or(person.page.locator('body:not(:has(dialog[open]))')).first().waitFor();
    if ((await question.count()) > 0) await question.getByRole('button', { name: 'Close it' }).click();
    await isGone(person.page, second);
  };

  for (const row of DIALOGS)
    it(`begins in “${row.focus}”, stays inside and goes back: ${row.uses.join(', ')} at ${row.place}`, async () => {
      const { page } = person;
      await person.visit(row.place.replace(/\{(\w+)\}/, (_, name: string) => uids.get(name) ?? ''));
      const { opener, dialog } = await opened(row);
      await goRound(dialog);
      const title = await titleOf(dialog);
      await page.keyboard.press('Escape');
      await isGone(page, title);
      expect(await opener.evaluate(hasFocus), `after Escape: ${await page.evaluate(NAME)}`).to.equal(true);
      if (row.after === undefined) return;
      await finish(row, (await opened(row)).dialog);
      await isNamed(page, row.after);
    });
});

interface InDocument {
  readonly ownerDocument: { readonly activeElement: unknown };
  contains(other: unknown): boolean;
}

const hasFocus = (element: unknown): boolean => element === (element as InDocument).ownerDocument.activeElement;
const holdsFocus = (element: unknown): boolean =>
  (element as InDocument).contains((element as InDocument).ownerDocument.activeElement);

const titleOf = async (dialog: Locator): Promise<string> =>
  (await dialog.getByRole('heading').first().textContent()) ?? '';

/** Waits until the dialog on top is not the one with this title. */
async function isGone(page: Page, title: string): Promise<void> {
  await eventually(
    async () =>
      (await page.evaluate(`[...document.querySelectorAll('dialog')].at(-1)?.querySelector('h2').textContent`)) !==
        title || undefined,
    () => `“${title}” is not closed`,
    PATIENCE,
  );
}

/** Waits until what has the focus has the name. Parts of the page may come and go until then. */
async function isNamed(page: Page, name: string): Promise<void> {
  let found: unknown;
  await eventually(
    async () => {
      found = await page.evaluate(NAME);
      return String(found).startsWith(name) || undefined;
    },
    () => `the focus is on “${found}” and not on “${name}”`,
    PATIENCE,
  );
}
