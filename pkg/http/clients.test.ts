import { once } from 'node:events';
import http from 'node:http';
import { expect } from 'chai';
import { ANONYMOUS } from '../identity/authn/user.js';
import type { Handler } from './handler.js';
import { AUTHORIZED, ask1, connect2, gate, startServer, type TestServer, until } from './testing/harness.js';

const answer: Handler = async () => ({ status: 200, headers: {}, body: Buffer.alloc(100_000) });

describe('clients that misbehave', () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());

  it('hold no place when they leave while we find out who they are', async () => {
    const known = gate();
    let asked = 0;
    const authenticate = async () => {
      asked++;
      await known.opened;
      return ANONYMOUS;
    };
    server = await startServer(answer, { authenticate });
    const { app, httpPort: port } = server;
    const post = { method: 'POST', headers: { ...AUTHORIZED, 'content-length': '5' } };
    const first = http.request({ host: '127.0.0.1', port, path: '/apis', ...post });
    first.on('error', () => undefined);
    first.write('half');
    const session = await connect2(server);
    const second = session.request({ ':path': '/apis', ':method': 'POST', ...AUTHORIZED });
    second.on('error', () => undefined);
    second.write('half');
    await until(() => asked === 2);
    first.destroy();
    second.close(8);
    await once(second, 'close');
    known.open();
    await until(() => app.active === 0);
    expect(app.inFlight.level('write').executing).to.equal(0);
    session.close();
  });

  // Promise: security work
  it('keep nobody from writing by bodies that do not end', async () => {
    server = await startServer(answer);
    const session = await connect2(server);
    for (let i = 0; i < 20; i++) {
      const stream = session.request({ ':path': i % 2 === 0 ? '/open' : '/apis', ':method': 'POST', ...AUTHORIZED });
      stream.on('error', () => undefined);
      stream.write('never ');
    }
    const { app } = server;
    await until(() => app.active === 20);
    expect((await ask1(server, '/apis', { method: 'POST', body: 'whole' })).status).to.equal(200);
    session.destroy();
  });

  it('are cut off when they take nothing of a short answer', async () => {
    server = await startServer(answer, { limits: { stallTimeout: 40 } });
    const session = await connect2(server, { settings: { initialWindowSize: 0 } });
    const stream = session.request({ ':path': '/apis', ...AUTHORIZED });
    stream.on('error', () => undefined);
    const closed = new Promise((resolve) => stream.on('close', resolve));
    stream.resume();
    await closed;
    expect(stream.rstCode).to.equal(2);
    session.close();
  });

  it('ask for a watch where there are none, and are counted among the reads', async () => {
    const hold = gate();
    let held = 0;
    const handler: Handler = async (request) => {
      held++;
      await hold.opened;
      return answer(request);
    };
    const running = await startServer(handler, { mounts: [{ prefix: '/api' }], limits: { maxQueued: 2 } });
    server = running;
    const reads = [1, 2, 3, 4, 5].map(() => ask1(running, '/api?watch=true'));
    await until(() => running.app.inFlight.level('read').waiting === 1);
    expect(held).to.equal(4);
    expect((await ask1(running, '/api?watch=true')).status).to.equal(429);
    hold.open();
    expect((await Promise.all(reads)).map(({ status }) => status)).to.deep.equal(Array(5).fill(200));
  });

  it('get four large responses at a time', async () => {
    const hold = gate();
    let begun = 0;
    async function* body() {
      begun++;
      await hold.opened;
      yield Buffer.from('end');
    }
    const running = await startServer(async () => ({ status: 200, headers: {}, body: body() }), {
      limits: { maxInFlight: 20 },
    });
    server = running;
    const lists = Array.from({ length: 6 }, () => ask1(running, '/apis'));
    await until(() => running.app.inFlight.level('stream').waiting === 2);
    expect(begun).to.equal(4);
    hold.open();
    expect((await Promise.all(lists)).map((answer) => answer.body.toString())).to.deep.equal(Array(6).fill('end'));
    await until(() => running.app.inFlight.level('stream').executing === 0);
  });
});
