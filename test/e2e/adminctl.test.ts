import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import { programOf } from './process.js';

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The environment without settings of the server, so that only the arguments count. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('APISERVER_')));

function run(argv: readonly string[], input = ''): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...programOf('adminctl'), ...argv], { env }, (error, out, err) => {
      resolve({ code: Number(error?.code ?? 0), out, err });
    });
    child.stdin?.end(input);
  });
}

describe('adminctl', function () {
  this.timeout(120_000);
  let data = '';
  /** The settings besides the data folder. */
  let settings: readonly string[] = [];
  let server: { readonly child: ChildProcess; readonly port: number } | undefined;

  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'adminctl-'));
  });
  after(async () => {
    await stop();
    await rm(data, { recursive: true });
  });

  const start = async (): Promise<void> => {
    const ports = ['--server.http_port=0', '--server.https_port=0'];
    const argv = [...ports, `--paths.data=${data}`, '--log.level=warn', ...settings];
    const child = spawn(process.execPath, [...programOf('apiserver'), ...argv], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    });
    let out = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      out += chunk;
      if (out.includes('KUBECONFIG')) break;
    }
    server = { child, port: Number(/HTTP http:\/\/127\.0\.0\.1:(\d+)/.exec(out)?.[1]) };
  };
  const stop = async (): Promise<void> => {
    if (server === undefined) return;
    const { child } = server;
    server = undefined;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  /** The status of the answer to a login. */
  const login = async (user: string, password: string): Promise<number> => {
    const request = http.request({
      port: server?.port,
      host: '127.0.0.1',
      path: '/login',
      method: 'POST',
      agent: false,
    });
    request.end(JSON.stringify({ user, password }));
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  };
  const reset = (...argv: readonly string[]) => run(['reset-password', `--paths.data=${data}`, ...settings, ...argv]);

  it('prints its usage, and reports wrong arguments last', async () => {
    const help = await run([]);
    expect([help.code, help.out.includes('adminctl reset-password')]).to.deep.equal([0, true]);
    for (const wrong of [['reset'], ['reset-password', '--user='], ['reset-password', '--pasword=x']]) {
      const { code, err } = await run(wrong);
      expect(code, wrong.join(' ')).to.equal(2);
      expect(err)
        .to.match(/\n\nadminctl: .+\n$/)
        .and.to.not.contain('    at ');
    }
  });

  it('does not create a store', async () => {
    const { code, err } = await reset();
    expect(code).to.equal(1);
    expect(err).to.contain(`There is no store in ${data}`);
  });

  it('resets the password of the administrator while the server runs, and while it is stopped', async () => {
    await start();
    expect(await login('admin', 'admin')).to.equal(200);
    const running = await reset();
    expect(running.code, running.err).to.equal(0);
    const random = /shown this once: (\S{24})\n/.exec(running.out)?.[1] ?? '';
    expect(await login('admin', 'admin')).to.equal(401);
    expect(await login('admin', random)).to.equal(200);
    const unknown = await reset('--user=nobody');
    expect([unknown.code, unknown.err]).to.deep.equal([
      1,
      'adminctl: There is no user with the login or e-mail address "nobody".\n',
    ]);
    await stop();

    const argv = ['reset-password', `--paths.data=${data}`, '--user=Admin@localhost', '--password-stdin'];
    const stopped = await run(argv, 'given by hand\nnot this\n');
    expect(stopped.code, stopped.err).to.equal(0);
    expect(stopped.out).to.equal('The password of admin is changed, and their sessions are closed.\n');
    expect((await run(argv, 'abc\n')).err).to.contain('4 to 1000 characters');
    expect((await run(argv, 'admin@localhost\n')).err).to.contain('a common one, or the name of the user');
    await start();
    expect(await login('admin', random)).to.equal(401);
    expect(await login('admin', 'given by hand')).to.equal(200);
    await stop();
  });

  it('resets a password in MongoDB without a data folder, and running servers accept it at once', async function test() {
    const uri = await sharedMongodb(this);
    const database = `--storage.mongodb_database=${freshDatabase()}`;
    settings = ['--storage.backend=mongodb', `--storage.mongodb_uri=${uri}`, database];
    await start();
    expect(await login('admin', 'admin')).to.equal(200);
    const elsewhere = join(data, 'elsewhere');
    const { code, out, err } = await run(['reset-password', `--paths.data=${elsewhere}`, ...settings]);
    expect([code, err]).to.deep.equal([0, '']);
    expect(existsSync(elsewhere)).to.equal(false);
    expect(await login('admin', /shown this once: (\S{24})\n/.exec(out)?.[1] ?? '')).to.equal(200);
    expect(await login('admin', 'admin')).to.equal(401);
    const unknown = await reset('--user=nobody');
    expect([unknown.code, unknown.err]).to.deep.equal([
      1,
      'adminctl: There is no user with the login or e-mail address "nobody".\n',
    ]);
  });

  it('reports that MongoDB cannot be reached', async () => {
    const uri = 'mongodb://keeper:hidden@127.0.0.1:1/?replicaSet=rs';
    const { code, err } = await run(['reset-password', '--storage.backend=mongodb', `--storage.mongodb_uri=${uri}`]);
    expect(code).to.equal(1);
    expect(err)
      .to.match(/^adminctl: .*127\.0\.0\.1:1/m)
      .and.to.not.contain('hidden');
  });
});
