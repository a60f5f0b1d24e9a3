import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { connect } from 'node:net';
import { expect } from 'chai';
import { AUTHORIZED, connect2, startServer, type TestServer } from './testing/harness.js';
import { text } from './testing/protocols.js';

const MIB = 2 ** 20;

describe('A client that waits for a 100 before it sends its body', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer(async ({ body }) => text(String(body.length)));
  });
  after(() => server.close());

  describe('over HTTP/1.1', () => {
    /** What the server sends until it waits or closes. The body is sent after a 100. */
    async function answers(head: string, length: number): Promise<string> {
      const socket = connect(server.httpPort, '127.0.0.1');
      socket.write(`${head}\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`);
      let [all, isSent] = ['', false];
      socket.setTimeout(10_000, () => socket.destroy(new Error(`nothing more came after ${all}`)));
      for await (const chunk of socket) {
        all += String(chunk);
        if (!isSent && all.startsWith('HTTP/1.1 100 ')) socket.write('x'.repeat(length));
        isSent = true;
        // A client closes the connection when it has the answer, if it was told so or not.
        if (/\r\n\r\n.+$/s.test(all.replace(/^HTTP\/1.1 100 .*?\r\n\r\n/, ''))) break;
      }
      socket.destroy();
      return all;
    }
    const KNOWN = 'Authorization: Bearer token\r\nExpect: 100-continue';

    it('gets it if its body may come', async () => {
      expect(await answers(`POST /apis HTTP/1.1\r\n${KNOWN}`, 900)).to.match(
        /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 .*900$/s,
      );
    });

    for (const [title, head, status] of [
      ['its body is too large', `POST /apis HTTP/1.1\r\n${KNOWN}`, 413],
      ['it is not known', 'POST /apis HTTP/1.1\r\nExpect: 100-Continue', 401],
      ['its body is not read', `GET /apis HTTP/1.1\r\n${KNOWN}`, 200],
    ] as const)
      it(`gets the answer at once, and the end of the connection, if ${title}`, async () => {
        const all = await answers(head, status === 413 ? 1001 : 900);
        expect(all).to.match(new RegExp(`^HTTP/1.1 ${status} `));
        expect(all.toLowerCase()).to.contain('connection: close');
        expect(all).to.not.contain('100 Continue');
      });

    it('gets none with HTTP/1.0, which does not have it', async () => {
      const socket = connect(server.httpPort, '127.0.0.1');
      socket.write(`POST /apis HTTP/1.0\r\n${KNOWN}\r\nContent-Length: 3\r\n\r\nxxx`);
      let all = '';
      for await (const chunk of socket) all += String(chunk);
      expect(all).to.match(/^HTTP\/1.1 200 .*3$/s);
    });
  });

  describe('over HTTP/2', () => {
    let session: ClientHttp2Session;
    before(async () => {
      session = await connect2(server);
    });
    after(() => session.close());

    async function answers(headers: object, length: number) {
      const request = { ':path': '/apis', ':method': 'POST', 'content-length': String(length), ...headers };
      const stream = session.request({ expect: '100-continue', ...request }, { endStream: false });
      let isContinued = false;
      stream.on('continue', () => {
        isContinued = true;
        stream.end('x'.repeat(length));
      });
      const [{ ':status': status }] = (await once(stream, 'response')) as [{ ':status': number }];
      let body = '';
      for await (const chunk of stream) body += String(chunk);
      return { status, isContinued, body };
    }

    it('gets it if its body may come', async () => {
      expect(await answers(AUTHORIZED, 900)).to.deep.equal({ status: 200, isContinued: true, body: '900' });
    });

    it('gets the answer at once if its body is too large, or it is not known', async () => {
      const large = await answers(AUTHORIZED, 1001);
      expect(large).to.deep.include({ status: 413, isContinued: false });
      expect(large.body).to.contain('limits.body_bytes');
      expect(await answers({}, 900)).to.deep.include({ status: 401, isContinued: false });
    });
  });
});

describe('A client of HTTP/2 that still sends its body', () => {
  it('gets the whole refusal of a body that is too large, and can go on with its connection', async () => {
    const server = await startServer(async ({ body }) => text(String(body.length)));
    const session = await connect2(server);
    for (const declared of [{ 'content-length': String(8 * MIB) }, {}]) {
      const request = { ':path': '/apis', ':method': 'POST', ...AUTHORIZED, ...declared };
      const stream = session.request(request, { endStream: false });
      for (let sent = 0; sent < 8 * MIB; sent += MIB) stream.write(Buffer.alloc(MIB, 'x'));
      const [{ ':status': status }] = (await once(stream, 'response')) as [{ ':status': number }];
      let body = '';
      for await (const chunk of stream) body += String(chunk);
      expect(status).to.equal(413);
      expect(body).to.contain('limits.body_bytes');
    }
    const next = session.request({ ':path': '/apis', ':method': 'POST', ...AUTHORIZED }, { endStream: false });
    next.end('abc');
    let body = '';
    for await (const chunk of next) body += String(chunk);
    expect(body).to.equal('3');
    session.close();
    await server.close();
  });
});
