import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startServer, type TestServer } from './harness.js';
import { eventually, type Program, programOf, startProgram } from './process.js';
import { SERVER_STORES, storeSettings } from './stores.js';

const DASHBOARDS = 120;
const FOLDERS = 12;
const HERE = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';

for (const store of SERVER_STORES)
  describe(`adminctl import from a running server (${store})`, function () {
    this.timeout(240_000);
    let source: TestServer;
    let target: TestServer;
    let token = '';
    let folder = '';

    const give = async <T>(method: string, path: string, body: unknown): Promise<T> => {
      const answer = await source.client.request(method, `/api${path}`, { body });
      expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.within(200, 299);
      return answer.json() as T;
    };
    const begin = (...argv: readonly string[]): Promise<Program> => {
      const env = {
        PATH: process.env['PATH'],
        KUBECONFIG: join(target.folder, 'data', 'kubeconfig'),
        IMPORT_TOKEN: token,
      };
      const from = `--from=${source.httpUrl}`;
      return startProgram(process.execPath, [...programOf('adminctl'), 'import', from, '--insecure-http', ...argv], {
        env,
      });
    };
    const run = async (...argv: readonly string[]) => {
      const program = await begin(...argv);
      return { code: await program.ended, out: program.stdout(), err: program.stderr() };
    };
    const here = async (path: string) => (await target.client.request('GET', path)).json();
    const countHere = async (): Promise<number> => {
      const { items, metadata } = (await here(`${HERE}?limit=1`)) as {
        readonly items: readonly unknown[];
        readonly metadata: { readonly remainingItemCount?: number };
      };
      return items.length + (metadata.remainingItemCount ?? 0);
    };

    before(async function () {
      const [settings, made] = [await storeSettings(this, store), await mkdtemp(join(tmpdir(), 'bridge-'))];
      folder = made;
      source = await startServer({ settings: { 'legacy.compatibility': 'clients' } });
      target = await startServer({ settings });
      const { id } = await give<{ id: number }>('POST', '/serviceaccounts', { name: 'mover', role: 'Admin' });
      token = (await give<{ key: string }>('POST', `/serviceaccounts/${id}/tokens`, { name: 'mover' })).key;
      for (let i = 0; i < FOLDERS; i++)
        await give('POST', '/folders', {
          uid: `f${i}`,
          title: `Folder ${i}`,
          ...(i > 5 && { parentUid: `f${i - 6}` }),
        });
      await give('POST', '/folders/f0/permissions', { items: [] });
      for (let i = 0; i < DASHBOARDS; i++)
        await give('POST', '/dashboards/db', {
          dashboard: { uid: `d${i}`, title: `Dashboard ${i}`, tags: ['moved'] },
          folderUid: `f${i % FOLDERS}`,
        });
    });
    after(async () => {
      await Promise.all([source?.stop(), target?.stop()]);
      await rm(folder, { recursive: true, force: true });
    });

    it('says in a dry run what it would take, and takes nothing', async () => {
      const { code, out, err } = await run('--dry-run');
      expect([code, err]).to.deep.equal([0, '']);
      expect(out).to.contain(`dashboards: ${DASHBOARDS} would be created`).and.contain('nothing was changed');
      expect(await countHere()).to.equal(0);
    });

    it('goes on after it was interrupted, and then finds nothing that differs', async () => {
      const ended = await begin();
      await eventually(
        async () => (await countHere()) > 10 || undefined,
        () => ended.stderr() + ended.stdout(),
      );
      await ended.stop('SIGINT');
      expect([ended.exitCode(), ended.stderr()]).to.deep.equal([
        1,
        'adminctl: The import was stopped. Run it again: it goes on from there.\n',
      ]);
      const some = await countHere();
      expect(some).to.be.below(DASHBOARDS);
      const again = await run();
      expect([again.code, again.err]).to.deep.equal([0, '']);
      // What was on its way when the command ended may have arrived after it, perhaps without its permissions.
      const counts = /dashboards: (\d+) created(?:, (\d+) changed)?, (\d+) same\n/.exec(again.out) ?? [again.out];
      const [created = -1, changed = 0, same = 0] = counts.slice(1).map((text) => Number(text ?? 0));
      expect(created + changed + same, again.out).to.equal(DASHBOARDS);
      expect(changed + same, again.out).to.be.at.least(some);
      expect((await run('--dry-run')).out).to.contain('Nothing differs.');
    });

    it('brings what has changed there, also of what an operator here has stored', async () => {
      const dashboard = { uid: 'd5', title: 'Changed', tags: ['moved'] };
      await give('POST', '/dashboards/db', { dashboard, folderUid: 'f5', overwrite: true });
      await give('POST', '/folders/f1/permissions', { items: [] });
      const { code, out } = await run();
      expect(out)
        .to.contain(`dashboards: 1 changed, ${DASHBOARDS - 1} same`)
        .and.contain('folders: 1 changed');
      expect(code).to.equal(0);
      expect((await run('--dry-run')).out).to.contain('Nothing differs.');
    });

    it('says that the token is wrong, and changes nothing', async () => {
      await writeFile(join(folder, 'token'), 'glsa_wrong\n');
      const { code, out, err } = await run(`--token__FILE=${join(folder, 'token')}`);
      expect([code, out, err]).to.deep.equal([
        1,
        '',
        'adminctl: GET /api/org: the server answered 401: Invalid API key\n',
      ]);
    });
  });
