import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { eventually, type Program, ROOT, startProgram } from './process.js';

const run = promisify(execFile);
const isRoot = process.geteuid?.() === 0;
/** The user `nobody`, who has no home folder. Only root can become another user. */
const uid = isRoot ? 65_534 : undefined;
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

interface Manifest {
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

const manifestIn = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

describe('the package', function () {
  this.timeout(300_000);
  let root = '';
  let env: NodeJS.ProcessEnv = {};
  let server: Program | undefined;
  const at = (...path: readonly string[]): string => join(root, ...path);

  /** Makes the archive. If `npm test` has built dist, it is not built again, because other tests use it. */
  async function pack(): Promise<string> {
    const steps =
      process.env['BUILT'] === 'true'
        ? [
            ['node_modules/.bin/tsx', 'hack/supply/sbom.ts'],
            ['node_modules/.bin/tsx', 'hack/supply/pack.ts', root],
          ]
        : [['hack/pack.sh', root]];
    for (const [program = '', ...args] of steps) await run(program, args, { cwd: ROOT });
    const archive = (await readdir(root)).find((name) => name.endsWith('.tgz'));
    return at(archive ?? 'none');
  }

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'package-'));
    await chmod(root, 0o755);
    for (const name of ['home', 'empty']) {
      await mkdir(at(name));
      if (uid !== undefined) await chown(at(name), uid, uid);
    }
    const archive = await pack();
    // The cache of npm has the packages that were fetched before.
    const { stdout: cache } = await run('npm', ['config', 'get', 'cache'], { cwd: ROOT });
    const npm = { ...process.env, HOME: at('home'), npm_config_cache: cache.trim() };
    await run('npm', ['install', '--global', `--prefix=${at('prefix')}`, '--prefer-offline', archive], { env: npm });
    env = {
      PATH: [at('prefix', 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      HOME: at('home'),
    };
  });
  after(async () => {
    await server?.stop();
    await rm(root, { recursive: true, force: true });
  });

  const start = (name: string, ...args: readonly string[]): Promise<Program> =>
    startProgram(name, args, { env, cwd: at('empty'), uid });

  /** Runs a command to its end. */
  async function done(name: string, ...args: readonly string[]) {
    const program = await start(name, ...args);
    return { code: await program.ended, out: program.stdout(), err: program.stderr() };
  }

  /** The address at which the server answers. */
  async function startServer(): Promise<string> {
    const program = await start('dashboard-apiserver', '--server.https_port=0');
    server = program;
    const listening = (): string | undefined => /HTTP (http:\S+),/.exec(program.stdout())?.[1];
    return eventually(
      () => {
        if (program.exitCode() !== undefined) throw new Error(`the server ended: ${program.stderr()}`);
        return listening();
      },
      () => `the server does not listen: ${program.stdout()}${program.stderr()}`,
    );
  }

  it('has the programs, the console, licences and the list of what is in it, and nothing that only tests need', async () => {
    const installed = at('prefix', 'lib', 'node_modules', 'dashboard-apiserver');
    const names = await readdir(installed);
    expect(names).to.include.members([
      'LICENSE',
      'NOTICE',
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'README.md',
      'sbom.cdx.json',
      'dist',
    ]);
    for (const name of ['test', 'package-lock.json']) expect(names).not.to.include(name);
    const sources = (await readdir(installed, { recursive: true })).filter((name) =>
      /^(?:apis|cmd|pkg|registry|storage)\/.*\.ts$/.test(name),
    );
    expect(sources).to.deep.equal([]);
    const manifest = await manifestIn(installed);
    expect(manifest, 'libraries that dist has already').not.to.have.any.keys(
      'dependencies',
      'devDependencies',
      'scripts',
    );
    const sbom = await readFile(join(installed, 'sbom.cdx.json'), 'utf8');
    for (const name of ['"lmdb"', '"zod"', '"preact"', '"koa"']) expect(sbom).to.contain(`"name": ${name}`);
    for (const name of ['"mocha"', '"esbuild"', '"distribution"', '"timestamp"']) expect(sbom).not.to.contain(name);
  });

  it('has every file that its documents link to', async () => {
    const installed = at('prefix', 'lib', 'node_modules', 'dashboard-apiserver');
    const names = await readdir(installed, { recursive: true });
    const documents = names.filter((name) => name.endsWith('.md') && !name.startsWith('node_modules'));
    const linked = await Promise.all(
      documents.map(async (name) => {
        const text = await readFile(join(installed, name), 'utf8');
        return [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => join(dirname(name), path));
      }),
    );
    expect(documents.length).to.be.greaterThan(10);
    expect(linked.flat().filter((path) => !names.includes(path))).to.deep.equal([]);
  });

  // Promise: security tools
  it('brings no more than the native parts, and runs no scripts when it is installed', async () => {
    const installed = at('prefix', 'lib', 'node_modules', 'dashboard-apiserver');
    const scopes = await readdir(join(installed, 'node_modules'));
    expect(scopes.filter((name) => !name.startsWith('.'))).to.deep.equal(['@koromix', '@lmdb']);
    const packages = await Promise.all(
      ['@koromix', '@lmdb'].map(async (scope) =>
        (await readdir(join(installed, 'node_modules', scope))).map((name) =>
          join(installed, 'node_modules', scope, name),
        ),
      ),
    );
    for (const folder of [installed, ...packages.flat()]) {
      const { scripts = {} } = await manifestIn(folder);
      expect(
        Object.keys(scripts).filter((name) => /install|^prepare$/.test(name)),
        folder,
      ).to.deep.equal([]);
    }
  });

  it('has two commands that tell their version, help and completion, with the exit codes 0 and 2', async () => {
    const { version } = await manifestIn(ROOT);
    for (const name of ['dashboard-apiserver', 'adminctl']) {
      expect(await done(name, '--version')).to.deep.equal({ code: 0, out: `${name} ${version}\n`, err: '' });
      const help = await done(name, '--help');
      expect([help.code, help.out.includes('Exit codes: 0 ')]).to.deep.equal([0, true]);
      const wrong = await done(name, '--frog');
      expect([wrong.code, wrong.out], wrong.err).to.deep.equal([2, '']);
    }
    expect((await done('dashboard-apiserver', '--help=paths')).out).to.contain(
      `Default: ${at('home', '.local', 'share', 'dashboard-apiserver')}\n`,
    );
    expect((await done('dashboard-apiserver', '--help', 'frog')).code).to.equal(2);
    expect((await done('adminctl', 'completion', 'bash')).out).to.contain('complete -o default -F _adminctl adminctl');
    expect((await done('adminctl', 'check')).code).to.equal(1);
  });

  it('serves people and programs from an empty account, backs up, and stops', async () => {
    const settings = at('home', '.config', 'dashboard-apiserver', 'settings.ini');
    await mkdir(dirname(settings), { recursive: true });
    await writeFile(settings, '[server]\nhttp_port = 0\n');
    const url = await startServer();
    const login = await fetch(`${url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'admin', password: 'admin' }),
    });
    expect(login.status).to.equal(200);
    const data = at('home', '.local', 'share', 'dashboard-apiserver');
    const token = (await readFile(join(data, 'admin.token'), 'utf8')).trim();
    const headers = { authorization: `Bearer ${token}` };
    const applied = await fetch(`${url}${FOLDERS}/ops?fieldManager=test`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/apply-patch+yaml' },
      body: 'apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata: {name: ops}\nspec: {title: Operations}\n',
    });
    expect(applied.status, await applied.text()).to.equal(201);
    for (const path of ['/console', '/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'])
      expect((await fetch(`${url}${path}`)).status, path).to.equal(200);

    const backup = await done('adminctl', 'backup', 'monday.gz');
    expect([backup.code, /monday\.gz: \d+ objects/.test(backup.out)], backup.err).to.deep.equal([0, true]);
    expect((await done('adminctl', 'users', 'list')).out).to.contain('admin@localhost');
    const bundle = await done('adminctl', 'support-bundle', 'bundle.tar.gz');
    expect([bundle.code, bundle.out.includes('is missing')], bundle.out).to.deep.equal([0, false]);
    server?.stop();
    expect(await server?.ended).to.equal(0);
    expect((await done('adminctl', 'check')).code).to.equal(0);
    const restored = await done('adminctl', 'restore', 'monday.gz', `--paths.data=${at('home', 'restored')}`);
    expect(restored.code, restored.err).to.equal(0);
    // The programs wrote only the requested files into their working folder.
    expect(await readdir(at('empty'))).to.have.members(['monday.gz', 'bundle.tar.gz']);
  });
});
