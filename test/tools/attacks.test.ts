import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { serverOf } from '../../cmd/adminctl/by-server.js';
import { backup } from '../../cmd/adminctl/store/backup.js';
import { parseStoreCommand } from '../../cmd/adminctl/store/options.js';
import { nameOf, placeNamed } from '../../cmd/adminctl/store/place.js';
import { restore } from '../../cmd/adminctl/store/restore.js';
import { supportBundle } from '../../cmd/adminctl/support/bundle.js';
import { loadConfig } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { programOf } from '../e2e/process.js';
import { failureOf, quiet } from './fixture.js';

const SECRETS = {
  'security.admin_password': 'hidden-administrator',
  'security.secret_key': 'hidden-key-of-the-server',
  'auth.github.client_secret': 'hidden-client-in-settings',
};

describe('adminctl beside a server that holds secrets', function () {
  this.timeout(120_000);
  let server: TestServer;
  let settings: Settings;
  let root = '';
  const at = (name: string): string => join(root, name);

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'adminctl-attacks-'));
    server = await startServer({ settings: SECRETS });
    const argv = Object.entries({ ...SECRETS, 'paths.data': join(server.folder, 'data') });
    settings = loadConfig({
      argv: argv.map(([key, value]) => `--${key}=${value}`),
      env: {},
      readFile: () => '',
    }).settings;
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'db' },
      stringData: { password: 'hidden-in-a-secret' },
    };
    await post('/api/v1/namespaces/default/secrets', secret);
    await post('/api/serviceaccounts', { name: 'robot', role: 'Viewer' });
    const github = { settings: { clientId: 'x', clientSecret: 'hidden-client-in-the-store' } };
    expect((await server.client.request('PUT', '/api/v1/sso-settings/github', { body: github })).status).to.equal(204);
  });
  after(async () => {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  });

  const post = async (path: string, body: object): Promise<void> => {
    const answer = await server.client.request('POST', path, { body });
    expect(answer.status, answer.text).to.equal(201);
  };

  // Promise: security tools
  it('tells none of them in a support bundle', async () => {
    const log = at('server.log');
    await writeFile(log, server.output());
    const told = await supportBundle({ file: at('bundle.tar.gz'), settings, log });
    expect(told).not.to.contain('is missing');
    const token = (await readFile(join(settings.paths.data, 'admin.token'), 'utf8')).trim();
    const text = gunzipSync(await readFile(at('bundle.tar.gz'))).toString();
    expect(text).to.contain('"secrets"').and.contain('apiserver_');
    for (const word of ['hidden-', Buffer.from('hidden-in-a-secret').toString('base64'), token])
      expect(text, word).not.to.contain(word);
  });

  // Promise: security tools
  it('writes no backup and no support bundle through a link, or to a file that others have open', async () => {
    const write = {
      backup: () => backup({ file: at('backup'), settings }, quiet()),
      bundle: () => supportBundle({ file: at('bundle'), settings, log: undefined }),
    };
    for (const [name, run] of Object.entries(write)) {
      await writeFile(at('target'), 'of root');
      for (const planted of [name, `${name}.partial`]) await symlink(at('target'), at(planted));
      await run();
      expect(await readFile(at('target'), 'utf8'), name).to.equal('of root');
      expect((await lstat(at(name))).isFile(), name).to.equal(true);
      await writeFile(at(name), 'made by another user');
      await chmod(at(name), 0o666);
      await run();
      expect((await stat(at(name))).mode & 0o777, name).to.equal(0o600);
    }
  });

  // Promise: security tools
  it('sends no file to a server because the data folder has a link to it', async () => {
    const data = at('data');
    await mkdir(data);
    await writeFile(at('token-of-root'), 'hidden-token-of-root');
    await symlink(at('token-of-root'), join(data, 'admin.token'));
    const kubeconfig = { clusters: [{ cluster: { server: 'http://127.0.0.1:9' } }] };
    await writeFile(join(data, 'kubeconfig'), JSON.stringify(kubeconfig));
    expect(await failureOf(serverOf(data))).to.contain('kubeconfig or admin.token there cannot be read');
  });
});

describe('a backup that somebody has made by hand, with the right SHA-256', () => {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'adminctl-attacks-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('is found by a check, which prints no stack trace, also if nobody reads its output', async function slow() {
    this.timeout(60_000);
    await writeFile(join(root, 'handmade.gz'), gzipSync(handmade('{"metadata":{"name":"../../x"}}')));
    const settings = loadConfig({ argv: [`--paths.data=${join(root, 'data')}`], env: {}, readFile: () => '' }).settings;
    await restore({ file: join(root, 'handmade.gz'), settings, force: false, advance: 0 }, quiet());
    const check = [process.execPath, ...programOf('adminctl'), 'check', `--paths.data=${join(root, 'data')}`].join(' ');
    const run = (command: string) => promisify(execFile)('sh', ['-c', command], { env: { PATH: process.env['PATH'] } });
    const found = await run(check).catch((error: { readonly code: number; readonly stdout: string }) => error);
    expect(found).to.include({ code: 1 });
    expect(found.stdout).to.contain('its name and namespace belong to');
    expect((await run(`${check} | true`)).stderr).to.equal('');
  });
});

/** The text of a backup with one object. */
function handmade(value: string): string {
  const head = {
    format: 'dashboard-apiserver backup',
    version: 2,
    domain: 'svc.app',
    revision: 9,
    at: 1,
    made: '',
    by: '',
    counters: {},
  };
  const key = 'folders.folder.svc.app/default/x';
  const text = `${JSON.stringify(head)}\n${JSON.stringify([key, 3, value.length])}\n${value}\n`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ end: true, objects: 1, resources: {}, sha256 })}\n`;
}

describe('the passwords of MongoDB', () => {
  // Promise: security tools
  it('are in no message, even if they are not escaped', () => {
    for (const uri of [
      'mongodb://me:hidden@db/x',
      'mongodb://me:hid@den@db/x',
      'mongodb://me:hid/den@db/x',
      'mongodb+srv://me:hid?den@db',
    ])
      expect(nameOf(placeNamed(uri)), uri).to.match(/ of MongoDB at db$/);
  });

  // Promise: security tools
  it('are warned about in arguments, and can come from a file', async () => {
    const root = await mkdtemp(join(tmpdir(), 'adminctl-attacks-'));
    const uri = 'mongodb://me:hidden@db/x';
    try {
      await writeFile(join(root, 'uri'), `${uri}\n`);
      const from = { uri, database: 'x' };
      const copy = { from, to: { data: root }, force: false };
      expect(parseStoreCommand(['copy', `--from__FILE=${join(root, 'uri')}`, `--to=${root}`], {})).to.deep.equal({
        copy,
      });
      // The second place is missing, so nothing is copied.
      const args = [...programOf('adminctl'), 'copy', `--from=${uri}`];
      const run = promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } });
      const { stderr } = await run.catch((error: { readonly stderr: string }) => error);
      expect(stderr).to.contain('Give it as --from__FILE=FILE.').and.not.contain('hidden');
    } finally {
      await rm(root, { recursive: true });
    }
  }).timeout(60_000);
});
