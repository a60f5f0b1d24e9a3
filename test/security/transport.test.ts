import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { expect } from 'chai';
import {
  AUTHORIZED,
  ask1,
  ask2,
  connect2,
  startServer,
  type TestServer,
  testPki,
} from '../../pkg/http/testing/harness.js';

const CBC = [
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA384',
  'AES128-SHA',
  'AES256-SHA256',
];
const AEAD = ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'];

describe('The transport', () => {
  let server: TestServer;
  let calls = 0;

  before(async () => {
    server = await startServer(async () => {
      calls++;
      return { status: 200, headers: {} };
    });
  });
  after(() => server.close());
  beforeEach(() => {
    calls = 0;
  });

  const handshake = async (options: tls.ConnectionOptions): Promise<string> => {
    const socket = tls.connect({ host: '127.0.0.1', port: server.httpsPort, ca: server.pki.ca, ...options });
    try {
      await once(socket, 'secureConnect');
      return `${socket.getCipher().name} ${socket.alpnProtocol}`;
    } catch {
      return 'refused';
    } finally {
      socket.destroy();
    }
  };

  describe('of TLS 1.2', () => {
    const with12 = (ciphers: string) => handshake({ maxVersion: 'TLSv1.2', ciphers, ALPNProtocols: ['h2'] });
    const holds = async () => {
      for (const cipher of CBC) expect(await with12(`${cipher}:@SECLEVEL=0`), cipher).to.equal('refused');
      for (const cipher of AEAD) expect(await with12(cipher), cipher).to.equal(`${cipher} h2`);
      expect(await handshake({ maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' })).to.equal('refused');
      expect(await handshake({ minVersion: 'TLSv1.3' })).to.match(/^TLS_/);
    };

    it('has no ciphers with CBC, and those that HTTP/2 needs', holds);

    it('has none after the certificate was renewed either', async () => {
      const { server: own, ca } = await testPki();
      server.server.renew({ certificate: own.certificate, key: own.key, clientCa: ca });
      await holds();
    });
  });

  describe('Strict-Transport-Security', () => {
    const sent = async (servername?: string) => {
      const options = { checkServerIdentity: () => undefined, ...(servername && { servername }) };
      const one = await ask1(server, '/apis', {}, options);
      const session = await connect2(server, options);
      const other = await ask2(session, '/apis');
      session.close();
      return [one, other].map(({ status, headers }) => [status, headers['strict-transport-security']]);
    };
    const yes = [200, 'max-age=31536000'];
    const no = [200, undefined];

    it('is sent over HTTPS, also with refusals', async () => {
      expect(await sent('boards.example.com')).to.deep.equal([yes, yes]);
      const options = { checkServerIdentity: () => undefined, servername: 'boards.example.com' };
      const refused = await ask1(server, '/apis', { headers: {} }, options);
      expect([refused.status, refused.headers['strict-transport-security']]).to.deep.equal([401, 'max-age=31536000']);
    });

    it('is not sent over HTTP, nor for localhost, whose other ports serve HTTP', async () => {
      expect(await sent('localhost')).to.deep.equal([no, no]);
      expect(await sent()).to.deep.equal([no, no]);
      const plain = await ask1(server, '/apis', { headers: { ...AUTHORIZED, host: 'boards.example.com' } }, 'plain');
      expect([plain.status, plain.headers['strict-transport-security']]).to.deep.equal(no);
    });
  });

  describe('A request that names two hosts', () => {
    const raw = async (path: string, ...hosts: readonly string[]) => {
      const socket = net.connect(server.httpPort, '127.0.0.1');
      const head = [`GET ${path} HTTP/1.1`, ...hosts, 'Authorization: Bearer token', 'Connection: close'];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString().split('\r\n')[0];
    };

    it('over HTTP/1.1 is refused with 400 and reaches no handler', async () => {
      for (const path of ['/apis', '/open', '/nothing']) {
        expect(await raw(path, 'Host: localhost', 'Host: evil.example'), path).to.equal('HTTP/1.1 400 Bad Request');
        expect(await raw(path, 'Host: localhost', 'hOST: localhost'), path).to.equal('HTTP/1.1 400 Bad Request');
      }
      expect(calls).to.equal(0);
      expect(await raw('/apis', 'Host: localhost')).to.equal('HTTP/1.1 200 OK');
    });

    it('is refused with 400 like that if two lines say who is calling, or as whom', async () => {
      for (const name of ['Authorization', 'Impersonate-User', 'Content-Type', 'X-Grafana-Org-Id']) {
        const twice = await raw('/apis', `Host: localhost\r\n${name}: Bearer one`, `${name.toLowerCase()}: Bearer two`);
        expect(twice, name).to.equal('HTTP/1.1 400 Bad Request');
      }
      expect(calls).to.equal(0);
      const session = await connect2(server);
      const headers = { ':authority': 'localhost', 'impersonate-user': ['a', 'b'] } as unknown as Record<
        string,
        string
      >;
      expect((await ask2(session, '/apis', { headers: { ...AUTHORIZED, ...headers } })).status).to.equal(400);
      expect(calls).to.equal(0);
      session.close();
    });

    it('over HTTP/2 is refused with 400 unless they are the same', async () => {
      const session = await connect2(server);
      const ask = (authority: string, host: string) =>
        ask2(session, '/apis', { headers: { ...AUTHORIZED, ':authority': authority, host } }).then(
          ({ status }) => status,
        );
      expect(await ask('localhost', 'evil.example')).to.equal(400);
      expect(await ask('localhost:6443', 'localhost:443')).to.equal(400);
      expect(calls).to.equal(0);
      expect(await ask('localhost', 'LOCALHOST')).to.equal(200);
      expect(await ask('localhost:443', 'localhost')).to.equal(200);
      session.close();
    });
  });
});
