import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { define } from '../custom/definition.js';
import { bodyOf, changingNothing, FOLDERS, freshName, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { gitOps } from './harness.js';

const folder = (name: string, title: string, parent?: string): string =>
  JSON.stringify({
    apiVersion: FOLDERS.apiVersion,
    kind: 'Folder',
    metadata: { name, ...(parent && { annotations: { 'svc.app/folder': parent } }) },
    spec: { title },
  });

const DASHBOARD = 'dashboard.svc.app/v1beta1';
const CLOSED = { 'svc.app/basic-roles': 'none' };

oneStore('adminctl sync', (server) => {
  const git = gitOps(server);
  const folders = resourceOf(server, FOLDERS);
  let [top, leaf, set] = ['', '', ''];
  beforeEach(() => {
    [top, leaf, set] = [freshName(), freshName(), freshName()];
  });
  const write = (name: string, ...manifests: readonly string[]): Promise<void> =>
    writeFile(join(git.folder, name), manifests.join('\n---\n'));
  const sync: typeof git.sync = (options, input) => git.sync({ applySet: set, ...options }, input);
  const failure = (options?: Parameters<typeof git.sync>[0]): Promise<string> => sync(options).then(String, String);
  const titleOf = async (name: string): Promise<unknown> => bodyOf(await folders.get(name), 200).spec;

  it('applies all files in one request, also a child before its parent, and then finds nothing to do', async () => {
    await write('a.yaml', folder(leaf, leaf, top));
    await write('b.json', folder(top, top));
    const first = await sync();
    expect(first.code).to.equal(0);
    expect(first.out).to.contain(`+ Folder default/${leaf} created`).and.contain('created 2, configured 0');
    expect(git.requests.filter((path) => path.includes('/apply?'))).to.have.length(1);
    const again = await changingNothing(server(), () => sync());
    expect(again).to.deep.equal({
      code: 0,
      out: 'created 0, configured 0, unchanged 2, pruned 0, conflicts 0\n',
      err: '',
    });
  });

  // Promise: security rights
  it('applies sets of the server, also if a definition has kinds with the same names', async () => {
    const words = {};
    await define(server, { plural: 'applysets', kind: 'ApplySet', group: 'apply.example.com', words });
    await define(server, { plural: 'organizations', kind: 'Organization', group: 'iam.example.com', words });
    await write('a.yaml', folder(top, top));
    expect((await sync()).out).to.contain('created 1');
    expect(await titleOf(top)).to.deep.equal({ title: top });
  });

  it('prints what the server warns about to the standard error, also in a dry run', async () => {
    await write('a.yaml', folder(top, top));
    expect((await sync()).err).to.equal('');
    const { metadata, ...rest } = JSON.parse(folder(top, top));
    await write('a.yaml', JSON.stringify({ ...rest, metadata: { ...metadata, annotations: CLOSED } }));
    for (const dryRun of [true, false]) {
      const { code, err, out } = await sync({ dryRun });
      expect(code).to.equal(0);
      expect(err).to.match(/^Warning: .*Viewer/);
      expect(out).not.to.contain('Warning');
    }
  });

  it('exits with 2 with --check if what is there differs, and changes nothing', async () => {
    await write('a.yaml', folder(top, top));
    expect((await changingNothing(server(), () => sync({ check: true }))).code, 'not there').to.equal(2);
    await sync();
    expect((await sync({ check: true })).code, 'in sync').to.equal(0);
    await write('a.yaml', folder(top, `${top} new`));
    const differs = await changingNothing(server(), () => sync({ check: true }));
    expect(differs.code).to.equal(2);
    expect(differs.out).to.contain(`    spec.title: "${top}" → "${top} new"`);
    expect((await changingNothing(server(), () => sync({ dryRun: true }))).code, 'a dry run').to.equal(0);
  });

  it('names the fields of other managers, and takes them over with --force', async () => {
    await write('a.yaml', folder(top, top));
    await sync();
    await folders.merge(top, { spec: { title: `${top} by hand` } });
    expect((await sync({ check: true })).code).to.equal(2);
    const dry = await sync({ dryRun: true });
    expect([dry.code, dry.out.includes('conflicts 1')]).to.deep.equal([1, true]);
    const refused = await changingNothing(server(), () => failure());
    expect(refused).to.contain('a.yaml').and.contain('.spec.title').and.contain('--force takes over');
    expect((await sync({ force: true })).out).to.contain(`"${top} by hand" → "${top}"`);
    expect(await titleOf(top)).to.deep.equal({ title: top });
  });

  it('deletes members that are in no manifest any more with --prune, and only then', async () => {
    await write('a.yaml', folder(top, top), folder(leaf, leaf, top));
    await sync();
    await write('a.yaml', folder(top, top));
    expect((await sync()).out).to.contain('pruned 0');
    expect((await sync({ check: true, prune: true })).code).to.equal(2);
    expect((await sync({ prune: true })).out).to.contain(`- Folder default/${leaf} pruned`);
    expect((await folders.get(leaf)).status).to.equal(404);
    expect((await folders.get(top)).status).to.equal(200);
  });

  it('deletes nothing if there are no manifests, as from a program that failed, unless that is allowed', async () => {
    await write('a.yaml', folder(top, top));
    await sync();
    for (const dryRun of [false, true]) {
      const refused = await changingNothing(server(), () => failure({ path: '-', prune: true, dryRun }));
      expect(refused).to.contain('no manifests in the standard input').and.contain('--allow-empty');
    }
    expect((await sync({ path: '-', prune: true, allowEmpty: true })).out).to.contain('pruned 1');
  });

  it('deletes more than half of a set only if that is allowed, and shows before what it would delete', async () => {
    const third = freshName();
    await write('a.yaml', folder(top, top), folder(leaf, leaf), folder(third, third));
    await sync();
    await write('a.yaml', folder(top, top));
    for (const dryRun of [false, true]) {
      const refused = await changingNothing(server(), () => failure({ prune: true, dryRun }));
      expect(refused).to.contain('2 of the 3 members').and.contain('--allow-large-prune');
      if (dryRun) expect(git.printed).not.to.contain('not carried out');
      else expect(git.printed).to.match(/^The plan, which was not carried out:\n- Folder /);
    }
    expect((await sync({ prune: true, allowLargePrune: true })).out).to.contain('pruned 2');
  });

  it('finds members that are in no manifest with --check, also without --prune', async () => {
    await write('a.yaml', folder(top, top), folder(leaf, leaf));
    await sync();
    await write('a.yaml', folder(top, top));
    const { code, out } = await changingNothing(server(), () => sync({ check: true }));
    expect([code, out]).to.deep.equal([
      2,
      `- Folder default/${leaf} pruned\ncreated 0, configured 0, unchanged 1, pruned 1, conflicts 0\n`,
    ]);
  });

  it('changes nothing with --strict if the server warns', async () => {
    const { metadata, ...rest } = JSON.parse(folder(top, top));
    await write(
      'a.yaml',
      JSON.stringify({ ...rest, metadata: { ...metadata, annotations: { 'svc.app/basic-role': 'none' } } }),
    );
    for (const options of [{}, { dryRun: true }, { check: true }]) {
      const refused = await changingNothing(server(), () => failure({ strict: true, ...options }));
      expect(refused).to.contain('--strict');
      const isTrial = 'dryRun' in options || 'check' in options;
      expect(git.printed.startsWith('The plan, which was not carried out:\n+ Folder ')).to.equal(!isTrial);
    }
    expect((await sync()).err).to.contain('did you mean svc.app/basic-roles?');
    await write('a.yaml', folder(top, top));
    expect((await sync({ strict: true })).code).to.equal(0);
  });

  it('finds nothing to do for a dashboard whose spec repeats its metadata, as the editor exports it', async () => {
    const spec = { id: 7, uid: top, version: 3, title: top };
    await write('a.yaml', JSON.stringify({ apiVersion: DASHBOARD, kind: 'Dashboard', metadata: { name: top }, spec }));
    expect((await sync()).out).to.contain('created 1');
    const again = await changingNothing(server(), () => sync());
    expect([again.out, again.err]).to.deep.equal(['created 0, configured 0, unchanged 1, pruned 0, conflicts 0\n', '']);
    expect((await sync({ check: true })).code).to.equal(0);
  });

  it('changes nothing if one object is wrong, and says in which file and document it is', async () => {
    await write('a.yaml', folder(top, top));
    await write('b.yaml', folder(leaf, leaf), folder(freshName(), ' '));
    const refused = await changingNothing(server(), () => failure());
    expect(refused).to.contain('b.yaml, document 2').and.contain('title cannot be empty');
    await write('b.yaml', folder(leaf, leaf).replace('"spec"', '"specs"'));
    expect(await changingNothing(server(), () => failure()))
      .to.contain('b.yaml')
      .and.contain('specs');
  });

  it('reads the standard input, and sets the namespace of manifests that name none', async () => {
    const { out } = await sync({ path: '-' }, `${folder(top, top)}\n---\n${folder(leaf, leaf, top)}`);
    expect(out).to.contain(`+ Folder default/${top} created`).and.contain('created 2');
  });
});
