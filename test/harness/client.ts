import { Agent, type IncomingMessage, request } from 'node:http';
import { type Answer, answerOf } from './answer.js';

export interface Message {
  readonly method: string;
  /** The path with its query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** Sends requests to one port of loopback over HTTP/1.1, on persistent connections. */
export interface Client {
  send(message: Message, failure: () => string): Promise<Answer>;
  close(): void;
}

export function clientOf(port: number): Client {
  const agent = new Agent({ keepAlive: true });
  const send: Client['send'] = async ({ method, path, headers, body }, failure) => {
    const length = body === undefined ? {} : { 'content-length': `${body.length}` };
    const options = { host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...length } };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(options).on('response', resolve).on('error', reject).end(body);
    });
    return answerOf(response, method === 'GET' && isWatch(path), failure);
  };
  return { send, close: () => agent.destroy() };
}

function isWatch(path: string): boolean {
  const watch = new URLSearchParams(path.slice(path.indexOf('?') + 1)).get('watch');
  return watch !== null && !['0', 'false'].includes(watch);
}
