import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { checkHealth } from './health.js';

export interface Balancer {
  readonly url: string;
  /** How many servers are ready, as far as the balancer knows. */
  ready(): number;
  /** What clients were told because a server did not answer. */
  readonly failures: string[];
  close(): Promise<void>;
}

/**
 * Sends requests in turn to the servers that are ready by /readyz. It never repeats a request. `urls` gives the present
 * address of each server.
 */
export async function startBalancer(urls: readonly (() => string)[], keepAlive: boolean): Promise<Balancer> {
  const agent = new http.Agent({ keepAlive });
  const failures: string[] = [];
  const health = checkHealth(urls);
  const listener = http.createServer((request, response) => {
    const fail = (why: string): void => {
      failures.push(`${request.method} ${request.url}: ${why}`);
      response.writeHead(502).end(why);
    };
    const target = health.next();
    if (target === undefined) return fail('no server is ready');
    const { method, headers, url } = request;
    const passed = http.request(new URL(url ?? '/', target), {
      method,
      headers: { ...headers, connection: '' },
      agent,
    });
    passed.removeHeader('connection');
    passed.on('error', (error) => fail(String(error)));
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? '' });
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  return listening(listener, health, failures, () => {
    agent.destroy();
    listener.closeAllConnections();
  });
}

/**
 * Passes connections in turn to the servers that are ready by /readyz, and knows nothing of requests. It never tries a
 * second server.
 */
export async function startTcpBalancer(urls: readonly (() => string)[]): Promise<Balancer> {
  const failures: string[] = [];
  const health = checkHealth(urls);
  const sockets = new Set<net.Socket>();
  const listener = net.createServer({ allowHalfOpen: true }, (client) => {
    const target = health.next();
    if (target === undefined) {
      failures.push('no server is ready');
      return void client.destroy();
    }
    const server = net.connect({ port: Number(new URL(target).port), host: '127.0.0.1', allowHalfOpen: true });
    server.once('connect', () => server.off('error', refused));
    const refused = (error: Error): void => void failures.push(String(error));
    server.once('error', refused);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroySoon();
      });
      from.pipe(to);
    }
  });
  return listening(listener, health, failures, () => {
    for (const socket of sockets) socket.destroy();
  });
}

/** A balancer that listens. `disconnect` ends the connections that are open. */
async function listening(
  listener: net.Server,
  health: ReturnType<typeof checkHealth>,
  failures: string[],
  disconnect: () => void,
): Promise<Balancer> {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: urlOf(listener),
    ready: health.ready,
    failures,
    close: async () => {
      health.stop();
      disconnect();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function urlOf(listener: net.Server): string {
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}
