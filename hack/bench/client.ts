import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The media type of the body. */
  readonly type?: string;
}

export type Headers = Readonly<Record<string, string>>;

/**
 * Sends requests to one server over HTTP, on connections that are kept alive. Rejects unless the response is a success.
 */
export interface Client {
  send(call: Call): Promise<Answer>;
  close(): void;
}

export function clientOf(base: URL, headers: Headers): Client {
  const agent = new Agent({ keepAlive: true });
  const send = async ({ method, path, body, type = 'application/json' }: Call): Promise<Answer> => {
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const described = content && { 'content-type': type, 'content-length': `${content.length}` };
    const options = { agent, method, headers: { ...headers, ...described } };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(new URL(path, base), options).on('response', resolve).on('error', reject).end(content);
    });
    const [status, text] = [answer.statusCode ?? 0, `${await buffer(answer)}`];
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return { status, headers: answer.headers, text };
  };
  return { send, close: () => agent.destroy() };
}
