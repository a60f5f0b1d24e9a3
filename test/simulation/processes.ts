import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawPort } from '../../hack/ports.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { type Door, doorTo, type Who } from './door.js';

/** Server processes on one store, with the doors to them. */
export interface Processes {
  readonly servers: readonly TestServer[];
  readonly doors: readonly Door[];
  readonly adminToken: string;
  stop(): Promise<void>;
}

/**
 * `uris` has the address of the database for each server. With an empty list, there is one server on the embedded
 * store.
 */
export async function startProcesses(uris: readonly string[], workers = 1): Promise<Processes> {
  const database = `simulation-${randomBytes(6).toString('hex')}`;
  const settings = uris.map((uri) => ({
    'storage.backend': 'mongodb',
    'storage.mongodb_uri': uri,
    'storage.mongodb_database': database,
    'security.secret_key': 'the secret of the simulation',
  }));
  // A fixed port, because new workers listen on the port of the settings after all others were killed.
  const common = (): Readonly<Record<string, string>> =>
    workers === 1 ? {} : { 'server.workers': `${workers}`, 'server.http_port': `${drawPort()}` };
  const servers: TestServer[] = [];
  for (const one of uris.length === 0 ? [{}] : settings)
    servers.push(await startServer({ settings: { ...one, ...common() } }));
  // Each server has its own token of the administrator. The token of the robot is stored in the database.
  const admins = await Promise.all(servers.map((one) => readFile(join(one.folder, 'data', 'admin.token'), 'utf8')));
  let robot = '';
  const doors = servers.map((server, i) =>
    doorTo(
      () => Number(new URL(server.httpUrl).port),
      (who: Who) => (who === 'robot' ? robot : (admins[i] ?? '').trim()),
    ),
  );
  robot = await robotToken(doors[0] as Door);
  return {
    servers,
    doors,
    adminToken: (admins[0] ?? '').trim(),
    stop: async () => {
      for (const door of doors) door.close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

async function robotToken(door: Door): Promise<string> {
  const path = '/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts';
  const account = {
    apiVersion: 'iam.svc.app/v1beta1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot' },
    spec: { title: 'robot', role: 'None' },
  };
  await door.send({ method: 'POST', path, body: account });
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status, text } = await door.send({ method: 'POST', path: `${path}/robot/token`, body });
  if (status !== 201) throw new Error(`the robot gets no token: ${status} ${text}`);
  return (JSON.parse(text) as { readonly status: { readonly token: string } }).status.token;
}
