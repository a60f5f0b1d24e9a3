import type { ApiResponse, Handler } from '../handler.js';
import { type Answer, type Ask, ask1, ask2, connect2, startServer, type TestServer } from './harness.js';

export const text = (body: string, headers: ApiResponse['headers'] = {}): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain', ...headers },
  body: Buffer.from(body),
});
export const json = (answer: Answer) => JSON.parse(answer.body.toString());

type AskAny = (path: string, ask?: Ask) => Promise<Answer>;

const PROTOCOLS: Readonly<Record<string, (server: TestServer) => Promise<AskAny>>> = {
  'HTTP/1.1': async (server) => (path, ask) => ask1(server, path, ask, 'plain'),
  'HTTP/1.1 over TLS': async (server) => (path, ask) => ask1(server, path, ask),
  'HTTP/2': async (server) => {
    const session = await connect2(server);
    return (path, ask) => ask2(session, path, ask);
  },
};

/** The server of one test. */
export interface Served {
  readonly protocol: string;
  /** Starts the server. The result asks it over the protocol. */
  serve(handler: Handler, options?: Parameters<typeof startServer>[1]): Promise<AskAny>;
  server(): TestServer | undefined;
}

/** The same promises over each protocol. */
export function overEachProtocol(suite: (served: Served) => void): void {
  for (const [protocol, connect] of Object.entries(PROTOCOLS)) {
    describe(`App over ${protocol}`, () => {
      let server: TestServer | undefined;
      afterEach(() => server?.close());
      suite({
        protocol,
        serve: async (handler, options) => {
          server = await startServer(handler, options);
          return connect(server);
        },
        server: () => server,
      });
    });
  }
}
