import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { type Person, STILL, useConsole, visit } from './console.js';
import { DASHBOARDS, FOLDERS, PASSWORD, within, writerOn } from './content.js';
import { beginFolder } from './folders.js';

/** Milliseconds. A job that is refused shows nothing that could be waited for, so a mistake is noticed early. */
const PATIENCE = 15_000;

for (const store of SERVER_STORES)
  describe(`the jobs of the console (${store})`, function suite() {
    this.timeout(120_000);
    const running = useConsole(async (context) => ({
      ...(await storeSettings(context, store)),
      'auth.anonymous.enabled': 'true',
    }));
    const write = writerOn(() => running().server);
    const people = new Map<string, Person>();
    const as = (caller: string): Person => {
      const person = people.get(caller);
      if (person === undefined) throw new Error(`${caller} has not come`);
      return person;
    };
    const stored = async <Body>(path: string): Promise<Body> => (await write.send('GET', path)).json<Body>();
    const specOf = async (path: string) => (await stored<{ spec: Record<string, unknown> }>(path)).spec;

    before(async () => {
      await write.user('vera', 'Viewer');
      const { uid } = await write.user('edith', 'Editor');
      for (const caller of ['admin', 'edith', 'vera', 'nobody']) {
        await write.folder(`own-${caller}`, `Folder of ${caller}`);
        await write.dashboard(`board-${caller}`, `Board of ${caller}`, `own-${caller}`);
        await write.dashboard(`gone-${caller}`, `Gone of ${caller}`, `own-${caller}`);
        await write.remove(`${DASHBOARDS}/gone-${caller}`);
      }
      await write.create('/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings', 'RoleBinding', 'own.edith', {
        roleRef: { kind: 'BuiltIn', name: 'Admin' },
        subject: { kind: 'User', name: uid },
        scope: { folder: 'own-edith' },
      });
      people.set('admin', await running().person());
      for (const user of ['edith', 'vera']) people.set(user, await running().person({ user, password: PASSWORD }));
      people.set('nobody', await anonymous());
      for (const { page, goTo } of people.values()) {
        page.setDefaultTimeout(PATIENCE);
        await goTo('/');
      }
    });
    after(() => Promise.all([...people.values()].map(({ context }) => context.close())));

    /** Somebody without credentials, in a browser of their own. */
    const anonymous = async (): Promise<Person> => {
      const { browser, server } = running();
      const context = await browser.newContext(STILL);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', ({ message }) => complaints.push(message));
      const goTo = async (place: string): Promise<void> => {
        await page.goto(`${server.httpUrl}/console${place}`);
        await page.locator('h1').first().waitFor();
      };
      return { page, context, complaints, goTo, visit: (place) => visit(page, place) };
    };

    for (const caller of ['admin', 'edith', 'vera', 'nobody']) {
      const mayEdit = caller === 'admin' || caller === 'edith';

      describe(`of ${caller}`, () => {
        const page = (): Page => as(caller).page;
        const press = (name: string | RegExp, around: Page | Locator = page()) =>
          around.getByRole('button', { name, exact: true }).click();
        const told = (text: string | RegExp) => page().getByText(text).last().waitFor();
        const dialog = () => page().getByRole('dialog');
        const isRefused = (name: string): Promise<void> =>
          page()
            .getByRole('main')
            .getByRole('button', { name, exact: true })
            .and(page().locator('[aria-disabled=true]'))
            .first()
            .waitFor();
        afterEach(() => expect(as(caller).complaints).to.deep.equal([]));

        it('a dashboard is found, read and starred', async () => {
          await as(caller).visit('/folders');
          await page().locator('#folder-search').fill(`board ${caller}`);
          await page()
            .getByRole('link', { name: `Board of ${caller}` })
            .click();
          await page()
            .getByRole('heading', { level: 1, name: `Board of ${caller}` })
            .waitFor();
          const star = page().getByRole('main').getByRole('button', { name: /^Star/ });
          if (caller === 'nobody') {
            expect(await star.count()).to.equal(0);
            return;
          }
          await star.click();
          await star.and(page().locator('[aria-pressed=true]')).waitFor();
        });

        it('a folder is made, moved, deleted and brought back', async () => {
          await as(caller).visit('/folders');
          if (!mayEdit) return isRefused('New');
          const title = `Made by ${caller}`;
          const heading = page().getByRole('heading', { level: 1, name: title });
          await beginFolder(page());
          await dialog().getByLabel('Title').fill(title);
          await page().keyboard.press('Enter');
          await heading.waitFor();
          const path = `${FOLDERS}/${page().url().split('/').at(-1)}`;
          const choose = async (item: RegExp): Promise<void> => {
            await press('Actions on this folder');
            await page().getByRole('menuitem', { name: item }).click();
          };
          await choose(/^Move to/);
          await dialog().getByRole('combobox').fill(`folder of ${caller}`);
          await dialog().getByRole('option').first().click();
          await dialog()
            .getByRole('button', { name: /^Move to/ })
            .click();
          await told(/was moved to/);
          expect((await stored<{ metadata: object }>(path)).metadata)
            .to.have.property('annotations')
            .which.includes(within(`own-${caller}`));
          await choose(/^Delete/);
          await press('Delete', dialog());
          await told(/was deleted/);
          await page().getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
          await heading.waitFor();
          await stored(path);
        });

        it('the YAML of an object is changed, with a reason', async () => {
          await as(caller).visit(`/objects/folder.svc.app/v1beta1/folders/default/own-${caller}/yaml`);
          const editor = page().getByRole('textbox', { name: `Folder own-${caller} as YAML` });
          await editor.getByText('metadata').waitFor();
          if (!mayEdit) {
            await page()
              .getByText(/^Read only: /)
              .waitFor();
            return isRefused('Review and save');
          }
          await editor.click();
          await page().keyboard.press('ControlOrMeta+End');
          await page().keyboard.insertText(`  description: By ${caller}\n`);
          await press('Review and save');
          await dialog().getByLabel('Why? (optional)').fill('To see');
          await press('Save', dialog());
          await dialog().waitFor({ state: 'detached' });
          expect((await specOf(`${FOLDERS}/own-${caller}`))['description']).to.equal(`By ${caller}`);
        });

        it('access is given, and taken back by Undo', async () => {
          await as(caller).visit(`/folders/own-${caller}?tab=permissions`);
          const level = page().getByRole('combobox', { name: 'Level of Viewer' });
          if (!mayEdit) {
            await page()
              .getByRole('heading', { level: 1, name: `Folder of ${caller}` })
              .waitFor();
            await page().locator('.skeleton').first().waitFor({ state: 'detached' });
            expect(
              await page()
                .getByRole('button', { name: 'Add', exact: true })
                .and(page().locator('[aria-disabled=false]'))
                .count(),
            ).to.equal(0);
            return;
          }
          // Who administers a folder only may not search people, but knows the roles.
          await page().getByRole('combobox', { name: 'Give access to' }).fill('Viewer');
          await page()
            .getByRole('option', { name: /^Viewer/ })
            .click();
          await press('Add');
          await press('Give access', dialog());
          await level.waitFor();
          await page().getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
          await level.waitFor({ state: 'detached' });
        });

        it('manifests are planned and applied', async () => {
          await as(caller).visit(`/plan?set=of-${caller}`);
          if (caller !== 'admin') {
            await page()
              .getByText(/^(You cannot apply manifests here|This can be seen after)/)
              .waitFor();
            return;
          }
          await page().getByRole('textbox', { name: 'Manifests' }).click();
          await page().keyboard.insertText(
            'apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata:\n  name: applied\nspec:\n  title: Applied\n',
          );
          await press('Plan');
          await told('1 to create');
          await press('Apply');
          await told('Applied in one commit');
          expect(await specOf(`${FOLDERS}/applied`)).to.deep.equal({ title: 'Applied' });
        });

        it('the account has preferences', async () => {
          await as(caller).visit('/account');
          if (caller === 'nobody') return page().getByText('Sign in to have preferences').waitFor();
          await page().getByLabel('Time zone').fill('Europe/Berlin');
          await press('Save preferences');
          await told('The preferences were saved.');
          const { httpUrl } = running().server;
          const answer = await as(caller).context.request.get(`${httpUrl}/api/user/preferences`);
          expect(await answer.json()).to.include({ timezone: 'Europe/Berlin' });
        });

        it('what was deleted comes back from the trash', async () => {
          await as(caller).visit('/trash');
          await press(`Restore Gone of ${caller}`);
          const restore = dialog().getByRole('button', { name: 'Restore', exact: true });
          if (!mayEdit) {
            await page().locator('dialog button[aria-disabled=true]', { hasText: 'Restore' }).waitFor();
            return press('Cancel', dialog());
          }
          await restore.click();
          await told('1 object is back.');
          await stored(`${DASHBOARDS}/gone-${caller}`);
        });
      });
    }
  });
