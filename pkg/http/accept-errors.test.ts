import net from 'node:net';
import { mock } from 'node:test';
import { expect } from 'chai';
import { sometimes } from './accept-errors.js';
import { ask1, startServer, type TestServer } from './testing/harness.js';

/** What Node has and its types do not: the socket that listens. It calls this with the number of an error. */
interface Accepting {
  readonly _handle: { onconnection(errno: number): void };
}

const NO_BUFFERS = -105;

/** A server, and the plain and the secure server of Node that it listens with. */
async function startWatched(): Promise<{ readonly server: TestServer; readonly accepting: readonly Accepting[] }> {
  const listen = mock.method(net.Server.prototype, 'listen');
  try {
    const server = await startServer(async () => ({ status: 200, headers: {}, body: Buffer.from('answered') }));
    return { server, accepting: listen.mock.calls.map((call) => call.this as unknown as Accepting) };
  } finally {
    listen.mock.restore();
  }
}

describe('a server that cannot accept a connection', () => {
  it('goes on, on both ports, and tells the operator once', async () => {
    const { server, accepting } = await startWatched();
    try {
      expect(accepting).to.have.length(2);
      for (const { _handle } of [...accepting, ...accepting]) _handle.onconnection(NO_BUFFERS);
      for (const tls of ['plain', {}] as const) {
        expect((await ask1(server, '/apis', {}, tls)).body.toString()).to.equal('answered');
      }
      const told = server.logged.filter((line) => line.includes('ENOBUFS'));
      expect(told).to.have.length(1);
    } finally {
      await server.close();
    }
  });

  it('is reported again after ten seconds', () => {
    let now = 0;
    const told: string[] = [];
    const report = sometimes(
      ({ message }) => told.push(message),
      () => now,
    );
    for (now of [0, 1, 9_999, 10_000, 10_001]) report(new Error(`at ${now}`));
    expect(told).to.deep.equal(['at 0', 'at 10000']);
  });
});
