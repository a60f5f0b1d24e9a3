import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address } from '../harness/server.js';
import { WatchEvents } from './events.js';
import {
  answerOf,
  askedHeaders,
  askedTarget,
  bytesOfMessage,
  contentOfAnswer,
  isWatch,
  type RawAnswer,
  send,
} from './messages.js';
import { Placeholders } from './placeholders.js';
import { contentOf, type Exchange } from './transcript.js';

interface Asked {
  readonly request: IncomingMessage;
  readonly body: Uint8Array;
  answer?: RawAnswer;
  events?: WatchEvents;
}

/** A proxy that records requests and answers. Clients need no credentials. */
export interface RecordingProxy {
  readonly url: string;
  /** All exchanges so far, with placeholders. */
  exchanges(): readonly Exchange[];
  close(): void;
}

export async function startRecording(server: () => Address): Promise<RecordingProxy> {
  const all: Asked[] = [];
  const listener = createServer((request, response) => {
    forward(server(), all, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    exchanges: () => exchangesOf(all),
    close: () => {
      listener.closeAllConnections();
      listener.close();
    },
  };
}

async function forward(
  server: Address,
  all: Asked[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const body = await bytesOfMessage(request);
  const asked: Asked = { request, body };
  all.push(asked);
  const { 'accept-encoding': _encoding, authorization: _credentials, host: _host, ...headers } = request.headers;
  const answer = await send(server, method, url, { headers, ...(body.length === 0 ? {} : { body }) });
  const { statusCode: status = 0 } = answer;
  const { 'transfer-encoding': _chunks, connection: _connection, ...passed } = answer.headers;
  response.writeHead(status, passed);
  response.on('close', () => answer.destroy());
  asked.answer = { status, headers: answer.headers };
  if (isWatch(url) && status === 200) return stream(answer, response, asked);
  const bytes = await bytesOfMessage(answer);
  asked.answer = { status, headers: answer.headers, ...contentOfAnswer(answer.headers, bytes) };
  response.end(bytes);
}

function stream(answer: IncomingMessage, response: ServerResponse, asked: Asked): void {
  const events = new WatchEvents();
  asked.events = events;
  response.flushHeaders();
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    events.add(chunk);
    response.write(chunk);
  });
  answer.on('end', () => response.end()).on('error', () => response.destroy());
}

/** Watches come last, because their events come at any time. */
function exchangesOf(all: readonly Asked[]): readonly Exchange[] {
  const values = new Placeholders();
  const ended = all.flatMap((asked) =>
    asked.answer === undefined ? [] : [{ asked, exchange: exchangeOf(asked, asked.answer, values) }],
  );
  return ended.map(({ asked: { events }, exchange }) =>
    events === undefined ? exchange : { ...exchange, answer: { ...exchange.answer, events: events.of(values) } },
  );
}

function exchangeOf({ request, body }: Asked, raw: RawAnswer, values: Placeholders): Exchange {
  const { method = 'GET', url = '/' } = request;
  const asked = {
    request: `${method} ${askedTarget(url, values)}`,
    headers: askedHeaders(request.headers, values),
    ...(values.ofRequest(contentOf(body)) as object),
  };
  return { ...asked, answer: answerOf(url, raw, values) };
}
