import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import { ensurePki } from '../identity/certs/pki.js';
import { whoami } from './testing/bodies.js';
import { ask1, ask2, connect2, startServer, type TestServer } from './testing/harness.js';

describe('certificates of HttpServer', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  describe('client certificates', () => {
    // Promise: contract 7
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
