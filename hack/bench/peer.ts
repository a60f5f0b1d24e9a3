import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { drawPort } from '../ports.js';
import type { Contender } from './contender.js';

const HERE = fileURLToPath(new URL('peer', import.meta.url));
const FOLDER = process.env['BENCH_CACHE'] ?? join(homedir(), '.cache', 'dashboard-apiserver', 'bench');

/** The certificates of the peer, once `preparePeer` has made them. */
export const CERTIFICATES = join(FOLDER, 'certs');

/** The load generator, once `preparePeer` has built it. */
export const APILOAD = join(FOLDER, 'bin', 'apiload');

/**
 * Builds the peer and the load generator with Go, if they are not built yet. `quick` is for tests, which measure
 * nothing.
 */
export async function preparePeer({ folder = FOLDER, quick = false } = {}): Promise<void> {
  await promisify(execFile)(join(HERE, 'prepare.sh'), [folder, ...(quick ? ['--quick'] : [])]);
}

export interface PeerOptions {
  /** More flags of the API server. */
  readonly flags?: readonly string[];
  /** Where `preparePeer` has built it. */
  readonly folder?: string;
  /** Without the kind that is measured. */
  readonly isEmpty?: boolean;
}

/**
 * Kubernetes' own API server for custom resources, on etcd, both on loopback, with the best setting of Go's collector.
 */
export async function startPeer({
  flags = [],
  folder = FOLDER,
  isEmpty = false,
}: PeerOptions = {}): Promise<Contender> {
  const certificates = join(folder, 'certs');
  const start = starter(folder);
  const data = await mkdtemp(join(tmpdir(), 'bench-peer-'));
  const [port, client, peer] = [drawPort(), drawPort(), drawPort()];
  const [token, ca] = await Promise.all(['token', 'ca.crt'].map((name) => readFile(join(certificates, name), 'utf8')));
  const etcd = await start('etcd', [
    ...['--name=peer', `--data-dir=${data}`, '--quota-backend-bytes=8589934592', '--log-level=warn'],
    ...[`--listen-client-urls=http://127.0.0.1:${client}`, `--advertise-client-urls=http://127.0.0.1:${client}`],
    ...[`--listen-peer-urls=http://127.0.0.1:${peer}`, `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`],
    `--initial-cluster=peer=http://127.0.0.1:${peer}`,
  ]);
  const ask = (method: string, path: string, body?: string): Promise<number> =>
    statusOf({ method, path, port, ca, token: token ?? '' }, body);
  const launch = (): Promise<ChildProcess> =>
    start('apiserver', [
      ...[`--etcd-servers=http://127.0.0.1:${client}`, '--bind-address=127.0.0.1', `--secure-port=${port}`],
      ...[
        `--tls-cert-file=${join(certificates, 'server.crt')}`,
        `--tls-private-key-file=${join(certificates, 'server.key')}`,
      ],
      ...[`--token-auth-file=${join(certificates, 'tokens.csv')}`, `--client-ca-file=${join(certificates, 'ca.crt')}`],
      '--enable-priority-and-fairness=false',
      ...flags,
    ]);
  const ready = async (): Promise<void> => {
    while ((await ask('GET', '/readyz').catch(() => 0)) !== 200) await sleep(20);
  };
  let server = await launch();
  await ready();
  const defineFolders = async (): Promise<void> => {
    const crd = await readFile(join(HERE, 'folder-crd.yaml'), 'utf8');
    await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
    while ((await ask('GET', FOLDERS).catch(() => 0)) !== 200) await sleep(20);
  };
  if (!isEmpty) await defineFolders();
  return {
    name: 'peer',
    base: `https://127.0.0.1:${port}`,
    token: token ?? '',
    caFile: join(certificates, 'ca.crt'),
    pids: () => ({ server: server.pid ?? 0, database: etcd.pid }),
    restart: async () => {
      await stop(server);
      const began = performance.now();
      server = await launch();
      await ready();
      while ((await ask('GET', `${FOLDERS}?limit=1&resourceVersion=0`).catch(() => 0)) !== 200) await sleep(20);
      return performance.now() - began;
    },
    stop: async () => {
      await stop(server);
      await stop(etcd);
      await rm(data, { recursive: true, force: true });
    },
  };
}

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

const starter =
  (folder: string) =>
  async (program: string, args: readonly string[]): Promise<ChildProcess> => {
    const child = spawn(join(folder, 'bin', program), args, {
      stdio: 'ignore',
      env: { ...process.env, ...(program === 'apiserver' && { GOGC: '300' }) },
    });
    await once(child, 'spawn');
    return child;
  };

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly port: number;
  readonly ca: string | undefined;
  readonly token: string;
}

async function statusOf({ token, ca, ...where }: Asked, body?: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/yaml' };
  const call = request({ host: '127.0.0.1', ...where, headers, ...(ca !== undefined && { ca }) });
  call.end(body);
  const [answer] = await once(call, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}
