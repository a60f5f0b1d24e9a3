import { expect } from 'chai';
import { ANONYMOUS, type UserInfo } from '../identity/authn/user.js';
import { excessOf } from './idle-requests.js';
import type { Context } from './pipeline.js';
import { AUTHORIZED, connect2, startServer, until } from './testing/harness.js';

const user = (name: string): UserInfo => ({ name, uid: name, groups: [], extra: {} });

/** A request that was answered two seconds ago, unless it says something else. */
function request(name: string, { state = {}, writableEnded = true } = {}): Context {
  const client = { remoteAddress: '192.0.2.1' };
  const common = { user: name === '' ? ANONYMOUS : user(name), client, startedAt: 0, isAdmitted: true };
  return { res: { writableEnded }, state: { ...common, ...state } } as unknown as Context;
}
const many = (count: number, make: () => Context): Context[] => Array.from({ length: count }, make);
const excess = (...requests: readonly Context[][]): Context[] => excessOf(requests.flat(), 10, 2_000);

describe('Requests that wait for their clients', () => {
  it('are cut off if they are too many, the oldest of those who have the most', () => {
    const [greedy, other, stranger] = [
      many(20, () => request('greedy')),
      many(3, () => request('other')),
      many(20, () => request('')),
    ];
    expect(excess(greedy, other, stranger)).to.deep.equal([...greedy.slice(0, 17), ...stranger.slice(0, 17)]);
    expect(excess(greedy)).to.deep.equal(greedy.slice(0, 10));
    expect(excess(greedy.slice(0, 10))).to.deep.equal([]);
  });

  it('are those whose answer was not taken, and whose body has not arrived', () => {
    const body = many(11, () => request('a', { state: { isAdmitted: false }, writableEnded: false }));
    expect(excess(body)).to.have.length(1);
    const [served, watches, young] = [
      many(20, () => request('a', { writableEnded: false })),
      many(20, () => request('a', { state: { watch: {} } })),
      many(20, () => request('a', { state: { startedAt: 1_500 } })),
    ];
    expect(excess(served, watches, young)).to.deep.equal([]);
  });

  // Promise: security work
  it('do not stay on a connection of HTTP/2 whose client has no window for answers', async () => {
    const server = await startServer(async ({ body }) => ({ status: 200, headers: {}, body }), {
      limits: { idleRequests: 20, stallTimeout: 60_000 },
    });
    const session = await connect2(server, { settings: { initialWindowSize: 0 } });
    const ask = (headers: object, method: string) => {
      const stream = session.request({ ':path': '/apis', ':method': method, ...headers }, { endStream: false });
      stream.on('error', () => undefined);
      if (method === 'GET') stream.end();
    };
    for (let i = 0; i < 30; i++) ask({}, 'GET');
    for (let i = 0; i < 30; i++) ask(AUTHORIZED, 'POST');
    await until(() => server.app.active === 60);
    await until(() => server.app.active === 20);
    expect(session.destroyed).to.equal(false);
    session.destroy();
    await server.close();
  });
});
