import { once } from 'node:events';
import net from 'node:net';
import { expect } from 'chai';
import type { Handler } from './handler.js';
import { startServer, type TestServer } from './testing/harness.js';

const SECOND = 'GET /apis/second HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\n\r\n';

/**
 * Two readers, such as a proxy and this server, could see a different end of these. Then the rest of a body would be a
 * request of somebody else.
 */
const AMBIGUOUS: Readonly<Record<string, readonly [headers: string, body: string]>> = {
  'a length and chunks': ['Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`],
  'two lengths': [`Content-Length: 0\r\nContent-Length: ${SECOND.length}`, SECOND],
  'a length that is no number': ['Content-Length: +0', SECOND],
  'a blank before the colon of a length': [`Content-Length : ${SECOND.length}`, SECOND],
  'a transfer coding that nobody knows': ['Transfer-Encoding: xchunked', `0\r\n\r\n${SECOND}`],
  'chunks that are not the last coding': ['Transfer-Encoding: chunked, identity', `0\r\n\r\n${SECOND}`],
  'a header that goes on in the next line': ['X-Folded: a\r\n Transfer-Encoding: chunked', `0\r\n\r\n${SECOND}`],
  'lines that end without a carriage return': ['X-A: b\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`],
};

describe('a request whose end two readers could see differently', () => {
  const served: string[] = [];
  const note: Handler = async ({ path }) => {
    served.push(path);
    return { status: 200, headers: {}, body: Buffer.from('ok') };
  };
  let server: TestServer;
  before(async () => {
    server = await startServer(note);
  });
  after(() => server.close());
  beforeEach(() => served.splice(0));

  const sent = async (headers: string, body: string): Promise<string> => {
    const socket = net.connect(server.httpPort, '127.0.0.1');
    const pieces: Buffer[] = [];
    socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => undefined);
    socket.write(
      `POST /apis/first HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\n${headers}\r\n\r\n${body}`,
    );
    await once(socket, 'close');
    return Buffer.concat(pieces).toString();
  };

  it('is another thing than two requests, which are both answered', async () => {
    const answer = await sent('Content-Length: 2', `{}${SECOND.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`);
    expect(answer.match(/HTTP\/1\.1 200 /g)).to.have.length(2);
    expect(served).to.have.members(['/apis/first', '/apis/second']);
  });

  for (const [what, [headers, body]] of Object.entries(AMBIGUOUS)) {
    // Promise: security work
    it(`is refused, closes its connection, and hides no second request: ${what}`, async () => {
      const answer = await sent(headers, body);
      expect(answer).to.match(/^HTTP\/1\.1 400 /);
      expect(answer.match(/HTTP\/1\.1 \d{3} /g)).to.have.length(1);
      expect(served).to.deep.equal([]);
    });
  }
});
