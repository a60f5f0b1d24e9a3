import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startReplicaSet } from '../mongod.js';
import type { Contender } from './contender.js';
import { CERTIFICATES, startPeer } from './peer.js';
import { startBuilt } from './server.js';

/** The peer keeps no earlier versions of an object beside its log. To keep none, as it does, shows what ours cost. */
const NO_VERSIONS = ['--history.versions=0'];

export const CONTENDERS: Readonly<Record<string, () => Promise<Contender>>> = {
  peer: startPeer,
  embedded: () => startOurs('embedded', [], undefined),
  mongodb: () => startOnMongodb('mongodb', []),
  'embedded without versions': () => startOurs('embedded without versions', NO_VERSIONS, undefined),
  'mongodb without versions': () => startOnMongodb('mongodb without versions', NO_VERSIONS),
  floor: () => startFloor('floor'),
  'floor on mongodb': () => onMongodb((database) => startFloor('floor on mongodb', database)),
  'embedded custom kind': async () => withCustomFolders(await startOurs('embedded custom kind', [], undefined)),
  'mongodb custom kind': async () => withCustomFolders(await startOnMongodb('mongodb custom kind', [])),
};

/** See floor-server.ts. */
async function startFloor(name: string, database?: BenchDatabase): Promise<Contender> {
  const data = await mkdtemp(join(tmpdir(), 'bench-floor-'));
  const [cert, key] = [join(CERTIFICATES, 'server.crt'), join(CERTIFICATES, 'server.key')];
  const program = fileURLToPath(new URL('floor-server.ts', import.meta.url));
  const args = ['--import=tsx', program, data, cert, key, ...(database === undefined ? [] : [database.uri])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  return {
    name,
    base: `https://127.0.0.1:${String(port).trim()}`,
    token: 'none',
    caFile: join(CERTIFICATES, 'ca.crt'),
    operations: /^(create|get|update|server-side apply)/,
    pids: () => ({ server: child.pid ?? 0, database: database?.pid }),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}

const GROUP = 'bench.example.com';

/** The folders that are measured are those of the definition that the peer has, in a group of its own. */
async function withCustomFolders(ours: Contender): Promise<Contender> {
  const crd = await readFile(fileURLToPath(new URL('peer/folder-crd.yaml', import.meta.url)), 'utf8');
  const body = crd.replaceAll('folder.svc.app', GROUP);
  const call = request(`${ours.base}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ours.token}`, 'content-type': 'application/yaml' },
    ca: await readFile(ours.caFile),
  });
  call.end(body);
  const [{ statusCode }] = await once(call, 'response');
  if (statusCode !== 201) throw new Error(`The definition was answered ${statusCode}.`);
  return Object.create(ours, {
    collection: { value: `/apis/${GROUP}/v1beta1/namespaces/default/folders` },
  }) as Contender;
}

function startOnMongodb(name: string, settings: readonly string[]): Promise<Contender> {
  return onMongodb(({ uri, pid }) =>
    startOurs(name, ['--storage.backend=mongodb', `--storage.mongodb_uri=${uri}`, ...settings], pid),
  );
}

/** A database of the benchmark. */
interface BenchDatabase {
  readonly uri: string;
  readonly pid: number | undefined;
}

/** Starts a database, and a contender on it. The database stops with the contender. */
async function onMongodb(start: (database: BenchDatabase) => Promise<Contender>): Promise<Contender> {
  const set = await startReplicaSet({ members: 1 });
  const contender = await start({ uri: set.uri, pid: set.members[0]?.pid });
  const stop = async (): Promise<void> => {
    await contender.stop();
    await set.stop();
  };
  // The port of the contender is another one after a restart.
  return Object.create(contender, { stop: { value: stop } }) as Contender;
}

async function startOurs(name: string, args: readonly string[], database: number | undefined): Promise<Contender> {
  const data = await mkdtemp(join(tmpdir(), 'bench-ours-'));
  const options = { root: resolve('.'), args: [...args, '--limits.max_watches=40000'], data };
  let server = await startBuilt(options);
  return {
    name,
    get base() {
      return server.https.origin;
    },
    token: server.token,
    caFile: server.caFile,
    pids: () => ({ server: server.child.pid ?? 0, database }),
    restart: async () => {
      await server.stop();
      const began = performance.now();
      server = await startBuilt(options);
      const path = '/apis/folder.svc.app/v1beta1/namespaces/default/folders?limit=1&resourceVersion=0';
      await fetch(new URL(path, server.http), { headers: { authorization: `Bearer ${server.token}` } });
      return performance.now() - began;
    },
    stop: async () => {
      await server.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}
