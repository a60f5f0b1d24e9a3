import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import { ensurePki } from '../certs/pki.js';
import type { Handler } from './handler.js';
import { HttpServer } from './server.js';
import { flood, quietWatch } from './testing/bodies.js';
import { AUTHORIZED, ask1, ask2, connect2, gate, startServer, type TestServer, until } from './testing/harness.js';

const whoami: Handler = async (request) => ({
  status: 200,
  headers: {},
  body: Buffer.from([request.user.name, ...request.user.groups].join(' ')),
});

const onAcceptError = (error: Error): never => {
  throw error;
};

const WATCH = '/apis/x?watch=true';

describe('HttpServer', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  describe('client certificates', () => {
    it('make the subject the caller, over HTTP/2 and HTTP/1.1', async () => {
      server = await startServer(whoami);
      const { certificate: cert, key } = server.pki.admin;
      const session = await connect2(server, { cert, key });
      const expected = 'admin system:masters system:authenticated';
      expect((await ask2(session, '/apis', { headers: {} })).body.toString()).to.equal(expected);
      session.close();
      expect((await ask1(server, '/apis', { headers: {} }, { cert, key })).body.toString()).to.equal(expected);
    });

    it('of another authority count for nothing, nor does a resumed session without one', async () => {
      server = await startServer(whoami);
      const dir = await mkdtemp(join(tmpdir(), 'other-pki-'));
      const other = await ensurePki({ dir, names: [], clock: () => new Date() });
      await rm(dir, { recursive: true });
      for (const client of [{ cert: other.admin.certificate, key: other.admin.key }, {}]) {
        const options = { host: '127.0.0.1', port: server.httpsPort, ca: server.pki.ca, ...client };
        const first = tls.connect(options);
        const [session] = (await once(first, 'session')) as [Buffer];
        first.destroy();
        const second = tls.connect({ ...options, session, ALPNProtocols: ['http/1.1'] });
        await once(second, 'secureConnect');
        second.write('GET /apis HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        const chunks: Buffer[] = [];
        for await (const chunk of second) chunks.push(chunk as Buffer);
        expect(Buffer.concat(chunks).toString()).to.match(/^HTTP\/1\.1 401 /);
      }
    });

    it('that are revoked end their connections, over HTTP/2 and HTTP/1.1', async () => {
      server = await startServer(whoami);
      const { certificate: cert, key } = server.pki.admin;
      const session = await connect2(server, { cert, key });
      const other = await connect2(server);
      const agent = new https.Agent({ keepAlive: true, ca: server.pki.ca, cert, key });
      const request = https.get({ port: server.httpsPort, host: '127.0.0.1', path: '/apis', agent });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      const ends = [once(session, 'close'), once(response.socket, 'close')];
      response.resume();
      await ask2(session, '/apis', { headers: {} });
      server.server.endConnections(({ commonName }) => commonName === 'admin');
      await Promise.all(ends);
      expect((await ask2(other, '/apis')).status).to.equal(200);
      other.close();
    });

    it('of a server do not make a client', async () => {
      server = await startServer(whoami);
      const { certificate: cert, key } = server.pki.server;
      expect((await ask1(server, '/apis', { headers: {} }, { cert, key })).status).to.equal(401);
    });
  });

  describe('watches', () => {
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
        // The connection, and what else goes over it, lives on.
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

  describe('close', () => {
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
      // Answered, so that the server has seen the connection before.
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
      // Would otherwise take as long as the bound, which is longer than a test may.
      await server.server.close(600_000);
      expect(idle2.closed || idle2.destroyed).to.equal(true);
      agent.destroy();
      idleTls.destroy();
      server = undefined;
    });
  });

  it('says in a sentence why it cannot listen', async () => {
    server = await startServer(whoami);
    const { pki, app, httpPort } = server;
    const material = { certificate: pki.server.certificate, key: pki.server.key, clientCa: pki.ca };
    const http = { host: '127.0.0.1', port: httpPort };
    const second = new HttpServer({ app, http, https: { host: '127.0.0.1', port: -1 }, tls: material, onAcceptError });
    const error = await second.listen().catch((reason: unknown) => reason);
    expect(String(error)).to.contain(`Cannot listen on 127.0.0.1:${httpPort}: another program does already.`);
  });

  it('does not listen where the port is -1', async () => {
    server = await startServer(whoami);
    const { pki, app } = server;
    const material = { certificate: pki.server.certificate, key: pki.server.key, clientCa: pki.ca };
    const off = { host: '127.0.0.1', port: -1 };
    const other = new HttpServer({ app, http: off, https: { ...off, port: 0 }, tls: material, onAcceptError });
    const listening = await other.listen();
    expect(listening.http).to.equal(undefined);
    expect(listening.https?.port).to.be.greaterThan(0);
    await other.close(100);
  });

  it('serves a renewed certificate to new connections', async () => {
    server = await startServer(whoami);
    const dir = await mkdtemp(join(tmpdir(), 'renewed-pki-'));
    const other = await ensurePki({ dir, names: [], clock: () => new Date() });
    await rm(dir, { recursive: true });
    const { pki } = server;
    server.server.renew({ ...other.server, clientCa: pki.ca });
    const answer = await ask1(server, '/apis', {}, { ca: other.ca });
    expect(answer.status).to.equal(200);
    const { certificate: cert, key } = pki.admin;
    expect((await ask1(server, '/apis', { headers: {} }, { ca: other.ca, cert, key })).status).to.equal(200);
  });
});
