import { createServer, type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { testPki } from '../../http/testing/harness.js';
import { boundedFetch, UnsafeUrl } from './bounded-fetch.js';

const listening = async <S extends Server | https.Server>(server: S): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

describe('a bounded fetch', () => {
  let answer: RequestListener = () => undefined;
  const server = createServer((request, response) => answer(request, response));
  let url = '';
  before(async () => {
    url = `http://127.0.0.1:${await listening(server)}/`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const patient = new AbortController().signal;
  const get = (signal = patient, bytes = 1000) => boundedFetch({ signal, bytes })(url);
  const failure = (promise: Promise<unknown>): Promise<Error> =>
    promise.then(
      () => new Error('it succeeded'),
      (error: Error) => error,
    );

  it('sends method, headers and body, and returns status, headers and body', async () => {
    answer = async (request, response) => {
      let body = '';
      for await (const piece of request) body += String(piece);
      response.writeHead(201, { 'x-a': ['1', '2'] }).end(`${request.method} ${request.headers['x-b']} ${body}`);
    };
    const init = { method: 'POST', headers: { 'x-b': 'b' }, body: new URLSearchParams({ a: 'ä' }) };
    const response = await boundedFetch({ signal: patient, bytes: 1000 })(url, init);
    expect([response.status, response.headers.get('x-a'), await response.text()]).to.deep.equal([
      201,
      '1, 2',
      'POST b a=%C3%A4',
    ]);
  });

  it('follows no redirects, and takes answers without a body', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    expect((await get()).status).to.equal(302);
    answer = (_, response) => response.writeHead(204).end();
    expect((await get()).status).to.equal(204);
  });

  it('refuses answers that are too large, however they are sent', async () => {
    answer = (_, response) => response.end('x'.repeat(1000));
    expect((await get()).status).to.equal(200);
    answer = (_, response) => response.end('x'.repeat(1001));
    expect((await failure(get())).message).to.contain('larger than 1000 bytes');
    answer = (_, response) => {
      const more = setInterval(() => response.write('x'.repeat(400)), 1);
      response.on('close', () => clearInterval(more));
    };
    expect((await failure(get())).message).to.contain('larger than 1000 bytes');
  });

  it('ends when the signal does: before the answer, and within it', async () => {
    answer = () => undefined;
    expect((await failure(get(AbortSignal.timeout(20)))).name).to.equal('AbortError');
    answer = (_, response) => void response.writeHead(200, { 'content-length': '10' }).write('x');
    expect((await failure(get(AbortSignal.timeout(20)))).message).to.not.equal('it succeeded');
  });

  it('sends nothing in the clear to other machines, unless it may', async () => {
    const signal = AbortSignal.abort();
    const to = (address: string, isInsecure = false) =>
      failure(boundedFetch({ signal, bytes: 1, isInsecure })(address));
    for (const address of [
      'http://example.com/',
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      '',
      'http://127.0.0.1.evil.example/',
    ])
      expect(await to(address), address).to.be.instanceOf(UnsafeUrl);
    for (const address of ['https://example.com/', url, 'http://localhost:1/', 'http://[::1]:1/'])
      expect(await to(address), address).to.not.be.instanceOf(UnsafeUrl);
    expect(await to('http://example.com/', true)).to.not.be.instanceOf(UnsafeUrl);
  });

  it('trusts the given authority only, and shows the client certificate', async () => {
    const pki = await testPki();
    const tls = { key: pki.server.key, cert: pki.server.certificate, ca: pki.ca, requestCert: true };
    const secure = https.createServer({ ...tls, rejectUnauthorized: true }, (_, response) => response.end('right'));
    const address = `https://127.0.0.1:${await listening(secure)}/`;
    const client = { cert: pki.admin.certificate, key: pki.admin.key };
    const fetching = (own: object) => boundedFetch({ signal: patient, bytes: 1000, tls: own })(address);
    expect(await (await fetching({ ...client, ca: pki.ca })).text()).to.equal('right');
    expect((await failure(fetching(client))).message).to.contain('certificate');
    expect((await failure(fetching({ ca: pki.ca }))).message).to.not.equal('it succeeded');
    secure.closeAllConnections();
    secure.close();
  });
});
