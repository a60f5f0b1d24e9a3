import { once } from 'node:events';
import { constants } from 'node:http2';
import tls from 'node:tls';
import { expect } from 'chai';
import { quietWatch } from './testing/bodies.js';
import { AUTHORIZED, ask2, connect2, startServer, type TestServer, until } from './testing/harness.js';

/** One frame of RFC 9113. */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Fields as RFC 7541 §6.2.2 has them, without any compression. */
const fields = (all: Readonly<Record<string, string>>): Buffer => {
  const text = (value: string): Buffer => Buffer.from([value.length, ...Buffer.from(value)]);
  return Buffer.concat(Object.entries(all).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
};

const PREFACE = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, Buffer.alloc(0))]);
const [DATA, HEADERS, RST_STREAM, PING, GOAWAY] = [0, 1, 3, 6, 7];
const [END_STREAM, END_HEADERS] = [1, 4];
const CANCEL = Buffer.from([0, 0, 0, 8]);

/** A connection on which a test writes the frames itself. */
async function connectRaw({ httpsPort, pki }: TestServer): Promise<tls.TLSSocket> {
  const socket = tls.connect({ host: '127.0.0.1', port: httpsPort, ca: pki.ca, ALPNProtocols: ['h2'] });
  await once(socket, 'secureConnect');
  return socket;
}

/** Waits for the frame that says that no further requests are taken. */
async function goAway(socket: tls.TLSSocket): Promise<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (;;) {
      const length = rest.length < 9 ? Infinity : 9 + rest.readUIntBE(0, 3);
      if (rest.length < length) break;
      if (rest.readUInt8(3) === GOAWAY) return rest.subarray(9, length);
      rest = rest.subarray(length);
    }
  }
  throw new Error('The connection ended without a word.');
}

describe('HTTP/2', () => {
  let server: TestServer;
  const bodies: string[] = [];
  before(async () => {
    server = await startServer(async ({ body }) => {
      bodies.push(Buffer.from(body).toString());
      return { status: 200, headers: {}, body };
    });
  });
  beforeEach(() => {
    bodies.length = 0;
  });
  after(() => server.close());

  it('asks for the body of a request that expects to be asked', async () => {
    const session = await connect2(server);
    const stream = session.request({ ':method': 'POST', ':path': '/apis', expect: '100-continue', ...AUTHORIZED });
    await once(stream, 'continue');
    stream.end('the body');
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).to.equal('the body');
    session.close();
  });

  // Promise: security work
  it('lives on when requests are taken back in the packet that brings them', async () => {
    const socket = await connectRaw(server);
    const path = '/apis/taken-back';
    const request = { ':method': 'POST', ':scheme': 'https', ':path': path, ':authority': 'x', expect: '100-continue' };
    const head = fields({ ...request, ...AUTHORIZED });
    const takenBack = [1, 3, 5, 7, 9].flatMap((id) => [
      frame(HEADERS, END_HEADERS, id, head),
      frame(DATA, 0, id, Buffer.from('half of ')),
      frame(RST_STREAM, 0, id, CANCEL),
    ]);
    socket.resume();
    socket.write(Buffer.concat([PREFACE, ...takenBack]));
    const seen = (): number => server.logged.filter((line) => line.includes(path)).length;
    await until(() => seen() === 5);
    const session = await connect2(server);
    expect((await ask2(session, '/apis')).status).to.equal(200);
    expect(bodies, 'half a body is none').to.deep.equal(['']);
    expect(server.app.active).to.equal(0);
    expect(server.logged.join('')).to.not.contain('the HTTP layer failed');
    session.close();
    socket.destroy();
  });

  // Promise: security work
  it('cuts off a client that takes nothing of an answer that comes before the end of its body', async () => {
    const short = await startServer(async ({ body }) => ({ status: 200, headers: {}, body }), {
      limits: { stallTimeout: 40 },
    });
    const session = await connect2(short, { settings: { initialWindowSize: 0 } });
    const refused = session.request({ ':path': '/apis', ':method': 'POST' }, { endStream: false });
    refused.on('error', () => undefined);
    await once(refused, 'response');
    await until(() => short.app.active === 0);
    session.destroy();
    await short.close();
  });

  // nghttp2, which is a part of Node, allows 1,000 at once, and 33 each second.
  // Promise: security work
  it('begins no further requests of a connection that takes them back as fast as it can', async () => {
    let begun = 0;
    const counting = await startServer(async ({ body }) => {
      begun++;
      return { status: 200, headers: {}, body };
    });
    const socket = await connectRaw(counting);
    const head = fields({ ':method': 'GET', ':scheme': 'https', ':path': '/apis', ':authority': 'x', ...AUTHORIZED });
    const ids = Array.from({ length: 3_000 }, (_, i) => 1 + 2 * i);
    const takenBack = ids.flatMap((id) => [
      frame(HEADERS, END_HEADERS | END_STREAM, id, head),
      frame(RST_STREAM, 0, id, CANCEL),
    ]);
    socket.write(Buffer.concat([PREFACE, ...takenBack]));
    const payload = await goAway(socket);
    expect(payload.readUInt32BE(0), 'the last request that was taken').to.be.within(2_000, 2_500);
    expect(payload.readUInt32BE(4)).to.equal(constants.NGHTTP2_INTERNAL_ERROR);
    const session = await connect2(counting);
    expect((await ask2(session, '/apis')).status).to.equal(200);
    expect(begun).to.be.below(1_300);
    session.close();
    socket.destroy();
    await counting.close();
  });

  // Promise: security work
  it('closes a connection that makes the server reset its streams', async () => {
    let begun = 0;
    const counting = await startServer(async ({ body }) => {
      begun++;
      return { status: 200, headers: {}, body };
    });
    const socket = await connectRaw(counting);
    const head = fields({
      ':method': 'POST',
      ':scheme': 'https',
      ':path': '/apis',
      ':authority': 'x',
      'content-length': '5',
      ...AUTHORIZED,
    });
    const ids = Array.from({ length: 3_000 }, (_, i) => 1 + 2 * i);
    const tooLong = ids.flatMap((id) => [
      frame(HEADERS, END_HEADERS, id, head),
      frame(DATA, END_STREAM, id, Buffer.alloc(9)),
    ]);
    socket.write(Buffer.concat([PREFACE, ...tooLong]));
    expect((await goAway(socket)).readUInt32BE(4)).to.equal(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    expect(begun).to.be.below(1_300);
    const session = await connect2(counting);
    expect((await ask2(session, '/apis')).status).to.equal(200);
    session.close();
    socket.destroy();
    await counting.close();
  });

  // Node 20 stops reading after such a frame, and then does not see that the client closes the connection.
  // Promise: security work
  it('ends the requests of a client that breaks the protocol and goes, and keeps connections that answer', async () => {
    const checking = await startServer(quietWatch([]), { livenessInterval: 20 });
    const session = await connect2(checking);
    const watching = session.request({ ':path': '/apis/watched', ...AUTHORIZED });
    await once(watching, 'data');
    const socket = await connectRaw(checking);
    const head = fields({ ':method': 'GET', ':scheme': 'https', ':path': '/apis', ':authority': 'x', ...AUTHORIZED });
    socket.write(Buffer.concat([PREFACE, frame(HEADERS, END_HEADERS | END_STREAM, 1, head)]));
    await until(() => checking.app.active === 2);
    const pingThatIsTooShort = frame(PING, 0, 0, Buffer.alloc(7));
    socket.write(pingThatIsTooShort);
    await goAway(socket).catch(() => undefined);
    socket.destroy();
    await until(() => checking.app.active === 1);
    expect(watching.closed).to.equal(false);
    session.destroy();
    await checking.close();
  });
});
