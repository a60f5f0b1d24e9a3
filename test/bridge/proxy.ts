import { createServer, type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers a request itself, or lets it through to the source with `undefined`. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => true | undefined;

/** A proxy before the source that can fail. */
export function proxyBefore(port: () => number) {
  let fault: Fault = () => undefined;
  const asked: string[] = [];
  const server: HttpServer = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (fault(incoming, response) === true) return;
    const options = { port: port(), method: incoming.method, path: incoming.url, headers: incoming.headers };
    const outgoing = request({ host: '127.0.0.1', ...options }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing.on('error', () => response.destroy()));
  });
  return {
    asked,
    set: (next: Fault) => {
      asked.length = 0;
      fault = next;
    },
    open: () => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)),
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const saying =
  (status: number, body: string, headers = {}): Fault =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    return true;
  };
