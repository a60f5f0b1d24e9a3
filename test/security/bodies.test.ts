import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { ADMIN_TOKEN, AS_ADMIN, oneStore as oneAuthnStore } from '../authn/harness.js';
import { startServer, type TestServer } from '../e2e/harness.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const MIB = 2 ** 20;

/** Sends a request whose body is not whole, and waits until the kernel has taken what there is of it. */
function begin(port: number, head: string, body: Buffer): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', reject);
    socket.write(`${head}\r\nhost: localhost\r\n`);
    socket.write(`content-type: application/json\r\ncontent-length: ${body.length + 1}\r\n\r\n`);
    // The server may hang up before it has everything.
    socket.write(body, () => resolve(socket));
    socket.once('data', () => resolve(socket));
  });
}

describe('Unfinished bodies of strangers', () => {
  let server: TestServer;

  before(async function start() {
    this.timeout(120_000);
    server = await startServer();
  });
  after(() => server.stop());

  for (const head of [
    'POST /livez HTTP/1.1',
    'GET /version HTTP/1.1',
    'POST /login HTTP/1.1',
    'PUT /logout HTTP/1.1',
  ]) {
    it(`take nothing from the callers who are known (${head})`, async () => {
      const port = Number(new URL(server.httpUrl).port);
      const body = Buffer.alloc(3 * MIB - 1, '1');
      const sockets = await Promise.all(Array.from({ length: 85 }, () => begin(port, head, body)));
      try {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        // More than is left of the memory that all bodies share.
        const folder = { metadata: { generateName: 'x-' }, spec: { title: head, unknown: 'x'.repeat(2 * MIB) } };
        const answer = await server.client.request('POST', FOLDERS, { body: folder });
        expect(answer.status).to.equal(201);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    });
  }
});

oneAuthnStore('A body', (server) => {
  it('is left unread by reads', async () => {
    const body = Buffer.alloc(200_000, 'x');
    const headers = { ...AS_ADMIN, 'content-length': `${body.length}` };
    expect((await server().ask('/whoami', { headers, body })).status).to.equal(200);
    expect((await server().ask('/whoami', { method: 'PUT', headers, body })).status).to.equal(413);
  });

  it('in chunks of one byte keeps no more memory than another', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const chunk = Buffer.from('1\r\n \r\n'.repeat(90_000));
    collect();
    const before = process.memoryUsage().heapUsed;
    const sockets = Array.from({ length: 5 }, () => {
      const socket = connect(server().port, '127.0.0.1');
      socket.write(`POST ${FOLDERS} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${ADMIN_TOKEN}\r\n`);
      socket.write('transfer-encoding: chunked\r\n\r\n');
      return socket;
    });
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.write(chunk, () => resolve()))));
    await server().ask('/whoami');
    await new Promise((resolve) => setTimeout(resolve, 500));
    collect();
    const kept = process.memoryUsage().heapUsed - before;
    for (const socket of sockets) socket.destroy();
    expect(kept / MIB).to.be.below(20);
  });
});
