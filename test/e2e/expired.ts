import { join } from 'node:path';
import { openLmdb } from '../../storage/lmdb/open.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { startServer, type TestServer } from './harness.js';

const DOMAIN = 'svc.app';

export interface ServerWithPast {
  readonly server: TestServer;
  /** A resourceVersion that the server no longer has. */
  readonly expired: string;
}

/** A server whose log was compacted. */
export async function startWithPast(settings: Readonly<Record<string, string>>): Promise<ServerWithPast> {
  const server = await startServer({ settings });
  const { metadata } = (await server.client.request('GET', '/api/v1/namespaces')).json<{
    readonly metadata: { readonly resourceVersion: string };
  }>();
  await server.client.request('POST', '/apis/coordination.k8s.io/v1/namespaces/default/leases', {
    body: { metadata: { name: 'later' } },
  });
  await server.kill();
  const uri = settings['storage.mongodb_uri'];
  const database = settings['storage.mongodb_database'] ?? '';
  const backend =
    uri === undefined
      ? await openLmdb({ path: join(server.folder, 'data/store'), domain: DOMAIN })
      : await openMongodb({ uri, database, domain: DOMAIN });
  await backend.compact(await backend.end());
  await backend.close();
  await server.restart();
  return { server, expired: metadata.resourceVersion };
}
