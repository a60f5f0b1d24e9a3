import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { withoutHidden } from '../../pkg/system/text/look-alike.js';
import { expectAccessible, type Person, useConsole } from './console.js';
import { DASHBOARDS, FOLDERS, writerOn } from './content.js';

const LONGEST = 5000;
/** The most characters of the name of a user. */
const NAME = 190;
/** Texts that are long, harmful or strange. */
const TEXTS: Readonly<Record<string, string>> = {
  long: 'Unbroken'.repeat(LONGEST / 8),
  markup: '<script>alert(1)</script><img src=x onerror=alert(1)>"\'></title><svg onload=alert(1)> &amp; {{7*7}}',
  rtl: '\u202eמסמכים\u2066 \u200fسجل 📊 \u202d🚀 \u2067txt.exe',
  emoji: '👨‍👩‍👧‍👦🏳️‍🌈'.repeat(40),
};
const NAMES = Object.keys(TEXTS);
const object = (kind: 'folder' | 'dashboard', name: string): string =>
  `/objects/${kind}.svc.app/v1beta1/${kind}s/default/${name}`;

describe('texts of any kind in the console', function suite() {
  this.timeout(180_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const users: string[] = [];
  const alerts: string[] = [];
  let person: Person;
  let page: Page;

  before(async () => {
    for (const [name, text] of Object.entries(TEXTS)) {
      await write.folder(name, text, { 'example.com/note': text });
      await write.dashboard(name, text, name);
      await write.dashboard(`${name}-deleted`, text);
      await write.remove(`${DASHBOARDS}/${name}-deleted`);
      await write.folder(`${name}-deleted`, text);
      await write.remove(`${FOLDERS}/${name}-deleted`);
      // Names of users, teams and roles must not hold characters that are not shown.
      const called = withoutHidden(
        [...text]
          .slice(0, NAME / 2)
          .join('')
          .slice(0, NAME),
      )
        .replaceAll('\u200d', '')
        .trim();
      const { id, uid } = await write.user(name, 'Viewer', called);
      users.push(uid);
      await write.send('POST', '/api/teams', { name: called });
      const permissions = [{ action: 'folders:read', scope: 'folders:*' }];
      await write.send('POST', '/apis/iam.svc.app/v1beta1/namespaces/default/roles', {
        apiVersion: 'iam.svc.app/v1beta1',
        kind: 'Role',
        metadata: { name },
        spec: { title: called, description: text, permissions },
      });
      await write.send('POST', `/api/folders/${name}/permissions`, {
        items: [{ userId: id, permission: 1 }],
      });
      await write.send('POST', '/api/v1/namespaces/default/events', {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name },
        involvedObject: { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', namespace: 'default', name },
        reason: 'Long'.repeat(30),
        type: 'Warning',
        message: text,
      });
    }
    person = await running().person({ context: { viewport: { width: 360, height: 740 } } });
    page = person.page;
    page.on('dialog', (dialog) => {
      alerts.push(dialog.message());
      void dialog.dismiss();
    });
    await person.goTo('/');
  });
  after(() => person?.context.close());

  /** Headings, and chips in tables, that have more lines than words. */
  const brokenWords = (): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('.table th, .table td .chip, .page-head h1')].flatMap((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      const text = element.textContent.trim();
      if (element.querySelector('.sr-only') !== null || /\\S{20}/.test(text)) return [];
      return lines > text.split(/\\s+/).length ? [text] : [];
    })`);
  /** How much wider than their boxes the parts of a dialog are, and how far its cross is outside of the page. */
  const dialogExcess = (): Promise<unknown> =>
    page.evaluate(`(() => {
      const parts = [...document.querySelectorAll('dialog[open], dialog[open] :is(.dialog-box, .dialog-head, .dialog-body, .dialog-foot)')];
      const cross = document.querySelector('dialog[open] [aria-label="Close"]');
      return Math.max(...parts.map((part) => part.scrollWidth - part.clientWidth), cross.getBoundingClientRect().right - innerWidth);
    })()`);
  /**
   * The texts, names and tool tips in which characters turn the order of letters around, or begin an isolation without
   * an end. The editor shows these characters.
   */
  const turned = (): Promise<unknown> =>
    page.evaluate(`(() => {
      const isOpen = (text) =>
        (text.match(/[\\u2066-\\u2068]/g) ?? []).length !== (text.match(/\\u2069/g) ?? []).length;
      const elements = [...document.body.querySelectorAll('*')].filter((one) => one.closest('.cm-editor') === null);
      const texts = elements.flatMap((one) => [
        ...[...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
        ...['title', 'aria-label', 'alt'].map((name) => one.getAttribute(name) ?? ''),
      ]);
      return [document.title, ...texts].filter((text) => /[\\u202a-\\u202e]/.test(text) || isOpen(text));
    })()`);
  /**
   * Expects that no script was run or inserted, that nothing is wider than the page, and that short words in tables are
   * whole.
   */
  const expectHarmless = async (what: string): Promise<void> => {
    const wide = `(() => {
      const main = document.querySelector('main');
      return [document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth];
    })()`;
    const [ofPage = 0, ofMain = 0] = (await page.evaluate(wide)) as readonly number[];
    expect(ofPage, `${what}: the page is too wide`).to.be.at.most(0);
    expect(ofMain, `${what}: the content is too wide`).to.be.at.most(0);
    // The editor puts images beside invisible characters.
    const inserted = '#app :is(script, img:not(.cm-widgetBuffer), [onerror], [onload])';
    expect(await page.locator(inserted).count(), what).to.equal(0);
    expect([alerts, person.complaints], what).to.deep.equal([[], []]);
    expect(await brokenWords(), what).to.deep.equal([]);
    expect(await turned(), what).to.deep.equal([]);
  };
  const open = async (place: string): Promise<void> => {
    await person.visit(place);
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };
  const harmlessAt = async (place: string): Promise<void> => {
    await open(place);
    await expectHarmless(place);
  };

  it('harm neither the tree nor the page of a folder, its permissions and its dialogs', async () => {
    await open('/folders');
    const lines = page.getByRole('treeitem');
    await lines.nth(NAMES.length - 1).waitFor();
    expect(await lines.count()).to.equal(NAMES.length);
    await expectHarmless('the tree');
    for (const name of NAMES) {
      await harmlessAt(`/folders/${name}`);
      for (const item of [/^Rename/, /^Move/, /^Delete/]) {
        await page.getByRole('button', { name: 'Actions on this folder' }).click();
        await page.getByRole('menuitem', { name: item }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        await expectHarmless(`${name}: ${item}`);
        expect(await dialogExcess(), `${name}: ${item}`).to.be.at.most(0);
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      }
      await harmlessAt(`/folders/${name}?tab=permissions`);
    }
    await expectAccessible(page);
  });

  // Promise: security browsers
  it('harm neither the table of a kind nor the parts of an object', async () => {
    await harmlessAt('/kinds/folder.svc.app/v1beta1/folders');
    await harmlessAt('/kinds/dashboard.svc.app/v1beta1/dashboards');
    await expectAccessible(page);
    for (const name of NAMES) {
      await harmlessAt(object('folder', name));
      for (const part of ['yaml', 'history', 'relations', 'managers', 'events'])
        await harmlessAt(`${object('folder', name)}/${part}`);
      await harmlessAt(object('dashboard', name));
      await expectAccessible(page);
    }
  });

  it('harm neither the lists of people and teams nor a person', async () => {
    for (const place of ['/people/users', '/people/teams', '/people/roles']) await harmlessAt(place);
    for (const uid of users) await harmlessAt(`/people/users?open=${uid}`);
    for (const name of NAMES) await harmlessAt(`/people/roles?open=${name}`);
    await expectAccessible(page);
  });

  it('harm neither the trash nor its question before something comes back', async () => {
    await harmlessAt('/trash');
    expect(await page.getByRole('button', { name: /^Restore / }).count()).to.equal(2 * NAMES.length);
    await expectAccessible(page);
    for (const button of await page.getByRole('button', { name: /^Restore / }).all()) {
      await button.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await expectHarmless('the question');
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    }
  });

  it('leave short words whole in tables beside them, also on wide pages', async () => {
    const narrow = page.viewportSize() ?? { width: 360, height: 740 };
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const place of [`${object('folder', 'long')}/events`, '/people/roles', '/people/users'])
      await harmlessAt(place);
    await open('/server');
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByRole('columnheader', { name: 'Code' }).waitFor();
    await expectHarmless('the audit log');
    await page.setViewportSize(narrow);
  });

  it('harm neither of the questions about access', async () => {
    for (const place of ['/access', ...NAMES.map((name) => `/access?ask=who&object=${name}`)]) await harmlessAt(place);
    await expectAccessible(page);
  });

  it('stay one part of the address, with all signs that an address has, and what is not there is told so', async () => {
    const name = encodeURIComponent('a/b?c#d');
    await open(`/folders/${name}`);
    await page.getByText('There is no folder “a/b?c#d” that you may view').waitFor();
    await expectHarmless('no such folder');
    await open(object('folder', name));
    await page.waitForURL(/folders\/a%2Fb%3Fc%23d\?tab=overview$/);
    await page.getByText('There is no folder “a/b?c#d” that you may view').waitFor();
    await open(object('dashboard', name));
    await page.getByText('There is no such object that you may view.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'a/b?c#d' }).waitFor();
    await expectHarmless('no such object');
  });
});
