import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Settings } from '../../../pkg/config/schema.js';
import { standardOutput } from '../../../pkg/http/audit/sink.js';
import { isInUse } from '../../../storage/lmdb/lock.js';
import { productVersion } from '../../apiserver/version.js';
import { ALONE, type Host } from '../../apiserver/workers/host.js';
import { ask, expectOk, type Server, serverOf } from '../by-server.js';
import { hasStore, placeOf } from '../store/place.js';
import type { Terminal } from '../terminal.js';

/** The legacy API, as the operator. */
export interface Api {
  /** How the store is reached, for people. */
  readonly through: string;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
}

/**
 * Works through the server that has the embedded store open. If there is none, or on MongoDB, it starts a server on a
 * free port of loopback until the work is done. So the rules are the same.
 */
export async function withServer<T>(
  settings: Settings,
  { err }: Pick<Terminal, 'err'>,
  work: (api: Api) => Promise<T>,
): Promise<T> {
  const data = resolve(settings.paths.data);
  await checkPlace(settings, data);
  const { compose } = await import('../../apiserver/compose.js');
  const started = await compose(configOf(settings), productVersion(), hostOf(settings, err)).catch((error: unknown) => {
    if (isInUse(error)) return undefined;
    throw error;
  });
  if (started === undefined) return work(apiOf(await serverOf(data), 'the server that has the store open'));
  try {
    const token = (await readFile(resolve(data, 'admin.token'), 'utf8')).trim();
    const url = `http://127.0.0.1:${started.listening.http?.port}`;
    return await work(apiOf({ url, ca: undefined, token }, 'the store directly'));
  } finally {
    await started.close();
  }
}

/** A server that starts makes what is missing, but a command must not: its settings may be mistyped. */
async function checkPlace(settings: Settings, data: string): Promise<void> {
  const place = placeOf(settings);
  if ('data' in place) {
    if (hasStore(data)) return;
    throw new Error(`There is no store in ${data}. Set --paths.data to the data folder of the server.`);
  }
  if (!existsSync(data))
    throw new Error(`There is no data folder ${data}. Set --paths.data to the data folder of a server.`);
  const { checkHasData } = await import('../../../storage/mongodb/transfer/has-data.js');
  await checkHasData(place);
}

/** Without HTTPS, the kubeconfig in the data folder stays as it is. */
function configOf(settings: Settings): Parameters<typeof import('../../apiserver/compose.js').compose>[0] {
  const server = { ...settings.server, http_addr: '127.0.0.1', http_port: 0, https_port: -1 };
  const quiet = { ...settings, server, log: { ...settings.log, level: 'silent' as const } };
  return { settings: quiet, warnings: [], sourceOf: () => 'default', given: () => undefined };
}

/**
 * Objects are kept in memory, because another program would replace the files of the server. The standard output is for
 * what the command prints, so an audit log that goes there goes to the standard error.
 */
function hostOf({ audit }: Settings, err: Terminal['err']): Host {
  const host = { ...ALONE, objects: undefined };
  return audit.output === 'stdout' ? { ...host, auditTarget: standardOutput(err) } : host;
}

function apiOf(server: Server, through: string): Api {
  return {
    through,
    call: async (method, path, body) => JSON.parse(expectOk(await ask(server, method, path, body))) as unknown,
  };
}
