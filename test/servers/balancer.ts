import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Milliseconds between two checks of a server. */
const CHECK_EVERY = 250;

export interface Balancer {
  readonly url: string;
  /** How many servers are ready, as far as the balancer knows. */
  ready(): number;
  /** What clients were told because a server did not answer. */
  readonly failures: string[];
  close(): Promise<void>;
}

/** Sends requests in turn to the servers that are ready by /readyz. It never repeats a request. `urls` gives the present address of each server. */
export async function startBalancer(urls: readonly (() => string)[], keepAlive: boolean): Promise<Balancer> {
  const agent = new http.Agent({ keepAlive });
  const isReady = urls.map(() => true);
  const failures: string[] = [];
  let turn = 0;
  const check = async (index: number): Promise<void> => {
    const answer = await fetch(`${urls[index]?.()}/readyz`, { headers: { connection: 'close' } }).catch(
      () => undefined,
    );
    await answer?.arrayBuffer();
    isReady[index] = answer?.ok === true;
  };
  const timer = setInterval(() => urls.forEach((_url, index) => void check(index)), CHECK_EVERY);
  const choose = (): string => {
    for (let i = 0; i < urls.length; i++) {
      turn = (turn + 1) % urls.length;
      if (isReady[turn]) return urls[turn]?.() ?? '';
    }
    return '';
  };
  const listener = http.createServer((request, response) => {
    const fail = (why: string): void => {
      failures.push(`${request.method} ${request.url}: ${why}`);
      response.writeHead(502).end(why);
    };
    const target = choose();
    if (target === '') return fail('no server is ready');
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
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    ready: () => isReady.filter(Boolean).length,
    failures,
    close: async () => {
      clearInterval(timer);
      agent.destroy();
      listener.closeAllConnections();
      listener.close();
      await once(listener, 'close');
    },
  };
}
