import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { documentOf, serveDocument } from './negotiation/document.js';
import { AUTHORIZED } from './testing/harness.js';
import { overEachProtocol } from './testing/protocols.js';

overEachProtocol(({ serve }) => {
  it('streams more than any buffer holds, whole and in order', async () => {
    const chunks = 200;
    const ask = await serve(async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        for (let i = 0; i < chunks; i++) yield Buffer.alloc(50_000, String.fromCharCode(65 + (i % 26)));
      })(),
    }));
    const { body } = await ask('/apis');
    expect(body.length).to.equal(chunks * 50_000);
    for (let i = 0; i < chunks; i++) expect(body[i * 50_000]).to.equal(65 + (i % 26));
  });

  it('refuses a body that says it is compressed, and takes one that says it is not', async () => {
    const ask = await serve(async ({ body }) => ({ status: 200, headers: {}, body }));
    const send = (encoding: string) =>
      ask('/apis', { method: 'POST', body: '{}', headers: { ...AUTHORIZED, 'content-encoding': encoding } });
    for (const encoding of ['gzip', 'br', 'gzip, identity'])
      expect((await send(encoding)).status, encoding).to.equal(415);
    expect((await send('gzip')).body.toString()).to.include('must not be compressed');
    expect((await send('identity')).status).to.equal(200);
  });

  // Promise: contract 1.6
  it('compresses what is large for those who take gzip, streamed or not, and says that it varies', async () => {
    const large = Buffer.from('0123456789abcdef'.repeat(20_000));
    const ask = await serve(async (request) => {
      const size = Number(request.query.get('size'));
      const bytes = large.subarray(0, size);
      const isStream = request.query.has('stream');
      return {
        status: 200,
        headers: {},
        body: isStream
          ? (async function* () {
              yield bytes;
            })()
          : bytes,
      };
    });
    const gzip = { headers: { ...AUTHORIZED, 'accept-encoding': 'deflate, gzip' } };
    for (const stream of ['', '&stream']) {
      const small = await ask(`/apis?size=1000${stream}`, gzip);
      expect(small.headers['content-encoding']).to.equal(undefined);
      expect(small.body.length).to.equal(1000);
      const packed = await ask(`/apis?size=320000${stream}`, gzip);
      expect(packed.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(gunzipSync(packed.body).equals(large)).to.equal(true);
      const plain = await ask(`/apis?size=320000${stream}`);
      expect(plain.headers['content-encoding']).to.equal(undefined);
      expect(plain.headers['vary']).to.equal('Accept-Encoding');
      expect(plain.body.equals(large)).to.equal(true);
    }
  });

  it('compresses nothing for those who exclude gzip, whatever else they take', async () => {
    const ask = await serve(async () => ({ status: 200, headers: {}, body: Buffer.alloc(320_000, 'x') }));
    const encodings = async (accepted: string) =>
      (await ask('/apis', { headers: { ...AUTHORIZED, 'accept-encoding': accepted } })).headers['content-encoding'];
    for (const accepted of ['*', 'deflate, GZIP;q=0.5', 'gzip;q=1.0', 'identity;q=1, gzip;q=0.1'])
      expect(await encodings(accepted), accepted).to.equal('gzip');
    for (const accepted of ['', 'deflate', 'xgzip', 'gzip;q=0', 'br, gzip; q=0.00', '*, gzip;q=0', 'gzip;q=0, *'])
      expect(await encodings(accepted), accepted).to.equal(undefined);
  });

  it('says that what is large varies by encoding beside what it varies by anyway', async () => {
    const ask = await serve(async () => ({
      status: 200,
      headers: { vary: 'Accept' },
      body: Buffer.alloc(320_000, 'x'),
    }));
    for (const headers of [AUTHORIZED, { ...AUTHORIZED, 'accept-encoding': 'gzip' }])
      expect((await ask('/apis', { headers })).headers['vary']).to.equal('Accept, Accept-Encoding');
  });

  // Promise: contract 1.6
  it('gives what is compressed a tag of its own, and tells a client that has it that nothing has changed', async () => {
    const document = documentOf(Buffer.alloc(320_000, 'x'), 'text/plain');
    const ask = await serve(async (request) => serveDocument(request, document));
    const plain = { ...AUTHORIZED, 'accept-encoding': 'identity' };
    const gzip = { ...AUTHORIZED, 'accept-encoding': 'gzip' };
    const tagOf = async (headers: Record<string, string>) => String((await ask('/apis', { headers })).headers['etag']);
    const [first, second] = [await tagOf(plain), await tagOf(gzip)];
    expect(second).to.equal(first.replace(/"$/, '-gzip"'));
    for (const [headers, tag] of [
      [plain, first],
      [gzip, second],
    ] as const) {
      const again = await ask('/apis', { headers: { ...headers, 'if-none-match': tag } });
      expect([again.status, again.headers['etag']]).to.deep.equal([304, tag]);
    }
  });

  it('answers HEAD without a body, and ends the stream that nobody reads', async () => {
    let ended = false;
    const ask = await serve(async () => ({
      status: 200,
      headers: {},
      body: {
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: false, value: Buffer.from('x') }),
          return: async () => {
            ended = true;
            return { done: true, value: undefined };
          },
        }),
      },
    }));
    const answer = await ask('/apis', { method: 'HEAD' });
    expect([answer.status, answer.body.length, ended]).to.deep.equal([200, 0, true]);
  });
});
