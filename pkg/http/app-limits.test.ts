import { connect } from 'node:net';
import { expect } from 'chai';
import type { Level } from './middleware/in-flight.js';
import { AUTHORIZED, gate, until } from './testing/harness.js';
import { json, overEachProtocol, text } from './testing/protocols.js';

overEachProtocol(({ protocol, serve, server }) => {
  const waiting = (level: Level): number => server()?.app.inFlight.level(level).waiting ?? 0;

  // Promise: contract 6, contract 9
  it('refuses a body over the limit with 413, whether or not its length is told, and takes one at the limit', async () => {
    let called = 0;
    const ask = await serve(async (request) => {
      called++;
      return text(String(request.body.length));
    });
    const post = (length: number, headers: Readonly<Record<string, string>> = {}) =>
      ask('/apis', { method: 'POST', headers: { ...AUTHORIZED, ...headers }, body: Buffer.alloc(length, 'x') });
    expect((await post(1_000)).body.toString()).to.equal('1000');
    const told = await post(1_001, { 'content-length': '1001' });
    const chunked: Record<string, string> = protocol === 'HTTP/2' ? {} : { 'transfer-encoding': 'chunked' };
    const untold = await post(200_000, chunked);
    for (const answer of [told, untold]) {
      expect(answer.status).to.equal(413);
      expect(json(answer)).to.deep.include({ reason: 'RequestEntityTooLarge', code: 413 });
    }
    expect(called).to.equal(1);
  });

  if (protocol === 'HTTP/1.1')
    it('names the setting, also to a client that still sends and then closes', async () => {
      await serve(async () => text(''));
      const socket = connect(server()?.httpPort ?? 0, '127.0.0.1');
      const length = 12 * 2 ** 20;
      const head = `POST /apis HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
      socket.write(head);
      // The client reads only when it has sent everything, in pieces.
      for (let sent = 0; sent < length; sent += 2 ** 20) {
        await new Promise<void>((resolve, reject) => {
          socket.write(Buffer.alloc(2 ** 20, 'x'), (error) => (error ? reject(error) : resolve()));
        });
      }
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      expect(answer)
        .to.match(/^HTTP\/1\.1 413 /)
        .and.contain('limits.body_bytes');
    });

  it('serves two large bodies of a user at a time, and small ones beside them', async () => {
    const hold = gate();
    const served: number[] = [];
    const limits = { bodyBytes: 4 * 2 ** 20, maxMutatingInFlight: 20 };
    const ask = await serve(
      async ({ body }) => {
        served.push(body.length);
        if (body.length > 1) await hold.opened;
        return text('');
      },
      { limits },
    );
    const large = [1, 2, 3, 4].map(() => ask('/apis', { method: 'POST', body: Buffer.alloc(2 ** 20, 'x') }));
    await until(() => waiting('large') === 2 && served.length === 2);
    expect((await ask('/apis', { method: 'POST', body: 'x' })).status).to.equal(200);
    expect(served).to.deep.equal([2 ** 20, 2 ** 20, 1]);
    hold.open();
    expect((await Promise.all(large)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
  });

  it('takes an apply in JSON up to the limit, and in YAML up to that of YAML', async () => {
    const ask = await serve(async ({ body }) => text(String(body.length)));
    const headers = { ...AUTHORIZED, 'content-type': 'application/apply-patch+yaml' };
    const apply = (body: string) => ask('/apis', { method: 'PATCH', headers, body });
    expect((await apply(`{${' '.repeat(900)}}`)).status).to.equal(200);
    expect((await apply(`a: ${'b'.repeat(400)}`)).status).to.equal(200);
    const refused = await apply(`a: ${'b'.repeat(900)}`);
    expect(refused.status).to.equal(413);
    expect(json(refused).message).to.contain('limits.yaml_bytes');
  });

  // Promise: contract 6, contract 9
  it('lets reads and writes wait for a seat, each apart, and answers 429 with Retry-After when too many wait', async () => {
    const hold = gate();
    let held = 0;
    const handler = async () => {
      held++;
      await hold.opened;
      return text('');
    };
    const ask = await serve(handler, { limits: { maxQueued: 2 } });
    const reads = [1, 2, 3, 4, 5].map(() => ask('/apis'));
    const writes = [1, 2, 3].map(() => ask('/apis', { method: 'POST', body: 'x' }));
    await until(() => waiting('read') === 1 && waiting('write') === 1);
    expect(held).to.equal(6);
    const [read, write] = await Promise.all([ask('/apis'), ask('/apis', { method: 'DELETE' })]);
    expect([read.status, write.status, read.headers['retry-after']]).to.deep.equal([429, 429, '1']);
    const probe = ask('/open');
    await until(() => held === 7);
    hold.open();
    const answers = await Promise.all([...reads, ...writes, probe]);
    expect(answers.map((answer) => answer.status)).to.deep.equal(Array(9).fill(200));
    expect((await ask('/apis')).status).to.equal(200);
  });

  // Promise: contract 9
  it('counts watches apart, and answers 429 when there are too many', async () => {
    const hold = gate();
    let open = 0;
    const ask = await serve(async (request) => {
      if (!request.query.has('watch')) return text('read');
      async function* body() {
        open++;
        await hold.opened;
        yield Buffer.from('end');
      }
      return { status: 200, headers: {}, body: body(), longRunning: true };
    });
    const watches = Array.from({ length: 10 }, () => ask('/apis?watch=true'));
    await until(() => open === 10);
    expect((await ask('/apis')).status).to.equal(200);
    const tooMany = ['/apis?watch=true', '/apis?watch=1', '/apis?watch'].map((path) => ask(path));
    expect((await Promise.all(tooMany)).map(({ status }) => status)).to.deep.equal([429, 429, 429]);
    hold.open();
    expect((await Promise.all(watches)).map((answer) => answer.body.toString())).to.deep.equal(Array(10).fill('end'));
    expect((await ask('/apis?watch=true')).status).to.equal(200);
  });

  // Promise: contract 6, contract 9
  it('answers 504 when the handler takes too long, aborts it, and drops what it answers afterwards', async () => {
    let returned = false;
    const late = gate();
    const ask = await serve(
      async (request) => {
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
        const body: AsyncIterable<Uint8Array> = {
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: true, value: undefined }),
            return: async () => {
              returned = true;
              late.open();
              return { done: true, value: undefined };
            },
          }),
        };
        return { status: 200, headers: {}, body };
      },
      { limits: { requestTimeout: 30 } },
    );
    const answer = await ask('/apis');
    expect(json(answer)).to.deep.include({ code: 504, reason: 'Timeout' });
    await late.opened;
    expect(returned).to.equal(true);
  });

  // Promise: contract 4.3
  it('answers 504 after the time in which the client wants its answer, if that is shorter', async () => {
    const ask = await serve(
      async (request) => {
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
        return text('too late');
      },
      { limits: { requestTimeout: 3_600_000 } },
    );
    expect(json(await ask('/apis?timeout=20ms'))).to.deep.include({ code: 504, reason: 'Timeout' });
  });

  // Promise: contract 4.3
  it('answers 400 to a timeout that is no duration, and takes none, zero and longer ones as the time of the server', async () => {
    const ask = await serve(() => text('done'));
    for (const wrong of ['zz', '5', '1s2', 's'])
      expect(json(await ask(`/apis?timeout=${wrong}`)), wrong)
        .to.include({ code: 400, reason: 'BadRequest' })
        .and.to.have.property('message')
        .that.includes('invalid timeout specified in the request URL');
    for (const right of ['', '0', '0s', '-1s', '32s', '1h30m', '1.5h'])
      expect((await ask(`/apis?timeout=${right}`)).status, right).to.equal(200);
  });
});
