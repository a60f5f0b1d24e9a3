import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startServer, type TestServer } from './harness.js';
import { programOf, startProgram } from './process.js';

describe('adminctl with a running server', function () {
  this.timeout(120_000);
  let server: TestServer;
  let folder = '';
  before(async () => {
    server = await startServer();
    folder = await mkdtemp(join(tmpdir(), 'gitops-'));
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (argv: readonly string[], input = '') => {
    const env = { PATH: process.env['PATH'], KUBECONFIG: join(server.folder, 'data', 'kubeconfig') };
    const program = await startProgram(process.execPath, [...programOf('adminctl'), ...argv], { env, input });
    return { code: await program.ended, out: program.stdout(), err: program.stderr() };
  };
  const manifest = (name: string): string =>
    `apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata: {name: ${name}}\nspec: {title: ${name}}\n`;

  it('syncs a folder, reports drift by its exit code, and exports what can be synced again', async () => {
    const [source, target] = [join(folder, 'source'), join(folder, 'target')];
    await mkdir(source);
    await writeFile(join(source, 'ops.yaml'), manifest('ops'));
    expect((await run(['sync', source, '--check'])).code, 'before').to.equal(2);
    const applied = await run(['sync', source]);
    expect([applied.code, applied.err]).to.deep.equal([0, '']);
    expect(applied.out).to.equal(
      '+ Folder default/ops created\ncreated 1, configured 0, unchanged 0, pruned 0, conflicts 0\n',
    );
    expect((await run(['sync', source, '--check'])).code, 'after').to.equal(0);
    expect((await run(['export', target, '--namespace', 'default'])).code).to.equal(0);
    expect(await readFile(join(target, 'folders', 'ops.yaml'), 'utf8')).to.contain('title: ops');
    expect((await run(['sync', target, '--applyset=source', '--check'])).code, 'exported').to.equal(0);
  });

  it('imports a folder of files, or makes manifests of it, and prints those of single files', async () => {
    const [saved, manifests] = [join(folder, 'saved'), join(folder, 'manifests')];
    await mkdir(join(saved, 'web'), { recursive: true });
    await writeFile(join(saved, 'web', 'errors.json'), JSON.stringify({ uid: 'errors1', title: 'Errors', panels: [] }));
    await writeFile(join(saved, 'notes.txt'), 'none');
    const stored = await run(['import', saved]);
    expect([stored.code, stored.out]).to.deep.equal([
      0,
      `+ Folder default/web created
+ Dashboard default/errors1 created
created 2, configured 0, unchanged 0, pruned 0, conflicts 0
left out: notes.txt: this is neither JSON nor YAML
left out 1
`,
    ]);
    expect(stored.err).to.match(/^Warning: The tree has no permissions of 1 folders, such as "web"\..*\n$/);
    expect((await run(['import', saved, `--to=${manifests}`])).code).to.equal(0);
    expect(await readFile(join(manifests, 'dashboards', 'errors1.yaml'), 'utf8')).to.contain('svc.app/folder: web');
    expect((await run(['sync', manifests, '--applyset=import', '--check'])).code, 'written').to.equal(0);
    expect((await run(['import', join(saved, 'web', 'errors.json')])).out).to.contain('name: errors1');
    await writeFile(join(saved, 'broken.json'), '{');
    const broken = await run(['import', saved]);
    expect([broken.code, broken.err]).to.deep.equal([
      1,
      'adminctl: One file cannot be read. Nothing was changed.\nbroken.json: the text is not valid JSON: line 1, column 2: expected a key in double quotes, the body ends here\n',
    ]);
    for (const wrong of [
      [],
      [saved, saved],
      [saved, `--to=${join(saved, 'in')}`],
      [saved, `--to=${manifests}`, '--force'],
    ])
      expect((await run(['import', ...wrong])).code, wrong.join(' ')).to.equal(2);
  });

  it('writes all of a long plan to a pipe', async () => {
    const names = Array.from({ length: 2000 }, (_, i) => `long-${i}`);
    const { code, out } = await run(['sync', '-', '--applyset=long', '--dry-run'], names.map(manifest).join('---\n'));
    expect(code).to.equal(0);
    expect(out.trimEnd().split('\n')).to.have.length(names.length + 1);
  });

  it('exits with 2 for a wrong command line of export, and with 1 for one of sync, because 2 means drift', async () => {
    const wrong: readonly (readonly [number, ...string[]])[] = [
      [1, 'sync'],
      [1, 'sync', folder, '--prune'],
      [1, 'sync', '-'],
      [2, 'export'],
      [2, 'export', folder, folder],
      [2, 'export', folder, '--frog'],
      [2, 'export', folder, '--kinds='],
    ];
    for (const [expected, ...argv] of wrong) {
      const { code, err } = await run(argv);
      expect(code, argv.join(' ')).to.equal(expected);
      expect(err)
        .to.match(new RegExp(`^adminctl ${argv[0]} DIR[^]*\\n\\nadminctl: [^\\n]*\\n$`))
        .and.not.contain('    at ');
    }
  });

  it('exits with 1 for errors', async () => {
    const refused = await run(['sync', '-', '--applyset=wrong'], manifest('bad').replace('title', 'colour'));
    expect(refused.code).to.equal(1);
    expect(refused.err).to.contain('the standard input (Folder "bad")').and.not.contain('    at ');
    expect((await run(['sync', folder, '--kubeconfig=absent'])).err).to.contain('There is no kubeconfig');
  });
});
