import { once } from 'node:events';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { expect } from 'chai';
import { whoami } from './testing/bodies.js';
import { AUTHORIZED, ask1, ask2, connect2, gate, startServer, type TestServer, until } from './testing/harness.js';

const quiet = <S extends { on(event: 'error', listener: () => void): unknown }>(socket: S): S => {
  socket.on('error', () => undefined);
  return socket;
};

const closed = async (socket: { on(event: 'close', listener: () => void): unknown }): Promise<void> =>
  new Promise((resolve) => {
    socket.on('close', resolve);
  });

/** Connects over plain TCP. What the server sends is read, because the end of a connection is noticed only then. */
const plain = (port: number, localAddress = '127.0.0.1', allowHalfOpen = false): Socket =>
  quiet(net.connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen })).resume();

const secure = ({ httpsPort, pki }: TestServer, protocol: string): tls.TLSSocket =>
  quiet(tls.connect({ port: httpsPort, host: '127.0.0.1', ca: pki.ca, ALPNProtocols: [protocol] })).resume();

/** What clients do that never say who they are. Each resolves when the server has closed the connection. */
const RESTING: Readonly<Record<string, (server: TestServer) => Promise<void>>> = {
  'send nothing to the port of HTTP': ({ httpPort }) => closed(plain(httpPort)),
  'begin no handshake of TLS': ({ httpsPort }) => closed(plain(httpsPort)),
  'do not finish the handshake of TLS': async ({ httpsPort }) => {
    const socket = plain(httpsPort);
    socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]));
    await closed(socket);
  },
  'send nothing after the handshake for HTTP/1.1': (server) => closed(secure(server, 'http/1.1')),
  'send no preface of HTTP/2': (server) => closed(secure(server, 'h2')),
  'send no request over HTTP/2': async (server) => closed(await connect2(server)),
  'ask once over HTTP/2, without credentials': async (server) => {
    const session = await connect2(server);
    expect((await ask2(session, '/open', { headers: {} })).status).to.equal(200);
    await closed(session);
  },
  'ask once over HTTP/2, with wrong credentials': async (server) => {
    const session = await connect2(server);
    expect((await ask2(session, '/apis', { headers: { authorization: 'Bearer no' } })).status).to.equal(401);
    await closed(session);
  },
  'ask once over HTTP/1.1, without credentials': async ({ httpPort }) => {
    const socket = plain(httpPort);
    socket.write('GET /open HTTP/1.1\r\nHost: x\r\n\r\n');
    await closed(socket);
  },
  'send a header from time to time': async ({ httpPort }) => {
    const socket = plain(httpPort);
    socket.write('GET /open HTTP/1.1\r\nHost: x\r\n');
    const timer = setInterval(() => socket.write('X-More: yes\r\n'), 20);
    await closed(socket).finally(() => clearInterval(timer));
  },
  'send PINGs over HTTP/2': async (server) => {
    const session = await connect2(server);
    const timer = setInterval(() => !session.destroyed && session.ping(() => undefined), 20);
    await closed(session).finally(() => clearInterval(timer));
  },
  'have closed their half of the connection': async ({ httpsPort }) => {
    const socket = plain(httpsPort, '127.0.0.1', true);
    socket.end();
    await once(socket, 'end');
    socket.destroy();
  },
};

/**
 * Milliseconds in which a client on a busy machine has asked, so that the server does not close the connection before.
 */
const IDLE = 1000;

describe('connections of clients that are not known', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  for (const [what, rest] of Object.entries(RESTING)) {
    it(`are closed after a short time if they ${what}`, async () => {
      server = await startServer(whoami, { connections: { anonymousIdle: IDLE } });
      await rest(server);
      const { connections } = server;
      await until(() => connections.counts.anonymous === 0);
    });
  }

  it('tell HTTP/1.1 clients how long they may rest', async () => {
    const ask = async (path: string, headers: Record<string, string>): Promise<string | string[] | undefined> => {
      const agent = new http.Agent({ keepAlive: true });
      const request = http.get({ port: server?.httpPort, host: '127.0.0.1', path, headers, agent });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      await once(response.resume(), 'end');
      agent.destroy();
      return response.headers['keep-alive'];
    };
    server = await startServer(whoami);
    expect(await ask('/open', {})).to.equal('timeout=10');
    expect(await ask('/apis', AUTHORIZED)).to.equal('timeout=75');
  });

  it('stay while a request is being served', async () => {
    const hold = gate();
    server = await startServer(
      async (request) => {
        await hold.opened;
        return whoami(request);
      },
      { connections: { anonymousIdle: 100 } },
    );
    const session = await connect2(server);
    const answers = [
      ask2(session, '/open', { headers: {} }),
      ask1(server, '/open', { headers: {} }, 'plain'),
      ask1(server, '/open', { headers: {} }),
    ];
    const { app, httpPort, connections } = server;
    await until(() => app.active === 3);
    // Two that came later are closed before.
    await Promise.all([closed(plain(httpPort)), closed(plain(httpPort))]);
    expect(connections.counts.anonymous).to.equal(3);
    hold.open();
    expect((await Promise.all(answers)).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    session.close();
  });

  it('are known after one request with credentials, and may rest from then on', async () => {
    server = await startServer(whoami, { connections: { anonymousIdle: 100 } });
    const { connections, httpPort } = server;
    const session = await connect2(server);
    expect((await ask2(session, '/apis')).status).to.equal(200);
    const socket = plain(httpPort);
    socket.write('GET /apis HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token\r\n\r\n');
    await until(() => connections.counts.identified === 2);
    for (let i = 0; i < 3; i++) await closed(plain(httpPort));
    expect([connections.counts.identified, session.destroyed, socket.destroyed]).to.deep.equal([2, false, false]);
    expect((await ask2(session, '/open', { headers: {} })).status).to.equal(200);
    session.close();
    socket.destroy();
    await until(() => connections.counts.identified === 0);
  });

  it('of trusted proxies may rest', async () => {
    const trustedProxies = ['127.0.0.9'];
    server = await startServer(whoami, { connections: { anonymousIdle: 100 }, trustedProxies });
    const { connections, httpPort } = server;
    const proxy = plain(httpPort, '127.0.0.9');
    await once(proxy, 'connect');
    for (let i = 0; i < 3; i++) await closed(plain(httpPort));
    expect([connections.counts, proxy.destroyed]).to.deep.equal([{ identified: 1, anonymous: 0 }, false]);
    proxy.destroy();
  });

  // Promise: security work
  it('of one address leave room for all others, and for itself', async () => {
    server = await startServer(whoami, { connections: { max: 40 } });
    const { connections, httpPort, httpsPort, pki } = server;
    const known = await connect2(server, { localAddress: '127.0.0.3' });
    expect((await ask2(known, '/apis')).status).to.equal(200);
    const held = Array.from({ length: 200 }, (_, i) => plain(i % 2 === 0 ? httpPort : httpsPort, '127.0.0.2'));
    await until(() => held.filter((socket) => socket.closed).length === 180);
    for (const localAddress of ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']) {
      const other = await connect2({ ...server, httpsPort, pki }, { localAddress });
      expect((await ask2(other, '/apis')).status, localAddress).to.equal(200);
      other.close();
    }
    expect((await ask2(known, '/apis')).status).to.equal(200);
    expect(connections.closed.displaced).to.be.at.least(180);
    known.close();
    for (const socket of held) socket.destroy();
  });
});
