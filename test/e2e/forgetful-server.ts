import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Backend } from '../../storage/backend.js';
import { bytesOfMessage, isWatch, send } from '../golden/messages.js';
import { openServer, type Server } from '../harness/server.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

/**
 * A server for clients that reconnect after the changes that they missed were compacted. Requests need no credentials.
 */
export interface ForgetfulServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * `POST /compact?suite=x` ends all watches, deletes the folder `x-gone`, creates the folder `x-new` with the label
 * `suite=x`, and compacts the log. New watches wait until this is done.
 */
export async function startForgetful(backend: Backend): Promise<ForgetfulServer> {
  const server = await openServer(backend);
  const watches = new Set<ServerResponse>();
  let compacting: Promise<void> = Promise.resolve();
  const front = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/compact') {
      for (const watch of watches) watch.destroy();
      compacting = compact(server, searchParams.get('suite') ?? '');
      return void compacting.then(
        () => response.end(),
        () => response.destroy(),
      );
    }
    const isOpen = isWatch(request.url ?? '');
    if (isOpen) watches.add(response.on('close', () => watches.delete(response)));
    const ready = isOpen ? compacting : Promise.resolve();
    ready.then(() => forward(server, request, response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    close: async () => {
      front.closeAllConnections();
      front.close();
      await server.close();
    },
  };
}

async function compact(server: Server, suite: string): Promise<void> {
  await server.call('DELETE', `${FOLDERS}/${suite}-gone`);
  const metadata = { name: `${suite}-new`, labels: { suite } };
  const body = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec: { title: 'New' } };
  await server.call('POST', FOLDERS, { body });
  await server.restart({ compact: true });
}

async function forward(server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const body = await bytesOfMessage(request);
  const answer = await send(server.address(), method, url, { headers, ...(body.length === 0 ? {} : { body }) });
  response.on('close', () => answer.destroy());
  const { 'transfer-encoding': _chunks, connection: _connection, ...passed } = answer.headers;
  response.writeHead(answer.statusCode ?? 0, passed).flushHeaders();
  answer.on('error', () => response.destroy()).pipe(response);
}
