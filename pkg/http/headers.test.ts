import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import tls from 'node:tls';
import { expect } from 'chai';
import type { Handler } from './handler.js';
import { quietWatch } from './testing/bodies.js';
import { AUTHORIZED, ask1, ask2, connect2, startServer, type TestServer } from './testing/harness.js';

const BOUND = 64 * 1024;
/** Room for what else a client sends. */
const REST = 1_000;
// The code of `~` in HTTP/2 is longer than the character, so that it is sent as it is.
const value = (bytes: number): string => '~'.repeat(bytes);

const count: Handler = async ({ headers, rawHeaders }) => ({
  status: 200,
  headers: {},
  body: Buffer.from(`${rawHeaders.length / 2} ${headers['x-large']?.length ?? 0} ${headers['x-last'] ?? ''}`),
});

describe('large headers', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer(count);
  });
  after(() => server.close());

  const ask = async (protocol: string, headers: Readonly<Record<string, string | string[]>>) => {
    const all = { ...AUTHORIZED, ...headers };
    if (protocol === 'HTTP/1.1') return ask1(server, '/apis', { headers: all }, 'plain');
    const session = await connect2(server);
    return ask2(session, '/apis', { headers: all }).finally(() => session.close());
  };

  for (const protocol of ['HTTP/1.1', 'HTTP/2']) {
    it(`of nearly 64 KiB are taken over ${protocol}`, async () => {
      const answer = await ask(protocol, { 'x-large': value(BOUND - REST) });
      expect([answer.status, answer.body.toString().split(' ')[1]]).to.deep.equal([200, `${BOUND - REST}`]);
    });

    it(`are taken over ${protocol} however many there are`, async () => {
      const answer = await ask(protocol, { 'impersonate-group': Array(1_000).fill('a-group'), 'x-last': 'here' });
      expect(answer.status).to.equal(200);
      const [headers, , last] = answer.body.toString().split(' ');
      expect([Number(headers) > 1_000, last]).to.deep.equal([true, 'here']);
    });
  }

  it('are not left out over HTTP/1.1 when they are very many and short', async () => {
    const answer = await ask('HTTP/1.1', { x: Array(5_000).fill(''), 'x-last': 'here' });
    expect([answer.status, answer.body.toString().split(' ')[2]]).to.deep.equal([200, 'here']);
  });

  for (const port of ['plain', 'TLS']) {
    it(`above 64 KiB get a Status with 431 over HTTP/1.1 (${port}), as does a path`, async () => {
      const tls = port === 'plain' ? 'plain' : {};
      const long = ask1(server, `/apis?x=${value(20 * BOUND)}`, {}, tls);
      const large = ask1(server, '/apis', { headers: { 'x-large': value(20 * BOUND) } }, tls);
      for (const answer of await Promise.all([long, large])) {
        expect([answer.status, answer.headers['content-type']]).to.deep.equal([431, 'application/json']);
        expect(answer.headers).to.include({
          'x-frame-options': 'DENY',
          'cross-origin-resource-policy': 'same-origin',
        });
        expect(JSON.parse(answer.body.toString())).to.deep.include({ kind: 'Status', code: 431, status: 'Failure' });
      }
    });
  }

  it('above 64 KiB get a Status over HTTP/2 from clients that have not seen the bound yet, however they are compressed', async () => {
    const socket = tls.connect({ host: '127.0.0.1', port: server.httpsPort, ca: server.pki.ca, ALPNProtocols: ['h2'] });
    const session = http2.connect('https://127.0.0.1', {
      createConnection: () => socket,
      maxSendHeaderBlockLength: 4 * BOUND,
    });
    // This is sent before the settings of the server can have come.
    const answer = await ask2(session, '/apis', { headers: { ...AUTHORIZED, 'x-a': Array(50).fill(value(2_000)) } });
    expect(answer.status).to.equal(431);
    expect(JSON.parse(answer.body.toString())).to.deep.include({ kind: 'Status', code: 431 });
    expect((await ask2(session, '/apis')).status).to.equal(200);
    session.close();
  });

  // Promise: security work
  it('above 64 KiB lose their stream over HTTP/2, and nothing else of the connection; it says so beforehand', async () => {
    const session = await connect2(server, { maxSendHeaderBlockLength: 4 * BOUND });
    if (session.remoteSettings.maxHeaderListSize !== BOUND) await once(session, 'remoteSettings');
    expect(session.remoteSettings.maxHeaderListSize).to.equal(BOUND);
    const headers = { ...AUTHORIZED, 'x-a': value(BOUND / 2), 'x-b': value(BOUND / 2) };
    const refused = await ask2(session, '/apis', { headers }).catch((error: Error) => error.message);
    expect(refused).to.contain('ENHANCE_YOUR_CALM');
    expect((await ask2(session, '/apis')).status).to.equal(200);
    session.close();
  });
});

describe('what is no request', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer(count);
  });
  after(() => server.close());

  const told = async (text: string): Promise<string> => {
    const socket = net.connect(server.httpPort, '127.0.0.1');
    socket.write(text);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };
  const CHUNKED = 'Host: x\r\nAuthorization: Bearer token\r\nTransfer-Encoding: chunked\r\n\r\n';

  it('gets a Status that says why', async () => {
    for (const [text, code] of [
      ['\x16\x03\x01 hello\r\n\r\n', 400],
      ['GET /apis HTTP/1.1\r\nno colon\r\n\r\n', 400],
      [`POST /apis HTTP/1.1\r\n${CHUNKED}zz\r\n`, 400],
      [`POST /apis HTTP/1.1\r\n${CHUNKED}2;${'a'.repeat(20_000)}\r\n`, 413],
    ] as const) {
      const [head = '', body = ''] = (await told(text)).split('\r\n\r\n');
      expect(head).to.match(new RegExp(`^HTTP/1.1 ${code} .*content-type: application/json`, 'is'));
      expect(JSON.parse(body)).to.deep.include({ kind: 'Status', code });
    }
  });

  it('gets nothing in the middle of an answer', async () => {
    const watching = await startServer(quietWatch([]));
    const socket = net.connect(watching.httpPort, '127.0.0.1');
    socket.write('GET /apis?watch=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token\r\n\r\n');
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).to.contain('HTTP/1.1 200');
    let more = '';
    socket.on('data', (chunk: Buffer) => {
      more += chunk.toString();
    });
    socket.on('error', () => undefined);
    const gone = new Promise((resolve) => socket.on('close', resolve));
    socket.write('nonsense\r\n\r\n');
    await gone;
    expect(more).to.not.contain('HTTP/1.1');
    await watching.close();
  });
});
