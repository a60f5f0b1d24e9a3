import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { notFound } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import type { ApiRequest, ApiResponse, Handler } from './handler.js';
import type { Level } from './middleware/in-flight.js';
import {
  type Answer,
  type Ask,
  AUTHORIZED,
  ask1,
  ask2,
  connect2,
  gate,
  startServer,
  type TestServer,
  until,
} from './testing/harness.js';

const text = (body: string, headers: ApiResponse['headers'] = {}): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain', ...headers },
  body: Buffer.from(body),
});
const json = (answer: Answer) => JSON.parse(answer.body.toString());

type AskAny = (path: string, ask?: Ask) => Promise<Answer>;

/** The same promises over each protocol. */
const PROTOCOLS: Readonly<Record<string, (server: TestServer) => Promise<AskAny>>> = {
  'HTTP/1.1': async (server) => (path, ask) => ask1(server, path, ask, 'plain'),
  'HTTP/1.1 over TLS': async (server) => (path, ask) => ask1(server, path, ask),
  'HTTP/2': async (server) => {
    const session = await connect2(server);
    return (path, ask) => ask2(session, path, ask);
  },
};

for (const [protocol, connect] of Object.entries(PROTOCOLS)) {
  describe(`App over ${protocol}`, () => {
    let server: TestServer | undefined;
    afterEach(() => server?.close());

    const waiting = (level: Level): number => server?.app.inFlight.level(level).waiting ?? 0;

    async function serve(handler: Handler, options?: Parameters<typeof startServer>[1]): Promise<AskAny> {
      server = await startServer(handler, options);
      return connect(server);
    }

    it('hands the handler what was asked and gives back what it answers', async () => {
      let seen: ApiRequest | undefined;
      const ask = await serve(async (request) => {
        seen = request;
        return { ...text('done', { 'x-own': 'y' }), status: 201 };
      });
      const headers = { ...AUTHORIZED, 'content-type': 'application/json' };
      const answer = await ask('/apis/a%2Fb?x=1&x=2', { method: 'POST', headers, body: '{"a":1}' });
      expect([answer.status, answer.body.toString(), answer.headers['x-own']]).to.deep.equal([201, 'done', 'y']);
      expect(answer.headers['content-length']).to.equal('4');
      expect(seen).to.deep.include({ method: 'POST', path: '/apis/a%2Fb' });
      expect(seen?.query.getAll('x')).to.deep.equal(['1', '2']);
      expect(seen?.headers['content-type']).to.equal('application/json');
      expect(Buffer.from(seen?.body ?? []).toString()).to.equal('{"a":1}');
      expect(seen?.user.name).to.equal('tester');
      expect(seen?.user.groups).to.include('system:authenticated');
    });

    it('gives every answer an audit id: the caller’s if it is a sane one', async () => {
      const ask = await serve(async (request) => text(request.auditId));
      const sent = await ask('/apis', { headers: { ...AUTHORIZED, 'audit-id': 'my-id_1.2' } });
      expect([sent.headers['audit-id'], sent.body.toString()]).to.deep.equal(['my-id_1.2', 'my-id_1.2']);
      const odd = await ask('/apis', { headers: { ...AUTHORIZED, 'audit-id': 'a"b{}' } });
      expect(odd.headers['audit-id']).to.match(/^[0-9a-f-]{36}$/);
      const failed = await ask('/nowhere', { headers: { 'audit-id': 'x' } });
      expect(failed.headers['audit-id']).to.equal('x');
    });

    it('sets security headers', async () => {
      const { headers } = await (await serve(async () => text('')))('/apis');
      expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache, private' });
      expect(headers).to.include({ 'x-frame-options': 'DENY', 'cross-origin-resource-policy': 'same-origin' });
      expect(headers).to.include({ 'cross-origin-opener-policy': 'same-origin' });
    });

    it('answers failures as Status with their code', async () => {
      const ask = await serve(async () => {
        throw notFound({ group: 'g', resource: 'things' }, 'a');
      });
      const answer = await ask('/apis/x');
      expect(answer.status).to.equal(404);
      expect(answer.headers['content-type']).to.equal('application/json');
      expect(json(answer)).to.deep.include({ kind: 'Status', reason: 'NotFound', code: 404 });
    });

    it('answers 404 where there is no route, 401 to who is nobody, and serves open routes to all', async () => {
      const ask = await serve(async (request) => text(request.user.name));
      expect(json(await ask('/elsewhere'))).to.deep.include({ reason: 'NotFound', code: 404 });
      expect(json(await ask('/apis', { headers: {} }))).to.deep.include({ reason: 'Unauthorized', code: 401 });
      expect(json(await ask('/apis', { headers: { authorization: 'Bearer no' } }))).to.include({ code: 401 });
      expect((await ask('/open', { headers: {} })).body.toString()).to.equal('system:anonymous');
    });

    it('tells nothing of an unknown error but the audit id its log line has', async () => {
      const ask = await serve(async () => {
        throw new Error('the password is hunter2');
      });
      const answer = await ask('/apis/x', { headers: { ...AUTHORIZED, 'audit-id': 'look-me-up' } });
      expect(json(answer)).to.include({ code: 500, reason: 'InternalError' });
      expect(answer.body.toString()).to.not.contain('hunter2');
      const line = server?.logged.find((entry) => entry.includes('hunter2'));
      expect(line).to.contain('look-me-up');
    });

    it('sends Retry-After with 429 and 503 only', async () => {
      const codes = [429, 503, 500, 504];
      const ask = await serve(async (request) => {
        const details = { retryAfterSeconds: 7 };
        throw new ApiError({ code: Number(request.query.get('code')), reason: 'Timeout', message: '', details });
      });
      const answers = await Promise.all(codes.map((code) => ask(`/apis?code=${code}`)));
      expect(answers.map((answer) => answer.headers['retry-after'])).to.deep.equal(['7', '7', undefined, undefined]);
    });

    it('lets an API word failures its own way', async () => {
      const renderError = (error: ApiError) => text(`legacy: ${error.message}`);
      const ask = await serve(async () => text(''), { mounts: [{ prefix: '/api', renderError }] });
      expect((await ask('/api/x', { headers: {} })).body.toString()).to.equal('legacy: Unauthorized');
    });

    it('refuses a body over the limit with 413, whether or not its length is told, and takes one at the limit', async () => {
      let called = 0;
      const ask = await serve(async (request) => {
        called++;
        return text(String(request.body.length));
      });
      const post = (length: number, headers: Readonly<Record<string, string>> = {}) =>
        ask('/apis', { method: 'POST', headers: { ...AUTHORIZED, ...headers }, body: Buffer.alloc(length, 'x') });
      expect((await post(1_000)).body.toString()).to.equal('1000');
      const told = await post(1_001, { 'content-length': '1001' });
      const chunked: Record<string, string> = protocol === 'HTTP/2' ? {} : { 'transfer-encoding': 'chunked' };
      const untold = await post(200_000, chunked);
      for (const answer of [told, untold]) {
        expect(answer.status).to.equal(413);
        expect(json(answer)).to.deep.include({ reason: 'RequestEntityTooLarge', code: 413 });
      }
      expect(called).to.equal(1);
    });

    it('lets reads and writes wait for a seat, each apart, and answers 429 with Retry-After when too many wait', async () => {
      const hold = gate();
      let held = 0;
      const handler = async () => {
        held++;
        await hold.opened;
        return text('');
      };
      const ask = await serve(handler, { limits: { maxQueued: 2 } });
      const reads = [1, 2, 3, 4, 5].map(() => ask('/apis'));
      const writes = [1, 2, 3].map(() => ask('/apis', { method: 'POST', body: 'x' }));
      await until(() => waiting('read') === 1 && waiting('write') === 1);
      expect(held).to.equal(6);
      const [read, write] = await Promise.all([ask('/apis'), ask('/apis', { method: 'DELETE' })]);
      expect([read.status, write.status, read.headers['retry-after']]).to.deep.equal([429, 429, '1']);
      const probe = ask('/open');
      await until(() => held === 7);
      hold.open();
      const answers = await Promise.all([...reads, ...writes, probe]);
      expect(answers.map((answer) => answer.status)).to.deep.equal(Array(9).fill(200));
      expect((await ask('/apis')).status).to.equal(200);
    });

    it('finds the path in a request for a whole URL', async () => {
      let seen = '';
      const ask = await serve(async ({ path, query }) => {
        seen = `${path} ${query.get('a')}`;
        return text('');
      });
      if (protocol === 'HTTP/2') return;
      await ask('http://localhost/apis/x?a=1', { headers: { ...AUTHORIZED, host: 'localhost' } });
      expect(seen).to.equal('/apis/x 1');
    });

    it('counts watches apart, and answers 429 when there are too many', async () => {
      const hold = gate();
      let open = 0;
      const ask = await serve(async (request) => {
        if (!request.query.has('watch')) return text('read');
        async function* body() {
          open++;
          await hold.opened;
          yield Buffer.from('end');
        }
        return { status: 200, headers: {}, body: body(), longRunning: true };
      });
      const watches = Array.from({ length: 10 }, () => ask('/apis?watch=true'));
      await until(() => open === 10);
      expect((await ask('/apis')).status).to.equal(200);
      const tooMany = ['/apis?watch=true', '/apis?watch=1', '/apis?watch'].map((path) => ask(path));
      expect((await Promise.all(tooMany)).map(({ status }) => status)).to.deep.equal([429, 429, 429]);
      hold.open();
      expect((await Promise.all(watches)).map((answer) => answer.body.toString())).to.deep.equal(Array(10).fill('end'));
      expect((await ask('/apis?watch=true')).status).to.equal(200);
    });

    it('answers 504 when the handler takes too long, aborts it, and drops what it answers afterwards', async () => {
      let returned = false;
      const late = gate();
      const ask = await serve(
        async (request) => {
          await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
          const body: AsyncIterable<Uint8Array> = {
            [Symbol.asyncIterator]: () => ({
              next: async () => ({ done: true, value: undefined }),
              return: async () => {
                returned = true;
                late.open();
                return { done: true, value: undefined };
              },
            }),
          };
          return { status: 200, headers: {}, body };
        },
        { limits: { requestTimeout: 30 } },
      );
      const answer = await ask('/apis');
      expect(json(answer)).to.deep.include({ code: 504, reason: 'Timeout' });
      await late.opened;
      expect(returned).to.equal(true);
    });

    it('streams more than any buffer holds, whole and in order', async () => {
      const chunks = 200;
      const ask = await serve(async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          for (let i = 0; i < chunks; i++) yield Buffer.alloc(50_000, String.fromCharCode(65 + (i % 26)));
        })(),
      }));
      const { body } = await ask('/apis');
      expect(body.length).to.equal(chunks * 50_000);
      for (let i = 0; i < chunks; i++) expect(body[i * 50_000]).to.equal(65 + (i % 26));
    });

    it('compresses what is large for those who take gzip, streamed or not, and says that it varies', async () => {
      const large = Buffer.from('0123456789abcdef'.repeat(20_000));
      const ask = await serve(async (request) => {
        const size = Number(request.query.get('size'));
        const bytes = large.subarray(0, size);
        const isStream = request.query.has('stream');
        return {
          status: 200,
          headers: {},
          body: isStream
            ? (async function* () {
                yield bytes;
              })()
            : bytes,
        };
      });
      const gzip = { headers: { ...AUTHORIZED, 'accept-encoding': 'deflate, gzip' } };
      for (const stream of ['', '&stream']) {
        const small = await ask(`/apis?size=1000${stream}`, gzip);
        expect(small.headers['content-encoding']).to.equal(undefined);
        expect(small.body.length).to.equal(1000);
        const packed = await ask(`/apis?size=320000${stream}`, gzip);
        expect(packed.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
        expect(gunzipSync(packed.body).equals(large)).to.equal(true);
        const plain = await ask(`/apis?size=320000${stream}`);
        expect(plain.headers['content-encoding']).to.equal(undefined);
        expect(plain.headers['vary']).to.equal('Accept-Encoding');
        expect(plain.body.equals(large)).to.equal(true);
      }
    });

    it('compresses nothing for those who exclude gzip, whatever else they take', async () => {
      const ask = await serve(async () => ({ status: 200, headers: {}, body: Buffer.alloc(320_000, 'x') }));
      const encodings = async (accepted: string) =>
        (await ask('/apis', { headers: { ...AUTHORIZED, 'accept-encoding': accepted } })).headers['content-encoding'];
      for (const accepted of ['*', 'deflate, GZIP;q=0.5', 'gzip;q=1.0', 'identity;q=1, gzip;q=0.1'])
        expect(await encodings(accepted), accepted).to.equal('gzip');
      for (const accepted of ['', 'deflate', 'xgzip', 'gzip;q=0', 'br, gzip; q=0.00', '*, gzip;q=0', 'gzip;q=0, *'])
        expect(await encodings(accepted), accepted).to.equal(undefined);
    });

    it('says that what is large varies by encoding beside what it varies by anyway', async () => {
      const ask = await serve(async () => ({
        status: 200,
        headers: { vary: 'Accept' },
        body: Buffer.alloc(320_000, 'x'),
      }));
      for (const headers of [AUTHORIZED, { ...AUTHORIZED, 'accept-encoding': 'gzip' }])
        expect((await ask('/apis', { headers })).headers['vary']).to.equal('Accept, Accept-Encoding');
    });

    it('answers HEAD without a body, and ends the stream that nobody reads', async () => {
      let ended = false;
      const ask = await serve(async () => ({
        status: 200,
        headers: {},
        body: {
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: false, value: Buffer.from('x') }),
            return: async () => {
              ended = true;
              return { done: true, value: undefined };
            },
          }),
        },
      }));
      const answer = await ask('/apis', { method: 'HEAD' });
      expect([answer.status, answer.body.length, ended]).to.deep.equal([200, 0, true]);
    });
  });
}
