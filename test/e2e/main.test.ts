import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import { generateCa } from '../../pkg/identity/certs/generate.js';
import { eventually, programOf } from './process.js';

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

describe('dashboard-apiserver', function () {
  this.timeout(120_000);
  let data = '';
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'apiserver-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(data, { recursive: true, force: true });
  });

  function start(...argv: string[]) {
    const child = spawn(process.execPath, [...programOf('apiserver'), `--paths.data=${data}`, ...argv], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const output = { out: '', err: '' };
    child.stdout.on('data', (chunk) => {
      output.out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.err += chunk;
    });
    const exit = once(child, 'close').then(([code]) => code as number | null);
    return { child, output, exit };
  }

  const PORTS = ['--server.http_port=0', '--server.https_port=0'];

  async function listening(started: ReturnType<typeof start>): Promise<void> {
    let ended = false;
    started.exit.then(() => {
      ended = true;
    });
    while (!started.output.out.includes('is listening')) {
      if (ended) throw new Error(`it ended: ${started.output.err}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  it('prints help and version without starting a server', async () => {
    const [help, topic, version] = [start('--help'), start('--help=server'), start('--version')];
    expect([await help.exit, await topic.exit, await version.exit]).to.deep.equal([0, 0, 0]);
    expect(help.output.out).to.contain('--help=SECTION').and.to.contain('http_port');
    expect(topic.output.out).to.contain('--server.http_port=').and.to.contain('Default: 3000');
    expect(version.output.out).to.match(/^dashboard-apiserver \d+\.\d+\.\d+\n$/);
  });

  it('reports wrong settings, and exits with 2', async () => {
    const wrong = start('--server.htp_port=1');
    expect(await wrong.exit).to.equal(2);
    expect(wrong.output.err).to.contain('cannot start: Unknown setting --server.htp_port in the arguments');
    expect(wrong.output.err).to.not.contain(' at ');
  });

  it('reports that it cannot write the profile and why, and exits with 1', async () => {
    const file = join(data, 'file');
    await writeFile(file, '');
    const refused = start(...PORTS, `--profile=${file}`);
    expect(await refused.exit).to.equal(1);
    expect(refused.output.err).to.contain(`cannot start: --profile: cannot write ${file}: EEXIST`);
    expect(refused.output.err).to.not.contain(' at ');
  });

  it('reports a folder that the system does not let it make, and exits with 1', async function unmade() {
    if (process.platform !== 'linux') this.skip();
    const [audit, profile] = [start('--audit.file=/proc/nope/x'), start('--profile=/proc/nope')];
    const store = start('--paths.data=/proc/nope');
    expect(await Promise.all([audit.exit, profile.exit, store.exit])).to.deep.equal([1, 1, 1]);
    const reason = "ENOENT: no such file or directory, mkdir '/proc/nope'";
    expect(audit.output.err).to.contain(`audit.file: cannot write /proc/nope/x: ${reason}`);
    expect(profile.output.err).to.contain(`--profile: cannot write /proc/nope: ${reason}`);
    expect(store.output.err).to.contain(`paths.data: cannot write /proc/nope: ${reason}`);
  });

  it('names paths.data when the data folder cannot be used, also with workers, and exits with 1', async () => {
    const file = join(data, 'file');
    await writeFile(file, '');
    const [alone, workers] = [start(`--paths.data=${file}`), start(`--paths.data=${file}`, '--server.workers=2')];
    expect(await Promise.all([alone.exit, workers.exit])).to.deep.equal([1, 1]);
    for (const { output } of [alone, workers]) {
      expect(output.err).to.contain(`cannot start: paths.data: cannot write ${file}: EEXIST`);
    }
  });

  it('names paths.data when the default file of the audit log cannot be written, and exits with 1', async () => {
    await writeFile(join(data, 'audit'), '');
    const refused = start();
    expect(await refused.exit).to.equal(1);
    expect(refused.output.err).to.contain(`cannot start: paths.data: cannot write ${join(data, 'audit', 'audit.log')}`);
  });

  it('reports in one sentence that a port is in use, and exits with 1', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as net.AddressInfo;
    const refused = start(`--server.http_port=${port}`, '--server.https_port=0');
    expect(await refused.exit).to.equal(1);
    other.close();
    expect(refused.output.err).to.contain(`Cannot listen on 127.0.0.1:${port}: another program already listens there.`);
  });

  it('listens, writes a kubeconfig that works, and exits with 0 on SIGTERM', async () => {
    const running = start(...PORTS);
    await listening(running);
    const path = /KUBECONFIG=(.*)/.exec(running.output.out)?.[1] ?? '';
    expect(path).to.equal(join(data, 'kubeconfig'));
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    const config = JSON.parse(await readFile(path, 'utf8')) as Kubeconfig;
    const decode = (text: string | undefined) => Buffer.from(text ?? '', 'base64');
    const { cluster } = config.clusters[0]!;
    const { user } = config.users[0]!;
    const options = {
      ca: decode(cluster['certificate-authority-data']),
      cert: decode(user['client-certificate-data']),
      key: decode(user['client-key-data']),
      agent: false as const,
    };
    for (const [path, wanted] of [
      ['/readyz', 200],
      ['/version', 200],
      ['/metrics', 200],
      ['/nowhere', 404],
    ] as const) {
      const request = https.get(`${cluster['server']}${path}`, options);
      const [response] = await once(request, 'response');
      response.resume();
      expect(response.statusCode, path).to.equal(wanted);
    }
    running.child.kill('SIGTERM');
    expect(await running.exit).to.equal(0);
  });

  // Promise: security tools
  it('opens no debugger on SIGUSR1, with which every process of the user could read its secrets', async () => {
    const running = start(...PORTS);
    await listening(running);
    running.child.kill('SIGUSR1');
    // The signal was taken when a later one has its effect.
    running.child.kill('SIGTERM');
    expect(await running.exit).to.equal(0);
    expect(running.output.err).not.to.contain('Debugger listening');
  });

  it('starts with a certificate that has expired, and warns once', async () => {
    const { certificate, key } = await generateCa({ from: new Date(0), to: new Date(86_400_000) });
    const [certFile, keyFile] = [join(data, 'own.crt'), join(data, 'own.key')];
    await Promise.all([writeFile(certFile, certificate), writeFile(keyFile, key)]);
    const running = start(...PORTS, `--server.cert_file=${certFile}`, `--server.key_file=${keyFile}`);
    await listening(running);
    running.child.kill('SIGTERM');
    expect(await running.exit).to.equal(0);
    const { out, err } = running.output;
    expect((out + err).split(`server.cert_file: the certificate in ${certFile} has expired`)).to.have.length(2);
  });

  it('uses a new certificate within seconds after its files are replaced', async () => {
    const made = await Promise.all(['old', 'new'].map((name) => putCertificate(join(data, name))));
    const link = join(data, 'own');
    await symlink('old', link);
    const running = start(
      ...PORTS,
      `--server.cert_file=${join(link, 'tls.crt')}`,
      `--server.key_file=${join(link, 'tls.key')}`,
    );
    await listening(running);
    expect(await certificateOf(running)).to.equal(made[0]);
    // A server reads its files again after it has made the data folder, so only the second time shows that it looks at
    // them later.
    for (const [name, certificate] of [
      ['new', made[1]],
      ['old', made[0]],
    ] as const) {
      await symlink(name, `${link}.next`);
      await rename(`${link}.next`, link);
      await eventually(
        async () => ((await certificateOf(running)) === certificate ? true : undefined),
        () => `the server still has another certificate than ${name}: ${running.output.err}`,
        20_000,
      );
    }
  });

  /** Writes a new certificate and its key to a new folder, and returns the hash of the certificate. */
  async function putCertificate(folder: string): Promise<string> {
    const { certificate, key } = await generateCa({ from: new Date(0), to: new Date(Date.now() + 1e10) });
    await mkdir(folder);
    await Promise.all([writeFile(join(folder, 'tls.crt'), certificate), writeFile(join(folder, 'tls.key'), key)]);
    return new X509Certificate(certificate).fingerprint256;
  }

  /** The hash of the certificate that the server shows. */
  async function certificateOf({ output }: ReturnType<typeof start>): Promise<string> {
    const [, port] = /HTTPS https:\/\/127\.0\.0\.1:(\d+)/.exec(output.out) ?? [];
    const socket = tls.connect({ port: Number(port), rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  }

  it('prints the random password also if it then cannot listen, and the next start does not', async () => {
    const taken = net.createServer().listen(0, '0.0.0.0');
    await once(taken, 'listening');
    const { port } = taken.address() as net.AddressInfo;
    const argv = ['--server.http_port=-1', '--server.https_addr=0.0.0.0', `--server.https_port=${port}`];
    const first = start(...argv);
    expect(await first.exit).to.equal(1);
    expect(first.output.out).to.match(/shown this once: \S{24}\n/);
    taken.close();
    const second = start(...argv);
    await listening(second);
    expect(second.output.out).to.not.contain('password');
  });

  it('prints the random password also if its own certificate is refused', async () => {
    await Promise.all(['own.crt', 'own.key'].map((name) => writeFile(join(data, name), 'no PEM')));
    const own = [`--server.cert_file=${join(data, 'own.crt')}`, `--server.key_file=${join(data, 'own.key')}`];
    const running = start('--server.http_port=-1', '--server.https_addr=0.0.0.0', '--server.https_port=0', ...own);
    expect(await running.exit).to.equal(1);
    expect(running.output.out).to.match(/shown this once: \S{24}\n/);
  });

  it('prints a random password once if other machines can reach it', async () => {
    const argv = ['--server.http_port=-1', '--server.https_addr=0.0.0.0', '--server.https_port=0'];
    const first = start(...argv);
    await listening(first);
    expect(first.output.out).to.match(/shown this once: \S{24}\n/);
    first.child.kill('SIGINT');
    expect(await first.exit).to.equal(0);
    const second = start(...argv);
    await listening(second);
    expect(second.output.out).to.not.contain('password');
  });
});
