import { once } from 'node:events';
import net from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { MOST_WAITING } from './pipelined.js';
import { type Gate, gate, startServer, type TestServer, until } from './testing/harness.js';

const request = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\n${headers}\r\n`;

describe('Requests of HTTP/1.1 that do not wait for the answer to the one before them', () => {
  let server: TestServer;
  let held: Gate;
  const begun: string[] = [];
  before(async () => {
    server = await startServer(async ({ path }) => {
      begun.push(path);
      if (path === '/apis/held') await held.opened;
      return { status: 200, headers: {}, body: Buffer.from(path) };
    });
  });
  after(() => server.close());
  beforeEach(() => {
    begun.length = 0;
    held = gate();
  });

  const connect = (): net.Socket => net.connect(server.httpPort, '127.0.0.1').on('error', () => undefined);

  it('are served one after another, each with its body', async () => {
    const socket = connect();
    const answer: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => answer.push(chunk));
    const post = `POST /apis/2 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\nContent-Length: 2\r\n\r\n{}`;
    socket.write(request('/apis/held') + post + request('/apis/3', 'Connection: close\r\n'));
    await until(() => begun.length === 1);
    for (let i = 0; i < 10; i++) await turn();
    expect(begun).to.deep.equal(['/apis/held']);
    held.open();
    await once(socket, 'close');
    expect(begun).to.deep.equal(['/apis/held', '/apis/2', '/apis/3']);
    expect(
      Buffer.concat(answer)
        .toString()
        .match(/\/apis\/\w+$|\/apis\/\w+(?=HTTP)/g),
    ).to.deep.equal(begun);
  });

  // Promise: security work
  it('are gone with their connection, whether they were begun or not', async () => {
    const socket = connect();
    socket.write(request('/apis/held') + request('/apis/2').repeat(9));
    await until(() => begun.length > 0);
    socket.destroy();
    held.open();
    await until(() => server.app.active === 0);
  });

  // Promise: security work
  it('are at most so many that wait; a connection with more is closed, and others go on', async () => {
    const allowed = connect();
    allowed.write(request('/apis/held') + request('/apis/2').repeat(MOST_WAITING));
    await until(() => begun.length === 1);
    const socket = connect();
    socket.write(request('/apis/held') + request('/apis/2').repeat(MOST_WAITING + 1));
    await once(socket, 'close');
    expect(begun).to.deep.equal(['/apis/held', '/apis/held']);
    held.open();
    await until(() => begun.length === MOST_WAITING + 2);
    allowed.destroy();
    await until(() => server.app.active === 0);
  });
});
