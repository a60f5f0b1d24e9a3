import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json<T = Record<string, unknown>>(): T;
}

export interface Wish {
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, and other values as JSON. */
  readonly body?: unknown;
}

/** An HTTP client of the administrator. It trusts only the authority of the server. */
export interface Client {
  request(method: string, path: string, wish?: Wish): Promise<Answer>;
  /** Reads a stream line by line until the caller stops. */
  lines(path: string, headers?: Readonly<Record<string, string>>): AsyncGenerator<string, void, undefined>;
  close(): void;
}

/**
 * `url` is called before each request. `data` is the data folder, with the certificate authority and the token of the
 * administrator.
 */
export async function clientOf(url: () => string, data: string): Promise<Client> {
  const ca = await readFile(join(data, 'pki', 'ca.crt'), 'utf8');
  const token = (await readFile(join(data, 'admin.token'), 'utf8')).trim();
  const agent = new Agent({ ca, keepAlive: true });
  const open = (method: string, path: string, { headers = {}, body }: Wish): ReturnType<typeof httpsRequest> => {
    const json = body !== undefined && typeof body !== 'string';
    const sent = json ? { 'content-type': 'application/json' } : {};
    const call = httpsRequest(new URL(path, url()), {
      method,
      agent,
      headers: { authorization: `Bearer ${token}`, ...sent, ...headers },
    });
    call.end(json ? JSON.stringify(body) : body);
    return call;
  };
  return {
    request: async (method, path, wish = {}) => {
      const response = await responseOf(open(method, path, wish));
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        text,
        json: <T>() => JSON.parse(text) as T,
      };
    },
    lines: async function* (path, headers = {}) {
      const response = await responseOf(open('GET', path, { headers }));
      let rest = '';
      try {
        for await (const chunk of response.setEncoding('utf8')) {
          const lines = (rest + String(chunk)).split('\n');
          rest = lines.pop() ?? '';
          yield* lines;
        }
      } finally {
        response.destroy();
      }
    },
    close: () => agent.destroy(),
  };
}

function responseOf(call: ReturnType<typeof httpsRequest>): Promise<import('node:http').IncomingMessage> {
  return new Promise((resolve, reject) => call.once('response', resolve).once('error', reject));
}
