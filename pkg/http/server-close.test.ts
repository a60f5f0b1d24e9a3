import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { expect } from 'chai';
import { quietWatch, whoami } from './testing/bodies.js';
import { AUTHORIZED, ask1, ask2, connect2, gate, startServer, type TestServer, until } from './testing/harness.js';

const WATCH = '/apis/x?watch=true';

describe('the end of HttpServer', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  // Promise: contract 4.10
  it('refuses new connections, lets requests finish, ends watches cleanly and sends GOAWAY', async () => {
    const hold = gate();
    let isHeld = false;
    const log: string[] = [];
    const watch = quietWatch(log);
    server = await startServer(async (request) => {
      if (request.query.has('watch')) return watch(request);
      isHeld = true;
      await hold.opened;
      return whoami(request);
    });
    const session = await connect2(server);
    let isTold = false;
    session.on('goaway', (code) => {
      isTold = code === 0;
    });
    const watching = session.request({ ':path': WATCH, ...AUTHORIZED });
    await once(watching, 'data');
    const held = ask2(session, '/apis');
    const held1 = ask1(server, '/apis', {}, 'plain');
    await until(() => isHeld && server?.app.active === 3);

    const closed = server.server.close(20_000);
    watching.resume();
    await once(watching, 'end');
    expect(watching.rstCode).to.equal(0);
    await until(() => isTold);
    const refused = await ask1(server, '/apis', {}, 'plain').catch((error: NodeJS.ErrnoException) => error.code);
    expect(refused).to.equal('ECONNREFUSED');
    hold.open();
    const [answer, answer1] = await Promise.all([held, held1]);
    expect([answer.status, answer1.status, answer1.headers['connection']]).to.deep.equal([200, 200, 'close']);
    await closed;
    server = undefined;
  });

  it('goes on for a delay before, and asks clients to connect elsewhere', async () => {
    const watch = quietWatch([]);
    server = await startServer((request) => (request.query.has('watch') ? watch(request) : whoami(request)));
    const session = await connect2(server);
    let isTold = false;
    session.on('goaway', () => {
      isTold = true;
    });
    const watching = session.request({ ':path': WATCH, ...AUTHORIZED });
    await once(watching, 'data');
    let isOver = false;
    const left = server.server.leave(2_000).then(() => {
      isOver = true;
    });
    for (const tls of ['plain', {}] as const) {
      const { status, headers } = await ask1(server, '/apis', {}, tls);
      expect([status, headers['connection']]).to.deep.equal([200, 'close']);
    }
    expect((await ask2(session, '/apis')).status).to.equal(200);
    await until(() => isTold);
    // The watch and new connections are served until the end.
    expect([isOver, watching.closed]).to.deep.equal([false, false]);
    expect((await ask1(server, '/apis')).status).to.equal(200);
    await left;
    watching.resume();
    const ended = once(watching, 'end');
    await server.server.close(20_000);
    await ended;
    expect(watching.rstCode).to.equal(0);
    server = undefined;
  });

  it('cuts off after its bound what does not finish', async () => {
    let isHeld = false;
    let isAborted = false;
    server = await startServer((request) => {
      isHeld = true;
      request.signal.addEventListener('abort', () => {
        isAborted = true;
      });
      return new Promise(() => undefined);
    });
    const asked = ask1(server, '/apis').catch((error: NodeJS.ErrnoException) => error.code);
    await until(() => isHeld);
    await server.server.close(20);
    expect([await asked, isAborted]).to.deep.equal(['ECONNRESET', true]);
    server = undefined;
  });

  it('does not wait for connections that have not shaken hands', async () => {
    server = await startServer(whoami);
    const socket = net.connect(server.httpsPort, '127.0.0.1');
    socket.on('error', () => undefined);
    const gone = new Promise((resolve) => socket.on('close', resolve));
    await once(socket, 'connect');
    // After an answer, the server has certainly seen the connection.
    const session = await connect2(server);
    await ask2(session, '/apis');
    session.close();
    await server.server.close(600_000);
    await gone;
  });

  it('does not wait for idle connections', async () => {
    server = await startServer(whoami);
    const agent = new http.Agent({ keepAlive: true });
    const request = http.get({ port: server.httpPort, host: '127.0.0.1', path: '/apis', headers: AUTHORIZED, agent });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    await once(response, 'end');
    const idle2 = await connect2(server);
    const idleTls = tls.connect({
      port: server.httpsPort,
      host: '127.0.0.1',
      ca: server.pki.ca,
      ALPNProtocols: ['http/1.1'],
    });
    idleTls.on('error', () => undefined);
    idleTls.write('GET /open HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idleTls, 'data');
    // Otherwise this takes as long as the bound, which is longer than a test may take.
    await server.server.close(600_000);
    expect(idle2.closed || idle2.destroyed).to.equal(true);
    agent.destroy();
    idleTls.destroy();
    server = undefined;
  });
});
