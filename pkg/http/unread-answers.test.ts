import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { expect } from 'chai';
import { authenticatorChain } from '../identity/authn/chain.js';
import { staticTokenAuthenticator } from '../identity/authn/static-token.js';
import type { AppLimits } from './app.js';
import type { ApiResponse, Handler } from './handler.js';
import { ask1, connect2, startServer, type TestServer, until } from './testing/harness.js';

const MIB = 2 ** 20;
/** More than the sockets of both ends take. */
const LARGE = 16 * MIB;
const TOTAL = 4 * LARGE;
/** One caller gets half. */
const SHARE = TOTAL / LARGE / 2;

const user = (name: string) =>
  staticTokenAuthenticator(() => name, { name, uid: `uid-${name}`, groups: [], extra: {} });
const authenticate = authenticatorChain({ authenticators: [user('greedy'), user('other')], anonymous: false });
const as = (name: string) => ({ authorization: `Bearer ${name}` });

interface Unread {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Reads all of it. */
  read(): Promise<number>;
  leave(): void;
}
type Open = (method?: string, headers?: Readonly<Record<string, string>>) => Promise<Unread>;

/** Each asks and reads no more than the beginning of the answer. */
const PROTOCOLS: Readonly<Record<string, (server: TestServer) => Promise<Open>>> = {
  'HTTP/1.1': async ({ httpPort }) => {
    return (method = 'GET', headers = {}) =>
      new Promise((resolve, reject) => {
        const all = { ...as('greedy'), ...headers };
        const request = http.request({ host: '127.0.0.1', port: httpPort, path: '/apis', method, headers: all });
        request.on('error', reject);
        request.on('response', (response) => {
          response.on('error', () => undefined);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            read: () => lengthOf(response),
            leave: () => void request.destroy(),
          });
        });
        request.end();
      });
  },
  'HTTP/2': async (server) => {
    const session = await connect2(server);
    return (method = 'GET', headers = {}) =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ':path': '/apis', ':method': method, ...as('greedy'), ...headers });
        stream.on('error', reject);
        stream.on('response', (answered) =>
          resolve({
            status: Number(answered[':status']),
            headers: answered,
            read: () => lengthOf(stream),
            leave: () => stream.close(8),
          }),
        );
        stream.end();
      });
  },
};

async function lengthOf(source: AsyncIterable<Buffer>): Promise<number> {
  let length = 0;
  for await (const chunk of source) length += chunk.length;
  return length;
}

const answerOf = (body: Uint8Array): ApiResponse => ({ status: 200, headers: {}, body });
const large: Handler = () => answerOf(Buffer.alloc(LARGE));

for (const [protocol, connect] of Object.entries(PROTOCOLS)) {
  describe(`Large answers that nobody reads, over ${protocol}`, () => {
    let server: TestServer;
    afterEach(() => server.close());

    async function serve(handler: Handler, limits: Partial<AppLimits> = {}): Promise<Open> {
      server = await startServer(handler, {
        authenticate,
        limits: { maxInFlight: 100, pendingBytes: TOTAL, ...limits },
      });
      return connect(server);
    }
    const several = (open: Open, count: number, ...how: Parameters<Open>): Promise<readonly Unread[]> =>
      Promise.all(Array.from({ length: count }, () => open(...how)));
    const okOf = (answers: readonly Unread[]): readonly Unread[] => answers.filter(({ status }) => status === 200);
    const askAsOther = async (): Promise<number> => (await ask1(server, '/apis', { headers: as('other') })).status;

    // Promise: security work
    it('are no more than a share of one caller: others get 429 with Retry-After, and other callers their answers', async () => {
      const open = await serve(large);
      const answers = await several(open, 3 * SHARE);
      expect(okOf(answers)).to.have.length(SHARE);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const { status, headers } of refused) expect([status, headers['retry-after']]).to.deep.equal([429, '1']);
      expect(await askAsOther()).to.equal(200);
      for (const { leave } of answers) leave();
    });

    it('are given back when they are read, and when their clients leave', async () => {
      const open = await serve(large);
      const [first, ...others] = okOf(await several(open, SHARE));
      expect((await open()).status).to.equal(429);
      expect(await first?.read()).to.equal(LARGE);
      await until(() => server.app.active === SHARE - 1);
      const next = await open();
      expect([next.status, (await open()).status]).to.deep.equal([200, 429]);
      for (const { leave } of [next, ...others]) leave();
      await until(() => server.app.active === 0);
      expect(okOf(await several(open, SHARE))).to.have.length(SHARE);
    });

    it('count before they are compressed', async () => {
      const open = await serve(large);
      const answers = await several(open, SHARE);
      const packed = await open('GET', { 'accept-encoding': 'gzip' });
      expect([okOf(answers).length, packed.status]).to.deep.equal([SHARE, 429]);
      for (const { leave } of answers) leave();
    });

    it('do not count for HEAD, and count once if they have the same bytes', async () => {
      const shared = Buffer.alloc(LARGE);
      const open = await serve(() => answerOf(shared));
      const answers = await several(open, 3 * SHARE);
      expect(okOf(answers)).to.have.length(3 * SHARE);
      for (const { leave } of answers) leave();
      await server.close();
      const ask = await serve(large);
      expect(okOf(await several(ask, SHARE))).to.have.length(SHARE);
      expect((await ask('HEAD')).status).to.equal(200);
    });

    it('of writes are all sent, and the next write is refused before it begins', async () => {
      let written = 0;
      const open = await serve((request) => {
        written++;
        return large(request);
      });
      const answers: Unread[] = [];
      for (let i = 0; i < 2 * SHARE; i++) answers.push(await open('POST'));
      expect([okOf(answers).length, written]).to.deep.equal([SHARE, SHARE]);
      expect(answers.at(-1)?.headers['retry-after']).to.equal('1');
      expect(await askAsOther()).to.equal(200);
      const deleted = await ask1(server, '/apis', { method: 'DELETE', headers: as('other') });
      expect(deleted.status).to.equal(200);
      for (const { leave } of answers) leave();
    });

    // Promise: security work
    it('are cut off when their clients take nothing', async () => {
      const open = await serve(large, { stallTimeout: 40 });
      expect(okOf(await several(open, SHARE))).to.have.length(SHARE);
      await until(() => server.app.active === 0);
      expect(okOf(await several(open, SHARE))).to.have.length(SHARE);
    });

    it('of a write are sent also compressed, if its caller has as many streams as it may have', async () => {
      const random = randomBytes(LARGE);
      const open = await serve(() => answerOf(random), { maxMutatingInFlight: 100, maxQueued: 1 });
      const gzip = { 'accept-encoding': 'gzip' };
      const answers = await several(open, 4, 'POST', gzip);
      // One of them finds the only place in the queue, and waits.
      const next = await Promise.race([open('POST', gzip), open('POST', gzip)]);
      expect([okOf(answers).length, next.status]).to.deep.equal([4, 200]);
      for (const { leave } of [...answers, next]) leave();
    });
  });
}
