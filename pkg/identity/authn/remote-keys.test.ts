import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, type JWTVerifyGetKey } from 'jose';
import { KeysUnavailable, remoteKeys } from './remote-keys.js';

describe('remoteKeys', () => {
  let answer: { readonly status: number; readonly body: string };
  let fetched = 0;
  let now = 0;
  const warnings: string[] = [];
  let good: string;
  let issuer: http.Server;
  let keys: JWTVerifyGetKey;

  before(async () => {
    const { publicKey } = await generateKeyPair('ES256');
    good = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] });
    issuer = http.createServer((_, response) => {
      fetched++;
      response.writeHead(answer.status, { 'content-type': 'application/json', connection: 'close' }).end(answer.body);
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  });
  after(() => new Promise((resolve) => issuer.close(resolve)));
  beforeEach(() => {
    fetched = 0;
    warnings.length = 0;
    answer = { status: 500, body: '' };
    const { port } = issuer.address() as AddressInfo;
    keys = remoteKeys(`http://127.0.0.1:${port}/`, { now: () => now, warn: (text) => void warnings.push(text) });
  });

  const ask = async (kid = 'one') => {
    const token = { payload: '', signature: '' };
    return await Promise.resolve(keys({ alg: 'ES256', kid }, token)).then(
      () => 'found',
      (error: unknown) => (error instanceof KeysUnavailable ? 'unavailable' : (error as Error).name),
    );
  };

  it('pauses after a failed fetch, and twice as long after each further one, up to a minute', async () => {
    const pauses: number[] = [];
    for (let last = now, seen = 0; fetched < 9; now += 500) {
      expect(await ask()).to.equal('unavailable');
      if (fetched === seen) continue;
      seen = fetched;
      pauses.push((now - last) / 1000);
      last = now;
    }
    expect(pauses).to.deep.equal([0, 1, 2, 4, 8, 16, 32, 60, 60]);
    expect(warnings).to.have.length(9);
    expect(warnings[0]).to.match(/jwks_url cannot be fetched: the answer has status 500, not 200\. .* in 1s\.$/);
  });

  it('pauses after an answer that is not a key set', async () => {
    answer = { status: 200, body: '{"keys":1}' };
    for (let i = 0; i < 5; i++) expect(await ask()).to.equal('unavailable');
    expect([fetched, warnings.length]).to.deep.equal([1, 1]);
  });

  // Promise: security work
  it('takes no answer that is large, deep, or has many values, because it is read in one step', async () => {
    const keys = (more: string): string => `{"keys":[],"more":${more}}`;
    for (const [body, why] of [
      [keys(`"${' '.repeat(2 ** 20)}"`), 'larger than 262144 bytes'],
      [keys('['.repeat(50) + ']'.repeat(50)), 'nested deeper than 20 levels'],
      [keys(`[${'1,'.repeat(20_000)}1]`), 'more than 10000 values'],
    ] as const) {
      answer = { status: 200, body };
      now += 60_000;
      expect(await ask()).to.equal('unavailable');
      expect(warnings.at(-1)).to.contain(why);
    }
  });

  it('fetches the keys after the pause, and begins with short pauses again', async () => {
    await ask();
    answer = { status: 200, body: good };
    now += 1_000;
    expect(await ask()).to.equal('found');
    expect(warnings.at(-1)).to.contain('are fetched again');
  });

  it('finds the keys that it has during a pause', async () => {
    answer = { status: 200, body: good };
    expect(await ask()).to.equal('found');
    answer = { status: 500, body: '' };
    for (let i = 0; i < 5; i++) expect(await ask('two')).to.equal('JWKSNoMatchingKey');
    expect(await ask()).to.equal('found');
    expect(fetched).to.equal(1);
  });
});
