import http from 'node:http';

export const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const ADMIN = `Basic ${Buffer.from('admin:admin').toString('base64')}`;

export interface Answer {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

export interface Folder {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: { readonly title: string };
}

/** Sends requests as the administrator. It repeats none. */
export class DayClient {
  readonly #url: () => string;
  readonly #agent: http.Agent;

  /** Without `keepAlive`, each request has its own connection, so a load balancer chooses a server for each. */
  constructor(url: () => string, keepAlive: boolean) {
    this.#url = url;
    this.#agent = new http.Agent({ keepAlive });
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    try {
      const response = await this.#open(method, path, body);
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      return { status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] };
    } catch (error) {
      return { status: 0, text: `${method} ${path}: ${error}`, retryAfter: undefined };
    }
  }

  /** The lines of a stream. If it does not begin, or breaks, this throws. `onOpen` gets a function that ends it. */
  async *lines(path: string, onOpen: (end: () => void) => void): AsyncGenerator<string, void, undefined> {
    const response = await this.#open('GET', path);
    onOpen(() => response.destroy());
    if (response.statusCode !== 200) {
      response.resume();
      throw new Error(`${response.statusCode} for ${path}`);
    }
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #open(method: string, path: string, body?: unknown): Promise<http.IncomingMessage> {
    const headers = { authorization: ADMIN, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const call = http.request(new URL(path, this.#url()), { method, headers, agent: this.#agent });
    call.end(body === undefined ? undefined : JSON.stringify(body));
    return new Promise((resolve, reject) => call.once('response', resolve).once('error', reject));
  }
}
