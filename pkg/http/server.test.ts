import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect } from 'chai';
import { Connections } from './connections.js';
import { HttpServer } from './server.js';
import { flood, quietWatch, whoami } from './testing/bodies.js';
import { AUTHORIZED, ask1, ask2, connect2, gate, startServer, type TestServer, until } from './testing/harness.js';

const onAcceptError = (error: Error): never => {
  throw error;
};

const unlimited = () => new Connections({ max: 1_000, anonymousIdle: 10_000 });

const WATCH = '/apis/x?watch=true';

describe('HttpServer', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  describe('watches', () => {
    // Promise: contract 4.1, contract 4.11
    it('get their headers before there is anything to say, on HTTP/1.1 and HTTP/2', async () => {
      const hold = gate();
      server = await startServer(async () => {
        async function* body() {
          await hold.opened;
          yield Buffer.from('late');
        }
        return { status: 200, headers: {}, body: body(), longRunning: true };
      });
      const request = http.get({ port: server.httpPort, host: '127.0.0.1', path: WATCH, headers: AUTHORIZED });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      expect(response.headers['transfer-encoding']).to.equal('chunked');
      const session = await connect2(server);
      const stream = session.request({ ':path': WATCH, ...AUTHORIZED });
      const [headers] = (await once(stream, 'response')) as [Record<string, string>];
      expect(headers['transfer-encoding']).to.equal(undefined);
      hold.open();
      response.resume();
      stream.resume();
      await Promise.all([once(response, 'end'), once(stream, 'end')]);
      session.close();
    });

    it('are aborted and returned when the client goes away', async () => {
      for (const protocol of ['HTTP/1.1', 'HTTP/2']) {
        const log: string[] = [];
        server = await startServer(quietWatch(log));
        if (protocol === 'HTTP/2') {
          const session = await connect2(server);
          const stream = session.request({ ':path': WATCH, ...AUTHORIZED });
          await once(stream, 'data');
          stream.close(8);
          await until(() => log.length === 2);
          session.close();
        } else {
          const request = http.get({ port: server.httpPort, host: '127.0.0.1', path: WATCH, headers: AUTHORIZED });
          request.on('error', () => undefined);
          const [response] = (await once(request, 'response')) as [http.IncomingMessage];
          await once(response, 'data');
          request.destroy();
          await until(() => log.length === 2);
        }
        expect(log, protocol).to.deep.equal(['aborted', 'returned']);
        const { app } = server;
        await until(() => app.active === 0);
        await server.close();
      }
    });
  });

  describe('slow clients', () => {
    for (const longRunning of [true, false]) {
      // Promise: contract 4.10, security work
      it(`are cut off when they take nothing, over HTTP/1.1 and HTTP/2 (${longRunning ? 'watch' : 'list'})`, async () => {
        const log: string[] = [];
        server = await startServer(flood(log, longRunning), { limits: { stallTimeout: 40 } });
        const socket = net.connect(server.httpPort, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.pause();
        socket.write(`GET ${WATCH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token\r\n\r\n`);
        await until(() => log.length === 1);
        const session = await connect2(server);
        const stream = session.request({ ':path': WATCH, ...AUTHORIZED });
        stream.on('error', () => undefined);
        const closed = new Promise((resolve) => stream.on('close', resolve));
        stream.pause();
        await until(() => log.length === 2);
        stream.resume();
        await closed;
        expect(stream.rstCode).to.equal(2);
        // The connection and its other streams stay.
        expect(session.destroyed).to.equal(false);
        session.close();
        socket.destroy();
      });
    }
  });

  for (const longRunning of [true, false]) {
    it(`does not cut off a slow client that goes on taking a little (${longRunning ? 'watch' : 'list'})`, async () => {
      const log: string[] = [];
      server = await startServer(flood(log, longRunning), { limits: { stallTimeout: 200 } });
      const session = await connect2(server);
      const stream = session.request({ ':path': WATCH, ...AUTHORIZED });
      stream.on('error', () => undefined);
      await once(stream, 'readable');
      let taken = 0;
      for (const end = Date.now() + 1_000; Date.now() < end; ) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        taken += ((stream.read(16 * 1024) ?? stream.read()) as Buffer | null)?.length ?? 0;
      }
      expect([log, stream.closed]).to.deep.equal([[], false]);
      expect(taken).to.be.greaterThan(200_000);
      session.destroy();
    });
  }

  it('cuts an answer off when its source fails, so that nobody takes it for whole', async () => {
    server = await startServer(async () => {
      async function* body() {
        yield Buffer.from('half');
        throw new Error('disk on fire');
      }
      return { status: 200, headers: {}, body: body() };
    });
    const failed = await ask1(server, '/apis').catch(() => 'cut off');
    expect(failed).to.equal('cut off');
    const session = await connect2(server);
    expect(await ask2(session, '/apis').catch(() => 'cut off')).to.equal('cut off');
    session.close();
    expect(server.logged.join('')).to.contain('disk on fire');
  });

  it('says in a sentence why it cannot listen', async () => {
    server = await startServer(whoami);
    const { pki, app, httpPort } = server;
    const material = { certificate: pki.server.certificate, key: pki.server.key, clientCa: pki.ca };
    const http = { host: '127.0.0.1', port: httpPort };
    const https = { host: '127.0.0.1', port: -1 };
    const second = new HttpServer({ app, http, https, tls: material, connections: unlimited(), onAcceptError });
    const error = await second.listen().catch((reason: unknown) => reason);
    expect(String(error)).to.contain(`Cannot listen on 127.0.0.1:${httpPort}: another program already listens there.`);
  });

  it('does not listen where the port is -1', async () => {
    server = await startServer(whoami);
    const { pki, app } = server;
    const material = { certificate: pki.server.certificate, key: pki.server.key, clientCa: pki.ca };
    const off = { host: '127.0.0.1', port: -1 };
    const https = { ...off, port: 0 };
    const other = new HttpServer({ app, http: off, https, tls: material, connections: unlimited(), onAcceptError });
    const listening = await other.listen();
    expect(listening.http).to.equal(undefined);
    expect(listening.https?.port).to.be.greaterThan(0);
    await other.close(100);
  });
});
