import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { DEFINITIONS, definitionOf, versionOf } from '../custom/definition.js';
import { type Person, useConsole, usePerson } from './console.js';
import { DASHBOARDS, FOLDERS, writerOn } from './content.js';
import { beginFolder } from './folders.js';

/** What definitions take from compiled kinds: plural, kind, group. */
const TAKEN = [
  ['folders', 'AFolder', 'folder.example.com'],
  ['directories', 'Folder', 'dir.example.com'],
  ['dashboards', 'Dashboard', 'dashboard.example.com'],
  ['users', 'User', 'iam.example.com'],
  ['teams', 'Team', 'iam.example.com'],
  ['credentials', 'Credential', 'iam.example.com'],
  ['rolebindings', 'RoleBinding', 'iam.example.com'],
  ['organizations', 'Organization', 'iam.example.com'],
] as const;
const SCOPES = ['Namespaced', 'Cluster'] as const;
/** Every kind has objects with the names of those that the pages show. */
const NAMES = ['ops', 'latency', 'nora', 'watch', 'default'];
const STRANGER = 'A stranger';

/** A place of the console, and a text that it shows when it is complete. */
const PLACES = [
  ['/folders', 'Operations'],
  ['/folders/ops', 'Latency of services'],
  ['/folders/ops?q=serv', 'Latency of services'],
  ['/people/users', 'nora of the tests'],
  ['/people/teams', 'Night watch'],
] as const;

type Texts = Readonly<Record<string, string>>;

describe('kinds of definitions with the names of compiled ones, in the console', function suite() {
  this.timeout(240_000);
  const running = useConsole();
  const { send, create, folder, dashboard, remove, user } = writerOn(() => running().server);
  const { person, page } = usePerson(running);
  let texts: Texts = {};
  let [paths, stored]: [readonly string[], readonly string[]] = [[], []];
  let asked: string[] = [];

  const tree = () => page().getByRole('tree', { name: 'Folders', exact: true });
  const line = (title: string) => tree().getByRole('treeitem', { name: title, exact: true });
  const heading = (name: string) => page().getByRole('heading', { level: 1, name, exact: true });
  const dialog = () => page().getByRole('dialog');

  /** Adds the definitions, with an object for each name. Returns the paths of the collections. */
  const define = async (): Promise<readonly string[]> => {
    const paths: string[] = [];
    for (const scope of SCOPES)
      for (const [plural, kind, common] of TAKEN) {
        const group = scope === 'Cluster' ? common.replace('.', '.c.') : common;
        const words = scope === 'Cluster' ? {} : { trash: 'true', containment: 'folders', search: 'spec.title' };
        await send(
          'POST',
          DEFINITIONS,
          definitionOf({ plural, kind, group, scope, words, versions: [versionOf('v1')] }),
        );
        const path = `/apis/${group}/v1${scope === 'Cluster' ? '' : '/namespaces/default'}/${plural}`;
        for (const name of NAMES) await create(path, kind, name, { title: STRANGER });
        paths.push(path);
      }
    return paths;
  };

  /** The text of the page when it changes no more, without ages, which grow. */
  const settled = async ({ page: on }: Person): Promise<string> => {
    const read = async () =>
      ((await on.locator('main').textContent()) ?? '').replaceAll(/\d+ (second|minute)s? ago|just now/g, 'AGE');
    let [before, now] = ['', await read()];
    while (before !== now) {
      await sleep(300);
      [before, now] = [now, await read()];
    }
    return now;
  };
  const shown = async (to: Person): Promise<Texts> => {
    const all: Record<string, string> = {};
    for (const [place, complete] of PLACES) {
      await to.goTo(place);
      await to.page.locator('main').getByText(complete).first().waitFor();
      all[place] = await settled(to);
    }
    return all;
  };
  const versions = async (paths: readonly string[]): Promise<readonly string[]> =>
    Promise.all(
      paths.map(async (path) => {
        const { items } = (await send('GET', path)).json<{ items: { metadata: { resourceVersion: string } }[] }>();
        return `${path} ${items.map(({ metadata }) => metadata.resourceVersion).join()}`;
      }),
    );

  before(async () => {
    await folder('ops', 'Operations');
    await dashboard('latency', 'Latency of services', 'ops');
    await user('nora', 'Viewer', 'nora of the tests');
    await create('/apis/iam.svc.app/v1beta1/namespaces/default/teams', 'Team', 'watch', { title: 'Night watch' });
    const first = await running().person();
    texts = await shown(first);
    await first.context.close();
    paths = await define();
    stored = await versions(paths);
  });
  beforeEach(() => {
    asked = [];
    page().on('request', (request) => {
      if (request.url().includes('.example.com/')) asked.push(`${request.method()} ${request.url()}`);
    });
  });

  it('change nothing in the pages of folders, of a search and of people, which ask for none of them', async () => {
    expect(await shown(person())).to.deep.equal(texts);
    expect(asked).to.deep.equal([]);
  });

  it('are not written when folders are created, renamed, moved, deleted and brought back', async () => {
    await person().goTo('/folders');
    await beginFolder(page());
    await dialog().getByLabel('Title').fill('Fresh');
    await page().keyboard.press('Enter');
    await heading('Fresh').waitFor();
    const path = `${FOLDERS}/${page().url().split('/').at(-1) ?? ''}`;
    await tree().focus();
    await page().keyboard.press('Shift+F2');
    await dialog().getByRole('combobox', { name: 'Search folders by title' }).fill('operations');
    await dialog()
      .getByRole('option', { name: /^Operations/ })
      .waitFor();
    await page().keyboard.press('Enter');
    await dialog()
      .getByRole('button', { name: /^Move to/ })
      .click();
    await page()
      .getByText(/was moved to/)
      .waitFor();
    await page().getByRole('button', { name: 'Actions on this folder' }).click();
    await page()
      .getByRole('menuitem', { name: /^Delete/ })
      .click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await line('Fresh').waitFor({ state: 'detached' });
    await page().getByRole('button', { name: 'Undo' }).last().click();
    await heading('Fresh').waitFor();
    const { metadata } = (await send('GET', path)).json<{ metadata: { annotations: Record<string, string> } }>();
    expect(metadata.annotations['svc.app/folder']).to.equal('ops');
    await remove(path);
    expect(asked).to.deep.equal([]);
    expect(await versions(paths)).to.deep.equal(stored);
  });

  it('stay apart in the trash: each comes back with its own kind and title', async () => {
    await folder('gone', 'Thrown away');
    await dashboard('gone-board', 'Board of the thrown', 'gone');
    await remove(`${FOLDERS}/gone`);
    const path = '/apis/dir.example.com/v1/namespaces/default/directories';
    await create(path, 'Folder', 'gone', { title: STRANGER });
    await remove(`${path}/gone`);
    await person().goTo('/trash');
    const entry = (title: string) => page().getByRole('link', { name: title, exact: true });
    await entry('Thrown away').waitFor();
    await entry(STRANGER).waitFor();
    await page().getByText('Folder (dir.example.com)', { exact: true }).last().waitFor();
    await page().getByLabel('Kind').selectOption('Folder (dir.example.com)');
    await entry('Thrown away').waitFor({ state: 'detached' });
    expect(await entry(STRANGER).count()).to.equal(1);
    await page().getByLabel('Kind').selectOption('Folder');
    await entry(STRANGER).waitFor({ state: 'detached' });
    await page().getByRole('button', { name: 'Restore Thrown away' }).click();
    const comes = dialog().getByRole('region', { name: 'What comes back' });
    await comes.getByText('Thrown away').waitFor();
    expect(await comes.textContent()).to.not.contain(STRANGER);
    await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
    await page().getByText('2 objects are back.').waitFor();
    expect((await send('GET', `${FOLDERS}/gone`)).json()).to.have.nested.property('spec.title', 'Thrown away');
    expect((await send('GET', `${DASHBOARDS}/gone-board`)).status).to.equal(200);
    expect(asked.filter((one) => !one.startsWith('GET '))).to.deep.equal([]);
    expect(await versions(paths)).to.deep.equal(stored);
  });
});
