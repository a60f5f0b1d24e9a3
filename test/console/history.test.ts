import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, type Person, useConsole } from './console.js';

const NAMESPACE = 'namespaces/default';
const FOLDERS = `/apis/folder.svc.app/v1beta1/${NAMESPACE}/folders`;
const DASHBOARDS = `/apis/dashboard.svc.app/v1beta1/${NAMESPACE}/dashboards`;
const TEAMS = `/apis/iam.svc.app/v1beta1/${NAMESPACE}/teams`;

interface Body {
  readonly metadata: {
    readonly name: string;
    readonly generation?: number;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly title?: string };
}

describe('the past in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  let count = 0;
  const fresh = (what: string): string => `${what}-${++count}`;

  const api = async <Answer = Body>(method: string, path: string, body?: object, type?: string): Promise<Answer> => {
    const answer = await running().server.client.request(method, path, {
      ...(body !== undefined && { body, headers: { 'content-type': type ?? 'application/json' } }),
    });
    expect(answer.status, answer.text).to.be.lessThan(300);
    return answer.json<Answer>();
  };
  const annotated = (name: string, parent: string | undefined) => ({
    name,
    ...(parent !== undefined && { annotations: { 'svc.app/folder': parent } }),
  });
  const folder = (name: string, title: string, parent?: string): Promise<Body> =>
    api('POST', FOLDERS, {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: annotated(name, parent),
      spec: { title },
    });
  const dashboard = (name: string, spec: object, parent?: string): Promise<Body> =>
    api('POST', DASHBOARDS, {
      apiVersion: 'dashboard.svc.app/v1beta1',
      kind: 'Dashboard',
      metadata: annotated(name, parent),
      spec,
    });
  const change = (path: string, spec: object, message?: string): Promise<Body> => {
    const metadata = message === undefined ? {} : { metadata: { annotations: { 'svc.app/message': message } } };
    return api('PATCH', path, { ...metadata, spec }, 'application/merge-patch+json');
  };

  /** Runs a test as the administrator, and expects that the page complains of nothing. */
  const asAdmin = (test: (page: Page, person: Person) => Promise<void>) => async (): Promise<void> => {
    const person = await running().person();
    try {
      await test(person.page, person);
      expect(person.complaints).to.deep.equal([]);
    } finally {
      await person.context.close();
    }
  };
  const historyOf = (name: string): string => `/objects/dashboard.svc.app/v1beta1/dashboards/default/${name}/history`;

  describe('the versions of an object', () => {
    const versionsIn = (page: Page) => page.getByRole('region', { name: 'Versions' });
    const three = async (): Promise<string> => {
      const name = fresh('sales');
      await dashboard(name, { title: `One ${name}`, panels: [{ id: 1, title: 'First' }] });
      await change(`${DASHBOARDS}/${name}`, { title: `Two ${name}` }, 'Because of the second');
      await change(`${DASHBOARDS}/${name}`, { title: `Three ${name}` });
      return name;
    };

    it(
      'are listed with author and message, and any two are shown side by side, without what the server sets',
      asAdmin(async (page, { goTo }) => {
        await goTo(historyOf(await three()));
        const versions = versionsIn(page);
        await versions.getByText('Because of the second').waitFor();
        expect(await versions.getByRole('listitem').count()).to.equal(3);
        const between = (from: number, to: number) =>
          page.getByRole('region', { name: `Difference from Version ${from} to Version ${to}` });
        await between(2, 3).getByText('Three').waitFor();
        await page.getByLabel('Compare from version 1').check();
        await between(1, 3).getByText('One').waitFor();
        const text = await between(1, 3).textContent();
        expect(text).to.contain('+1').and.to.contain('−1').and.to.not.contain('resourceVersion');
        expect(text).to.not.contain('updatedTimestamp');
        await expectAccessible(page);
      }),
    );

    it(
      'come back after a look at the difference, and the page follows what others write',
      asAdmin(async (page, { goTo }) => {
        const name = await three();
        await goTo(historyOf(name));
        await page.getByRole('button', { name: 'Restore version 1' }).click();
        const dialog = page.getByRole('dialog', { name: 'Restore version 1?' });
        await dialog.getByText('One').waitFor();
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
        await page.getByText('Version 1 is back, as version 4.').waitFor();
        await versionsIn(page).getByText('Restored from version 1').waitFor();
        await versionsIn(page)
          .getByText(/^admin, /)
          .waitFor();
        expect((await api('GET', `${DASHBOARDS}/${name}`)).spec.title).to.equal(`One ${name}`);
        await change(`${DASHBOARDS}/${name}`, { title: `By another ${name}` }, 'From elsewhere');
        await versionsIn(page).getByText('From elsewhere').waitFor();
      }),
    );

    it(
      'have the names of their authors, also of a user whose object has a generated name',
      asAdmin(async (page, { goTo }) => {
        const login = fresh('ada');
        const password = 'four-unlikely-words-7';
        const { id } = await api<{ id: number }>('POST', '/api/admin/users', { login, name: `Ada ${login}`, password });
        await api('PATCH', `/api/orgs/1/users/${id}`, { role: 'Admin' });
        const name = await three();
        const answer = await running().server.client.request('PATCH', `${DASHBOARDS}/${name}`, {
          body: { spec: { title: `By Ada ${name}` } },
          headers: {
            authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
            'content-type': 'application/merge-patch+json',
          },
        });
        expect(answer.status, answer.text).to.equal(200);
        await goTo(historyOf(name));
        await versionsIn(page)
          .getByText(new RegExp(`^Ada ${login}, `))
          .waitFor();
      }),
    );

    it(
      'come back where the object is now, and where it was only if asked',
      asAdmin(async (page, { goTo }) => {
        const [name, now] = [fresh('moved'), fresh('now')];
        await folder(now, `Now ${now}`);
        await dashboard(name, { title: `One ${name}` });
        const moved = { annotations: { 'svc.app/folder': now } };
        const patch = { metadata: moved, spec: { title: `Two ${name}` } };
        await api('PATCH', `${DASHBOARDS}/${name}`, patch, 'application/merge-patch+json');
        const placeOf = async () => (await api('GET', `${DASHBOARDS}/${name}`)).metadata.annotations;
        const dialog = page.getByRole('dialog', { name: 'Restore version 1?' });
        const ask = () => page.getByRole('button', { name: 'Restore version 1' }).click();
        const press = () => dialog.getByRole('button', { name: 'Restore', exact: true }).click();
        await goTo(historyOf(name));
        await ask();
        await dialog.getByText(`One ${name}`).waitFor();
        await press();
        await page.getByText('Version 1 is back, as version 3.').waitFor();
        expect(await placeOf()).to.include({ 'svc.app/folder': now });
        await ask();
        await dialog.getByLabel('Also move it back to the folder that it was in').check();
        await press();
        await page.getByText('Version 1 is back, as version 4.').waitFor();
        expect(await placeOf()).not.to.have.property('svc.app/folder');
      }),
    );

    it(
      'stay after the object is deleted, and bring it back',
      asAdmin(async (page, { goTo }) => {
        const name = await three();
        await api('DELETE', `${DASHBOARDS}/${name}`);
        await goTo(historyOf(name));
        await versionsIn(page).getByText('Deleted', { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Restore version 3' }).click();
        await page.getByText('1 object comes back').waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
        await versionsIn(page).getByText('Current', { exact: true }).waitFor();
        expect((await api('GET', `${DASHBOARDS}/${name}`)).spec.title).to.equal(`Three ${name}`);
      }),
    );

    it(
      'of a large object are compared with what is equal folded',
      asAdmin(async (page, { goTo }) => {
        const name = fresh('large');
        const panels = Array.from({ length: 12_000 }, (_, id) => ({ id, title: `Panel ${id} ${'x'.repeat(200)}` }));
        await dashboard(name, { title: 'Large', panels });
        await change(`${DASHBOARDS}/${name}`, { title: 'Larger' });
        await goTo(historyOf(name));
        const fold = page.getByRole('button', { name: /^Show \d{5} equal lines$/ });
        await fold.waitFor();
        expect(await page.locator('.difference-line').count()).to.be.lessThan(40);
        await fold.click();
        await page.getByRole('button', { name: /^Show more of/ }).waitFor();
      }),
    );
  });

  describe('the trash', () => {
    const deletedTree = async (): Promise<string> => {
      const top = fresh('top');
      await folder(top, `Top ${top}`);
      await folder(`${top}-sub`, `Sub ${top}`, top);
      await dashboard(`${top}-a`, { title: `In top ${top}` }, top);
      await dashboard(`${top}-b`, { title: `In sub ${top}` }, `${top}-sub`);
      await api('DELETE', `${FOLDERS}/${top}`);
      return top;
    };

    it(
      'shows what was deleted together as one entry, which opens, and brings it back as a whole after a preview',
      asAdmin(async (page, { goTo }) => {
        const top = await deletedTree();
        await goTo('/trash');
        await page.getByRole('button', { name: `What was deleted with Top ${top}` }).click();
        await page.getByRole('link', { name: `In sub ${top}` }).waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: `Restore Top ${top}` }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('4 objects come back').waitFor();
        await dialog.getByText(`In sub ${top}`).waitFor();
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
        await page.getByText('4 objects are back.').waitFor();
        await page.getByRole('link', { name: `Top ${top}`, exact: true }).waitFor({ state: 'detached' });
        expect((await api('GET', `${DASHBOARDS}/${top}-b`)).metadata.name).to.equal(`${top}-b`);
      }),
    );

    it(
      'says where something lay, and what people call all that comes back',
      asAdmin(async (page, { goTo }) => {
        const [over, top, element] = [fresh('over'), fresh('top'), fresh('element')];
        await folder(over, `Over ${over}`);
        await folder(top, `Top ${top}`, over);
        await api('POST', `/apis/dashboard.svc.app/v1beta1/${NAMESPACE}/libraryelements`, {
          apiVersion: 'dashboard.svc.app/v1beta1',
          kind: 'LibraryElement',
          metadata: { name: element, annotations: { 'svc.app/folder': top } },
          spec: { name: `Panel ${element}`, kind: 1, model: { type: 'text' } },
        });
        await api('DELETE', `${FOLDERS}/${top}`);
        await goTo('/trash');
        const row = page.getByRole('row').filter({ hasText: `Top ${top}` });
        await row.getByRole('link', { name: `Over ${over}` }).waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: `Restore Top ${top}` }).click();
        await page.getByRole('dialog').getByText(`Panel ${element}`).waitFor();
      }),
    );

    it(
      'finds by text and kind, also what lies in a deleted folder',
      asAdmin(async (page, { goTo }) => {
        const [top, other] = [await deletedTree(), await deletedTree()];
        await goTo('/trash');
        await page.getByLabel('Title or name').fill(`In sub ${top}`);
        await page.getByRole('link', { name: `Top ${other}` }).waitFor({ state: 'detached' });
        await page.getByRole('link', { name: `Top ${top}` }).waitFor();
        await page.getByLabel('Kind').selectOption('AlertRule');
        await page.getByText('Nothing in the trash matches').waitFor();
        await page.getByRole('button', { name: 'Show all' }).click();
        await page.getByRole('link', { name: `Top ${other}` }).waitFor();
      }),
    );

    it(
      'says that the folder of something is gone, and brings back both, or the object to another folder',
      asAdmin(async (page, { goTo }) => {
        const top = await deletedTree();
        await goTo('/trash');
        await page.getByRole('button', { name: `What was deleted with Top ${top}` }).click();
        await page.getByRole('button', { name: `Restore In sub ${top}` }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText(`Its folder Sub ${top} was deleted, too.`).waitFor();
        const restore = dialog.getByRole('button', { name: 'Restore', exact: true });
        expect(await restore.getAttribute('aria-disabled')).to.equal('true');
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Restore to another folder…' }).click();
        const other = fresh('other');
        await folder(other, `Other ${other}`);
        await dialog.getByRole('combobox', { name: 'Search folders by title' }).fill(`Other ${other}`);
        await dialog.getByRole('option', { name: `Other ${other}` }).click();
        await dialog.getByText('1 object comes back').waitFor();
        await expectAccessible(page);
        await restore.click();
        await page.getByText('1 object is back.').waitFor();
        const { annotations } = (await api('GET', `${DASHBOARDS}/${top}-b`)).metadata;
        expect(annotations?.['svc.app/folder']).to.equal(other);
        await page.getByRole('button', { name: `Restore In top ${top}` }).click();
        await dialog.getByRole('button', { name: 'Restore both' }).click();
        await page.getByText('3 objects are back.').waitFor();
        expect((await api('GET', `${DASHBOARDS}/${top}-a`)).metadata.name).to.equal(`${top}-a`);
      }),
    );

    it(
      'names what does not come back with a folder, and why',
      asAdmin(async (page, { goTo }) => {
        const [top, team] = [fresh('top'), fresh('team')];
        await folder(top, `Top ${top}`);
        await api('POST', TEAMS, {
          apiVersion: 'iam.svc.app/v1beta1',
          kind: 'Team',
          metadata: { name: team },
          spec: { title: team },
        });
        await api('POST', `/apis/iam.svc.app/v1beta1/${NAMESPACE}/rolebindings`, {
          apiVersion: 'iam.svc.app/v1beta1',
          kind: 'RoleBinding',
          metadata: { name: `${top}-team` },
          spec: {
            subject: { kind: 'Team', name: team },
            roleRef: { kind: 'BuiltIn', name: 'View' },
            scope: { folder: top },
          },
        });
        await api('POST', DASHBOARDS, {
          apiVersion: 'dashboard.svc.app/v1beta1',
          kind: 'Dashboard',
          metadata: annotated(`${top}-a`, top),
          spec: { title: `In ${top}` },
        });
        await api('DELETE', `${DASHBOARDS}/${top}-a`);
        await api('DELETE', `${FOLDERS}/${top}`);
        await api('DELETE', `${TEAMS}/${team}`);
        await goTo('/trash');
        await page.getByRole('button', { name: `Restore Top ${top}` }).click();
        await page.getByText(`there is no "${team}" in`).waitFor();
        await page.getByText('1 object does not come back').waitFor();
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: `Restore In ${top}` }).click();
        await page.getByRole('button', { name: 'Restore both' }).click();
        await page.getByText('2 objects are back. 1 could not come back.').waitFor();
      }),
    );

    it(
      'shows titles from people as text, whatever they have',
      asAdmin(async (page, { goTo }) => {
        const name = fresh('hostile');
        const title = `\u202e<img src=x onerror=alert(1)> ${'long '.repeat(900)}😀`;
        await dashboard(name, { title });
        await api('DELETE', `${DASHBOARDS}/${name}`);
        await goTo('/trash');
        await page.getByLabel('Title or name').fill('onerror');
        const link = page.getByRole('link', { name: '<img src=x' });
        await link.waitFor();
        expect(await page.locator('main img').count()).to.equal(0);
        expect(await page.evaluate('document.body.scrollWidth <= innerWidth')).to.equal(true);
      }),
    );
  });
});
