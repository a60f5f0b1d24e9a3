import { Writable } from 'node:stream';
import { openTarget } from '../../cmd/adminctl/bridge/import.js';
import { type ImportRun, importBy } from '../../cmd/adminctl/bridge/run.js';
import { type LegacyClient, type LegacyClientOptions, legacyClient } from '../../pkg/legacyclient/client.js';
import { openMemory } from '../../storage/memory/backend.js';
import { openServer, type Server } from '../harness/server.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
}

/** A second server of ours in the mode of existing clients, from which the server of a suite takes everything. */
export interface Bridge {
  readonly source: () => Server;
  /** A call of the legacy API of the source, as its administrator. Throws unless the answer is 200. */
  give(method: string, path: string, body?: unknown): Promise<Answered>;
  run(options?: Partial<ImportRun>, source?: Partial<LegacyClientOptions>): Promise<Ran>;
  /** An import in the other direction. */
  back(options?: Partial<ImportRun>): Promise<Ran>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read the members that they expect.
type Answered = any;

const RUN: ImportRun = { isDryRun: false, hasHistory: false, url: 'https://source.example' };

export function bridgeTo(target: () => Server): Bridge {
  let server: Server | undefined;
  const source = (): Server => {
    if (server === undefined) throw new Error('there is no source yet');
    return server;
  };
  before(async () => {
    server = await openServer(openMemory(), { compatibility: 'clients' });
  });
  after(() => server?.close());
  return {
    source,
    give: async (method, path, body) => {
      const answer = await source().call(method, `/api${path}`, { ...(body !== undefined && { body }) });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.text === '' ? undefined : answer.json();
    },
    run: (options, more) => running(source(), target(), options, more),
    back: (options) => running(target(), source(), options),
  };
}

/** Takes what one server has into another. */
export async function running(
  from: Server,
  to: Server,
  options: Partial<ImportRun> = {},
  more: Partial<LegacyClientOptions> = {},
): Promise<Ran> {
  const clients = [clientOf(from, more), clientOf(to)] as const;
  let out = '';
  const writer = () =>
    new Writable({
      write: (chunk, _, done) => {
        out += String(chunk);
        done();
      },
    });
  try {
    const { isDryRun = false } = options;
    const opened = await openTarget(clients[1], isDryRun);
    const terminal = { out: writer(), err: writer(), env: {} };
    const code = await importBy(clients[0], opened, { ...RUN, ...options }, terminal);
    return { code, out };
  } finally {
    for (const client of clients) client.close();
  }
}

export function clientOf(server: Server, more: Partial<LegacyClientOptions> = {}): LegacyClient {
  const { port, headers } = server.address();
  return legacyClient({
    url: `http://127.0.0.1:${port}`,
    credential: { authorization: headers['authorization'] ?? '' },
    userAgent: 'test',
    wait: () => Promise.resolve(),
    ...more,
  });
}
