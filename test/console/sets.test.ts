import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { expectAccessible, useConsole, usePerson } from './console.js';
import { FOLDERS, writerOn } from './content.js';

const SETS = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets';

describe('apply sets in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  let count = 0;
  const fresh = (what: string): string => `${what}-${++count}`;
  const { person, page } = usePerson(running);

  const applied = (set: string, folders: Readonly<Record<string, string>>) =>
    write.send('POST', `${SETS}/${set}/apply`, {
      apiVersion: 'apply.svc.app/v1beta1',
      kind: 'ApplyRequest',
      spec: { objects: Object.entries(folders).map(([name, title]) => manifestOf(name, title)) },
    });
  const manifestOf = (name: string, title: string) => ({
    apiVersion: 'folder.svc.app/v1beta1',
    kind: 'Folder',
    metadata: { name },
    spec: { title },
  });
  const yamlOf = (name: string, title: string): string =>
    `apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata:\n  name: ${name}\nspec:\n  title: ${title}\n`;
  const titleOf = async (path: string): Promise<string> =>
    (await write.send('GET', path)).json<{ spec: { title: string } }>().spec.title;
  const editor = () => page().getByRole('textbox', { name: 'Manifests' });
  /** Puts a text in place of the one that is there. */
  const paste = async (text: string): Promise<void> => {
    await editor().click();
    await page().keyboard.press('ControlOrMeta+a');
    await page().keyboard.press('Delete');
    await page().keyboard.insertText(text);
  };

  it('are listed with what differs, and a set tells its members, their fields and since when, as it happens', async () => {
    const [set, one, two] = [fresh('set'), fresh('f'), fresh('f')];
    await applied(set, { [one]: `T ${one}`, [two]: `T ${two}` });
    await person().goTo('/sets');
    const row = page().getByRole('row').filter({ hasText: set });
    await row.getByText('As applied').waitFor();
    await write.rename(`${FOLDERS}/${one}`, `Other ${one}`);
    await row.getByText('1 of 2 differ').waitFor();
    await expectAccessible(page());
    await row.getByRole('link', { name: set }).click();
    const member = page().getByRole('row').filter({ hasText: one });
    // People know it by its title.
    await member.getByRole('link', { name: `Other ${one}`, exact: true }).waitFor();
    await member.getByText('spec.title').waitFor();
    await member
      .getByText(/ago$|just now/)
      .first()
      .waitFor();
    await write.remove(`${FOLDERS}/${two}`);
    await page().getByText('it was deleted').waitFor();
    await expectAccessible(page());
  });

  it('show their members of every kind by their titles', async () => {
    const set = fresh('set');
    const iam = (kind: string, name: string, spec: object) => ({
      apiVersion: 'iam.svc.app/v1beta1',
      kind,
      metadata: { name },
      spec,
    });
    await applied(set, { ops: 'Operations' });
    const rule = { title: 'Disk is full', ruleGroup: 'g', condition: 'A', data: [{ refId: 'A' }] };
    await write.send('POST', `${SETS}/${set}/apply`, {
      apiVersion: 'apply.svc.app/v1beta1',
      kind: 'ApplyRequest',
      spec: {
        objects: [
          manifestOf('ops', 'Operations'),
          iam('Team', 'night', { title: 'Night shift' }),
          iam('Role', 'reader', { title: 'Readers of reports', permissions: [] }),
          iam('Role', 'plain', { permissions: [] }),
          {
            apiVersion: 'rules.alerting.svc.app/v1beta1',
            kind: 'AlertRule',
            metadata: { name: 'disk', annotations: { 'svc.app/folder': 'ops' } },
            spec: rule,
          },
        ],
      },
    });
    const asked: string[] = [];
    page().on('request', (request) => {
      if (request.url().includes('includeObject=None')) asked.push(request.url());
    });
    await person().goTo(`/sets/${set}`);
    const link = (name: string) => page().getByRole('table').getByRole('link', { name, exact: true });
    for (const title of ['Operations', 'Night shift', 'Readers of reports', 'plain', 'Disk is full'])
      await link(title).waitFor();
    await page().getByRole('row').filter({ hasText: 'Night shift' }).getByText('night', { exact: true }).waitFor();
    expect(asked.length).to.equal(3);
    await expectAccessible(page());
  });

  it('show of a member that differs what was applied and what is there now, who changed it, and put it back', async () => {
    const [set, one, two] = [fresh('set'), fresh('f'), fresh('f')];
    await applied(set, { [one]: `T ${one}`, [two]: `T ${two}` });
    await write.rename(`${FOLDERS}/${one}`, `Other ${one}`);
    await write.remove(`${FOLDERS}/${two}`);
    await person().goTo(`/sets/${set}`);
    await page()
      .getByRole('button', { name: `Compare ${one}` })
      .click();
    const member = page().getByRole('row').filter({ hasText: one });
    await member.getByRole('deletion').getByText(`Other ${one}`).waitFor();
    await member.getByText(`T ${one}`, { exact: true }).waitFor();
    await member.getByText('Last changed by').waitFor();
    await expectAccessible(page());
    await page()
      .getByRole('button', { name: `Put back ${one}` })
      .click();
    await page().getByText(`${one} is again as it was applied.`).waitFor();
    await member.getByText('as applied').waitFor();
    expect(await titleOf(`${FOLDERS}/${one}`)).to.equal(`T ${one}`);
    await page()
      .getByRole('button', { name: `Compare ${two}` })
      .click();
    await page().getByText('Deleted by').waitFor();
    await page()
      .getByRole('button', { name: `Put back ${two}` })
      .click();
    await page().getByText('All members', { exact: true }).waitFor({ state: 'attached' });
    await page().getByText('it was deleted').waitFor({ state: 'detached' });
    expect(await titleOf(`${FOLDERS}/${two}`)).to.equal(`T ${two}`);
  });

  describe('compare a member that differs', () => {
    const drifted = async (renamed: number): Promise<string> => {
      const [set, name] = [fresh('set'), fresh('f')];
      await applied(set, { [name]: `T ${name}` });
      // The times of versions are seconds.
      await new Promise((resolve) => setTimeout(resolve, 1100));
      for (let n = 1; n <= renamed; n++) await write.rename(`${FOLDERS}/${name}`, `Other ${n}`);
      await person().goTo(`/sets/${set}`);
      return name;
    };
    const press = (name: string) => page().getByRole('button', { name }).click();
    const onePerPage = () =>
      page().route(/\/history\?limit=50/, (route) =>
        route.continue({ url: route.request().url().replace('limit=50', 'limit=1') }),
      );

    it('and put it back only as it was shown', async () => {
      const name = await drifted(1);
      await press(`Compare ${name}`);
      await page().getByRole('deletion').getByText('Other 1').waitFor();
      await write.rename(`${FOLDERS}/${name}`, 'Other again');
      await press(`Put back ${name}`);
      await page().getByText(`${name} was changed meanwhile.`).waitFor();
      await page().getByRole('deletion').getByText('Other again').waitFor();
      expect(await titleOf(`${FOLDERS}/${name}`)).to.equal('Other again');
      await press(`Put back ${name}`);
      await page().getByText(`${name} is again as it was applied.`).waitFor();
      expect(await titleOf(`${FOLDERS}/${name}`)).to.equal(`T ${name}`);
    });

    it('and say if it still differs after it was put back', async () => {
      const name = await drifted(1);
      await page().route(/\/members$/, async (route) => {
        const response = await route.fetch();
        const { members, ...rest } = await response.json();
        const json = { ...rest, members: members.map((one: object) => ({ ...one, drift: 'spec.title' })) };
        await route.fulfill({ response, json });
      });
      await press(`Compare ${name}`);
      await press(`Put back ${name}`);
      await page().getByText(`${name} still differs: spec.title`).waitFor();
    });

    it('and say why it cannot be compared, until it can', async () => {
      const refuse = (route: Route) => route.fulfill({ status: 500, json: { message: 'Not now.' } });
      await page().route(/\/history\?/, refuse);
      const name = await drifted(1);
      await press(`Compare ${name}`);
      await page().getByRole('alert').getByText('Not now.').waitFor();
      await page().unroute(/\/history\?/, refuse);
      await press('Try again');
      await page().getByRole('deletion').getByText('Other 1').waitFor();
    });

    it('with what was applied some pages of versions ago', async () => {
      await onePerPage();
      const name = await drifted(3);
      await press(`Compare ${name}`);
      await page().getByRole('deletion').getByText('Other 3').waitFor();
      await page().getByText(`T ${name}`, { exact: true }).waitFor();
    });

    it('and say how many versions they looked at', async () => {
      await onePerPage();
      const name = await drifted(4);
      await press(`Compare ${name}`);
      await page().getByText('none of the last 4 versions').waitFor();
    });
  });

  it('are planned from pasted manifests, with conflicts, and applied in one commit', async () => {
    const [set, mine, pruned, added] = [fresh('set'), fresh('f'), fresh('f'), fresh('f')];
    await applied(set, { [mine]: `T ${mine}`, [pruned]: `T ${pruned}` });
    await write.rename(`${FOLDERS}/${mine}`, `By hand ${mine}`);
    await person().goTo(`/plan?set=${set}`);
    await paste([yamlOf(mine, `T ${mine}`), yamlOf(added, `New ${added}`)].join('---\n'));
    await page().getByLabel('Prune').check();
    const plan = page().getByRole('button', { name: 'Plan', exact: true });
    const [apply, planned] = [
      page().getByRole('button', { name: 'Apply', exact: true }),
      page().getByRole('region', { name: 'What would be done' }),
    ];
    await plan.click();
    await planned.getByText(/Apply failed with 1 conflict/).waitFor();
    expect(await apply.getAttribute('aria-disabled')).to.equal('true');
    await expectAccessible(page());
    await page().getByLabel('Force').check();
    await page().getByText('This is the plan of an earlier text.').waitFor();
    await plan.click();
    for (const text of ['1 to delete', '1 to create', '1 to change', `By hand ${mine}`])
      await planned.getByText(text).first().waitFor();
    await apply.click();
    const question = page().getByRole('dialog', { name: 'Delete 1 object?' });
    await question.getByText(`Folder ${pruned}`).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect((await running().server.client.request('GET', `${FOLDERS}/${pruned}`)).status).to.equal(200);
    await apply.click();
    await question.getByRole('button', { name: 'Apply and delete' }).click();
    await page()
      .getByText(/^Applied in one commit, revision \d+\.$/)
      .waitFor();
    expect(await titleOf(`${FOLDERS}/${mine}`)).to.equal(`T ${mine}`);
    expect((await running().server.client.request('GET', `${FOLDERS}/${pruned}`)).status).to.equal(404);
    await page().getByRole('link', { name: 'Open the set' }).click();
    await page().getByRole('row').filter({ hasText: added }).waitFor();
  });

  it('have a draft that is still there after other pages and a reload', async () => {
    await person().goTo('/plan');
    await page().getByLabel('Set', { exact: true }).fill('later');
    await paste('kind: Folder');
    await page().getByRole('link', { name: 'Trash' }).click();
    await page().getByRole('link', { name: 'Plan', exact: true }).click();
    await editor().getByText('Folder').waitFor();
    await page().reload();
    await editor().getByText('Folder').waitFor();
    expect(await page().getByLabel('Set', { exact: true }).inputValue()).to.equal('later');
  });

  it('tell where a text is wrong: its line, or the document that the server refuses', async () => {
    await person().goTo(`/plan?set=${fresh('set')}`);
    const plan = page().getByRole('button', { name: 'Plan', exact: true });
    await paste('kind: Folder\nmetadata: [\n');
    await plan.click();
    await page()
      .getByText(/at line \d/)
      .waitFor();
    await paste(`${yamlOf('fine', 'Fine')}---\n${yamlOf('wrong', '')}  more: x\n`);
    await plan.click();
    await page()
      .getByText(/document 2 \(line \d+\)/i)
      .first()
      .waitFor();
  });

  it('say in the plan who gains and who loses access', async () => {
    const [set, name] = [fresh('set'), fresh('f')];
    const { uid } = await write.user('gaia', 'None', 'Gaia Gain');
    await write.folder(name, `T ${name}`);
    await person().goTo(`/plan?set=${set}`);
    await paste(
      [
        'apiVersion: iam.svc.app/v1beta1',
        'kind: RoleBinding',
        'metadata:',
        `  name: ${name}.user.${uid}`,
        'spec:',
        '  subject:',
        '    kind: User',
        `    name: ${uid}`,
        '  roleRef:',
        '    kind: BuiltIn',
        '    name: Edit',
        '  scope:',
        `    folder: ${name}`,
        '',
      ].join('\n'),
    );
    await page().getByRole('button', { name: 'Plan', exact: true }).click();
    const access = page().getByRole('region', { name: 'Whose access would change' });
    await access.getByText('Gaia Gain').waitFor();
    await access.getByRole('link', { name: `T ${name}` }).waitFor();
    expect(await access.textContent()).to.match(/Gain access to T .*Edit/);
    await expectAccessible(page());
    await page().getByRole('button', { name: 'Apply', exact: true }).click();
    await page().getByText('Applied in one commit').waitFor();
  });

  it('are planned from a text whose problems are marked at their lines while it is typed', async () => {
    await person().goTo('/plan?set=marked');
    await paste(`${yamlOf('fine', 'Fine')}---\nkind: Folder\n---\na: [\n`);
    await page()
      .getByRole('button', { name: /^Line 8 In document 2 \(line 8\): apiVersion is missing/ })
      .waitFor();
    await page()
      .getByRole('button', { name: /^Line 1[01] / })
      .click();
    expect(await editor().evaluate((element) => element.matches(':focus'))).to.equal(true);
    await expectAccessible(page());
  });

  it('keep what was typed in the plan while the server is away and while it answers, and ask before it is cleared', async () => {
    await person().goTo('/plan?set=away');
    await paste(yamlOf('kept', 'A title'));
    await page().route('**/apply?*', (route) => route.abort());
    await page().getByRole('button', { name: 'Plan', exact: true }).click();
    await page().getByText('The server cannot be reached.', { exact: true }).waitFor();
    await editor().getByText('kept').waitFor();
    await page().unroute('**/apply?*');
    await page().getByRole('button', { name: 'Plan', exact: true }).click();
    await page().getByText('1 to create').waitFor();
    await page()
      .getByRole('region', { name: 'What would be done' })
      .getByText('A title', { exact: true })
      .first()
      .waitFor();
    await page().getByRole('button', { name: 'Clear the text' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await editor().getByText('kept').waitFor();
    await page().getByRole('button', { name: 'Clear the text' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
    await editor().getByText('kept').waitFor({ state: 'detached' });
  });

  it('take files into the plan behind what was typed', async () => {
    await person().goTo('/plan?set=files');
    await paste(yamlOf('typed', 'Typed'));
    const buffer = Buffer.from(yamlOf('from-file', 'From a file'));
    await page().getByLabel('Add files').setInputFiles({ name: 'a.yaml', mimeType: 'text/yaml', buffer });
    await editor().getByText('from-file').waitFor();
    await page().getByRole('button', { name: 'Plan', exact: true }).click();
    await page().getByText('2 to create').waitFor();
  });
});
