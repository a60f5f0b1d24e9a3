import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documented, type Sent } from './documented.js';

/** What happens to a request, in place of an answer of the other server, or before or after it. */
export interface Fault {
  /** Answers this, and asks nobody. */
  readonly status?: number;
  /** What it answers with the status. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the connection without an answer. */
  readonly isKilled?: boolean;
  /** Does what was asked, and ends the connection in the middle of the answer. */
  readonly isHalf?: boolean;
  /** Milliseconds before the request goes on. */
  readonly delay?: number;
}

export interface RecordingProxy {
  readonly url: string;
  /** What was asked, in its order. */
  readonly requests: (Sent & { readonly route: string; readonly headers: IncomingMessage['headers'] })[];
  /** Requests that are not documented. A test fails if there is one. */
  readonly wrong: string[];
  /** Decides about each request. */
  fault: (request: Sent & { readonly route: string }) => Fault | undefined;
  close(): Promise<void>;
}

interface Destination {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Records each request to the other server, checks that it is documented, and can disturb it. */
export async function openProxy(destination: () => Destination): Promise<RecordingProxy> {
  const proxy: { fault: RecordingProxy['fault'] } & Pick<RecordingProxy, 'requests' | 'wrong'> = {
    requests: [],
    wrong: [],
    fault: () => undefined,
  };
  const server = createServer((message, response) => {
    void handle(proxy, destination(), message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function handle(
  proxy: Pick<RecordingProxy, 'requests' | 'wrong' | 'fault'>,
  destination: Destination,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await bytesOf(message);
  const url = new URL(message.url ?? '', 'http://proxy');
  const body: unknown = bytes.length === 0 ? undefined : JSON.parse(bytes.toString());
  const sent = { method: message.method ?? '', path: url.pathname, query: url.searchParams, body };
  const recorded = { ...sent, route: routeOf(proxy, sent), headers: message.headers };
  proxy.requests.push(recorded);
  const fault = proxy.fault(recorded);
  if (fault?.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delay));
  if (fault?.isKilled === true) return void response.destroy();
  if (fault?.status !== undefined) {
    response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
    return void response.end(JSON.stringify(fault.body ?? { message: 'a fault of the test' }));
  }
  const answer = await forward(destination, message, bytes);
  response.writeHead(answer.status, { ...answer.headers, ...(fault?.isHalf === true && { 'content-length': 10_000 }) });
  if (fault?.isHalf !== true) return void response.end(answer.bytes);
  response.write(answer.bytes.subarray(0, answer.bytes.length / 2));
  setTimeout(() => response.destroy(), 10);
}

function routeOf({ wrong }: Pick<RecordingProxy, 'wrong'>, sent: Sent): string {
  try {
    return documented(sent);
  } catch (error) {
    wrong.push((error as Error).message);
    return '';
  }
}

async function forward({ port, headers }: Destination, { method, url, headers: given }: IncomingMessage, body: Buffer) {
  const { authorization: _, host: __, ...others } = given;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path: url, headers: { ...others, ...headers } })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });
  return { status: answer.statusCode ?? 500, headers: answer.headers, bytes: await bytesOf(answer) };
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}
