import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { z } from 'zod';
import { testPki } from '../http/testing/harness.js';
import { addressGuard } from '../system/net/address-guard.js';
import { type LegacyClientOptions, legacyClient, type Method } from './client.js';
import { type LegacyFailure, Unreachable, unlessAbsent } from './failure.js';
import { pages } from './pages.js';
import { WrongAddress } from './server.js';

const TOKEN = 'glsa_secret';

const listening = async <S extends Server | https.Server>(server: S): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('it succeeded'),
    (error: Error) => error,
  );

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
};

describe('the client of another server', () => {
  let answer: RequestListener = () => undefined;
  let asked: IncomingMessage[] = [];
  let waits: number[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  let url = '';
  before(async () => {
    url = `http://127.0.0.1:${await listening(server)}`;
  });
  beforeEach(() => {
    asked = [];
    waits = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const client = (options: Partial<LegacyClientOptions> = {}) =>
    legacyClient({
      url,
      credential: { token: TOKEN },
      userAgent: 'test',
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      ...options,
    });
  const get = (options: Partial<LegacyClientOptions> = {}) => client(options).send('GET', '/api/folders');

  const saying =
    (status: number, body: unknown, headers = {}): RequestListener =>
    (_, response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  /** Answers the first requests with a failure, and the next ones with 200. */
  const failing = (times: number, status: number, headers = {}): RequestListener => {
    return (request, response) => saying(asked.length > times ? 200 : status, {}, headers)(request, response);
  };

  it('sends path, query, credential, organization and body, below the path of the address', async () => {
    answer = async (request, response) => {
      const { method, url: path, headers } = request;
      const given = [headers.authorization, headers['x-grafana-org-id'], headers['user-agent']];
      response.end(JSON.stringify([method, path, ...given, await bodyOf(request)]));
    };
    const there = client({ url: `${url}/sub/api/` });
    const query = { a: 'ä b', b: ['1', '2'], c: undefined };
    const sent = await there.inOrganization(7).send('POST', '/api/x', { query, body: { n: 2n ** 60n } });
    expect(sent).to.deep.equal({
      status: 200,
      body: ['POST', '/sub/api/x?a=%C3%A4+b&b=1&b=2', `Bearer ${TOKEN}`, '7', 'test', '{"n":1152921504606846976}'],
    });
    const other = await client({ credential: { login: 'admin', password: 'ä:b' } }).send('GET', '/');
    const basic = `Basic ${Buffer.from('admin:ä:b').toString('base64')}`;
    expect(other.body).to.deep.equal(['GET', '/', basic, null, 'test', '']);
  });

  it('takes no address that has credentials, is no URL, or is not encrypted and of another machine', () => {
    for (const wrong of ['x', 'ftp://h/', 'https://a:b@h/', 'https://h/?a=1', 'http://192.0.2.1/'])
      expect(() => client({ url: wrong }), wrong).to.throw(WrongAddress);
    for (const right of ['https://h/', 'http://localhost:1/x']) client({ url: right }).close();
    client({ url: 'http://192.0.2.1/', isInsecure: true }).close();
  });

  it('says in an error what was asked, and what the server said, without the credential', async () => {
    answer = saying(403, { message: `no \u001b[31m ${TOKEN}\n may` });
    const error = (await failure(get())) as LegacyFailure;
    expect(error.message).to.equal('GET /api/folders: the server answered 403: no \\u001b[31m … may');
    expect([error.status, waits]).to.deep.equal([403, []]);
    answer = saying(400, { message: 'p4ss YWRtaW46cDRzcw==' });
    const login = await failure(get({ credential: { login: 'admin', password: 'p4ss' } }));
    expect(login.message).to.contain('400: … …');
    answer = saying(404, { message: 'not found' });
    expect(await unlessAbsent(get())).to.equal(undefined);
  });

  it('says when the answer is a page, no JSON, or of another form', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>');
    expect((await failure(get())).message).to.match(/answered 200 with a page and not JSON/);
    answer = (_, response) => response.writeHead(502).end('<html>Bad gateway</html>');
    expect((await failure(get({ limits: { attempts: 1 } }))).message).to.match(/502: a page and not JSON$/);
    answer = (_, response) => response.end('{"a":');
    expect((await failure(get())).message).to.contain('cannot be read as JSON');
    answer = saying(200, [{ uid: 1 }]);
    const schema = z.array(z.object({ uid: z.string() }));
    expect((await failure(client().get('/api/x', schema))).message).to.contain('0.uid: Invalid input');
  });

  it('reads no more of an answer than the limit', async () => {
    answer = (_, response) => response.end(JSON.stringify('x'.repeat(98)));
    expect((await get({ limits: { bytes: 100 } })).status).to.equal(200);
    answer = (_, response) => response.end(JSON.stringify('x'.repeat(99)));
    expect((await failure(get({ limits: { bytes: 100 } }))).message).to.contain('larger than 100 bytes');
    expect(asked).to.have.length(2);
  });

  it('follows no redirect, so the credential goes nowhere else', async () => {
    let others = 0;
    const other = createServer((_, response) => response.end(String(++others)));
    const port = await listening(other);
    const location = `http://127.0.0.1:${port}/login?token=${TOKEN}`;
    for (const status of [301, 302, 307, 308]) {
      answer = saying(status, {}, { location });
      const { message } = await failure(get());
      expect(message).to.contain(`leads to http://127.0.0.1:${port}/login. The credential is not sent there`);
      expect(message).not.to.contain(TOKEN);
    }
    other.close();
    expect(others).to.equal(0);
  });

  it('waits as long as the server asks, with all requests, whatever they are', async () => {
    answer = failing(1, 429, { 'retry-after': '7' });
    const there = client();
    await there.send('POST', '/api/x', { body: {} });
    // The request itself waits, and the next one would: the time is not over, because the test does not wait.
    expect(waits[0]).to.equal(7000);
    const before = waits.length;
    await there.send('GET', '/api/x');
    expect(waits).to.have.length(before + 1);
    answer = saying(429, { message: 'slow down' }, { 'retry-after': '400' });
    asked = [];
    expect((await failure(get({ limits: { patience: 1_000_000 } }))).message).to.contain('429: slow down');
    expect(asked).to.have.length(3);
    answer = failing(1, 503, { 'retry-after': new Date(Date.now() - 1000).toUTCString() });
    asked = [];
    waits = [];
    await get();
    expect(waits).to.deep.equal([0]);
  });

  it('sends again what fails at the server, if that can be sent twice', async () => {
    answer = failing(2, 500);
    const retried: string[] = [];
    await get({ onRetry: (error) => void retried.push(error.message) });
    expect([asked.length, waits.length, retried.length]).to.deep.equal([3, 2, 2]);
    const attempts = async (method: Method, isIdempotent?: boolean): Promise<number> => {
      asked = [];
      await failure(client().send(method, '/x', isIdempotent === undefined ? {} : { isIdempotent }));
      return asked.length;
    };
    answer = saying(500, {});
    expect([await attempts('POST'), await attempts('PATCH'), await attempts('POST', true)]).to.deep.equal([1, 1, 5]);
    answer = (request) => void request.socket.destroy();
    expect([await attempts('POST'), await attempts('DELETE'), await attempts('PUT')]).to.deep.equal([1, 5, 5]);
    answer = saying(501, {});
    expect(await attempts('GET', false)).to.equal(1);
  });

  it('says when the server cannot be reached, and sends again even a POST that was not sent', async () => {
    const closed = createServer();
    const port = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    const error = await failure(client({ url: `http://127.0.0.1:${port}` }).send('POST', '/api/x'));
    expect(error).to.be.instanceOf(Unreachable);
    expect(error.message).to.match(
      /^POST \/api\/x: the server at http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*REFUSED/,
    );
    expect(waits).to.have.length(4);
  });

  it('ends a request that takes too long, and all of them with the signal', async () => {
    answer = (_, response) => void response.writeHead(200).write('{');
    const limits = { timeout: 50, attempts: 1 };
    expect((await failure(get({ limits }))).message).to.contain('no answer within 0.05 s');
    const controller = new AbortController();
    answer = () => controller.abort(new Error('stopped by hand'));
    expect((await failure(get({ signal: controller.signal }))).message).to.equal('stopped by hand');
    expect(waits).to.deep.equal([]);
  });

  it('sends no more requests at one time than the limit', async () => {
    let most = 0;
    let held: ServerResponse[] = [];
    answer = (_, response) => {
      held.push(response);
      // A fourth request would come while these are held.
      if (held.length === 3 || asked.length === 20) setTimeout(release, 20);
    };
    const release = (): void => {
      most = Math.max(most, held.length);
      for (const response of held) response.end('{}');
      held = [];
    };
    const there = client({ limits: { parallel: 3 } });
    await Promise.all(Array.from({ length: 20 }, () => there.inOrganization(1).send('GET', '/')));
    expect([most, asked.length]).to.deep.equal([3, 20]);
  });

  it('asks only addresses that the guard allows', async () => {
    const guard = addressGuard([], 'mirrors.networks');
    expect((await failure(get({ guard }))).message).to.contain('127.0.0.1 is internal');
    const named = client({ guard, url: url.replace('127.0.0.1', 'localhost') });
    expect((await failure(named.send('GET', '/'))).message).to.contain('mirrors.networks');
    expect([asked.length, waits.length]).to.deep.equal([0, 0]);
    answer = saying(200, {});
    await get({ guard: addressGuard(['127.0.0.0/8'], 'mirrors.networks') });
  });

  it('trusts the authority that is given, and no other', async () => {
    const pki = await testPki();
    const secure = https.createServer({ cert: pki.server.certificate, key: pki.server.key }, (_, response) =>
      response.end('{}'),
    );
    const there = `https://localhost:${await listening(secure)}`;
    try {
      expect((await get({ url: there, tls: { ca: pki.ca } })).status).to.equal(200);
      expect((await failure(get({ url: there, limits: { attempts: 1 } }))).message).to.match(/certificate|self.signed/);
    } finally {
      secure.closeAllConnections();
      secure.close();
    }
  });

  it('reads pages until an empty one, and notices a server that gives the same one again', async () => {
    const schema = z.object({ items: z.array(z.number()) }).transform(({ items }) => items);
    const all = async () => {
      const found: (readonly number[])[] = [];
      const options = { path: '/api/x', schema, size: 2, sizeParameter: 'limit', query: { type: 'a' } };
      for await (const page of pages(client(), options)) found.push(page);
      return found;
    };
    answer = ({ url: path = '' }, response) => {
      const page = Number(new URL(path, url).searchParams.get('page'));
      saying(200, { items: [[1, 2], [3]][page - 1] ?? [] })({} as IncomingMessage, response as never);
    };
    expect(await all()).to.deep.equal([[1, 2], [3]]);
    expect(asked.map((request) => request.url)).to.deep.equal(
      [1, 2, 3].map((page) => `/api/x?type=a&limit=2&page=${page}`),
    );
    answer = saying(200, { items: [1] });
    expect((await failure(all())).message).to.contain('the same page for page 2');
  });
});
