import { sign as cryptoSign, generateKeyPairSync } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { openMemory } from '../../storage/memory/backend.js';
import { type AuthnServer, bearer, openAuthnServer } from './harness.js';
import { claimsAt, ISSUER, type Issuer, jwks, type Key, makeKey, openIssuer, signed } from './issuer.js';

describe('JSON Web Tokens', () => {
  let key: Key;
  let issuer: Issuer;
  let file: string;
  let server: AuthnServer;

  const claims = (more: Readonly<Record<string, unknown>> = {}) =>
    claimsAt(server.services.now(), { sub: 'alice', ...more });
  const sign = (payload: Readonly<Record<string, unknown>>, by = key, alg?: string) => signed(payload, by, alg);
  const whoami = async (token: string, on = server) => {
    const { status, json } = await on.ask('/api/whoami', { headers: bearer(token) });
    return status === 200 ? json['name'] : `${status} ${json['messageId']}`;
  };
  const argv = (...more: readonly string[]) => [
    `--auth.jwt.issuer=${ISSUER}`,
    '--auth.jwt.audience=dash',
    '--auth.jwt.email_claim=email',
    ...more,
  ];
  const open = async (...more: readonly string[]) => {
    const opened = await openAuthnServer(openMemory(), { argv: argv(...more) });
    await opened.user('alice');
    return opened;
  };

  before(async () => {
    issuer = await openIssuer();
    ({ key, file } = issuer);
    server = await open(`--auth.jwt.jwks_file=${file}`);
  });
  after(async () => {
    await server.close();
    await issuer.close();
  });

  it('identify the user with the login in `sub`', async () => {
    expect(await whoami(await sign(claims()))).to.equal('alice');
    expect(await whoami(await sign(claims({ aud: ['other', 'dash'] })))).to.equal('alice');
  });

  it('identify the user with the e-mail address in the e-mail claim if it is verified', async () => {
    const byEmail = { sub: 'x-1', email: 'ALICE@example.com' };
    expect(await whoami(await sign(claims({ ...byEmail, email_verified: true })))).to.equal('alice');
    expect(await whoami(await sign(claims({ ...byEmail, email_verified: false })))).to.equal('401 jwt.invalid');
  });

  it('do not accept an e-mail address as login', async () => {
    expect(await whoami(await sign(claims({ sub: 'alice@example.com' })))).to.equal('401 jwt.invalid');
  });

  it('are refused for unknown and disabled users', async () => {
    expect(await whoami(await sign(claims({ sub: 'nobody' })))).to.equal('401 jwt.invalid');
    const token = await sign(claims());
    await server.patch('iam/users', 'alice', { disabled: true });
    expect(await whoami(token)).to.equal('401 jwt.invalid');
    await server.patch('iam/users', 'alice', { disabled: false });
    expect(await whoami(token)).to.equal('alice');
  });

  // Promise: security work
  it('are refused if the name is one of ours with white space at an end, which is somebody else at the issuer', async () => {
    for (const sub of ['alice ', ' alice', 'alice\u00a0', '\ufeffalice', 'alice\t', 'alice\n'])
      expect(await whoami(await sign(claims({ sub }))), JSON.stringify(sub)).to.equal('401 jwt.invalid');
  });

  it('are refused with another issuer or audience, before or after their time, or without an expiry', async () => {
    const now = Math.floor(server.services.now() / 1000);
    const { exp: _, ...endless } = claims();
    for (const payload of [
      claims({ iss: 'https://other.example' }),
      claims({ aud: 'other' }),
      claims({ aud: undefined }),
      claims({ exp: now - 31 }),
      claims({ nbf: now + 60 }),
      claims({ sub: { $gt: '' } }),
      endless,
    ]) {
      expect(await whoami(await sign(payload)), JSON.stringify(payload)).to.equal('401 jwt.invalid');
    }
  });

  it('are accepted within the tolerance for clocks that differ', async () => {
    const now = Math.floor(server.services.now() / 1000);
    expect(await whoami(await sign(claims({ exp: now - 10 })))).to.equal('alice');
    expect(await whoami(await sign(claims({ nbf: now + 10 })))).to.equal('alice');
  });

  // Promise: security browsers
  it('are refused with the signature of another key, without signature, or with a public key as secret', async () => {
    const other = await makeKey('one');
    expect(await whoami(await sign(claims(), other))).to.equal('401 jwt.invalid');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(await whoami(`${encode({ alg: 'none' })}.${encode(claims())}.AA`)).to.equal('401 jwt.invalid');
    const secret = Buffer.from(JSON.stringify(key.public));
    const forged = await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
    expect(await whoami(forged)).to.equal('401 jwt.invalid');
    expect(await whoami('a.b.c')).to.equal('401 jwt.invalid');
  });

  // Promise: security browsers
  it('are refused if their type is that of other tokens, which the issuer signs with the same keys', async () => {
    const typed = (typ: string) =>
      new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', kid: 'one', typ }).sign(key.private);
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt']) expect(await whoami(await typed(typ))).to.equal('alice');
    for (const typ of ['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'x']) {
      expect(await whoami(await typed(typ)), typ).to.equal('401 jwt.invalid');
    }
  });

  it('are refused if their key is too weak, and others of the same set are accepted', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${encode({ alg: 'RS256', kid: 'weak' })}.${encode(claims())}`;
    const token = `${text}.${cryptoSign('RSA-SHA256', Buffer.from(text), weak.privateKey).toString('base64url')}`;
    const set = join(dirname(file), 'weak.json');
    const jwk = { ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' };
    await writeFile(set, JSON.stringify({ keys: [jwk, key.public] }));
    const other = await open(`--auth.jwt.jwks_file=${set}`);
    expect([await whoami(token, other), await whoami(await sign(claims()), other)]).to.deep.equal([
      '401 jwt.invalid',
      'alice',
    ]);
    await other.close();
  });

  it('are verified with the current keys of the file', async () => {
    const next = await makeKey('two');
    const token = await sign(claims(), next);
    expect(await whoami(token)).to.equal('401 jwt.invalid');
    await writeFile(file, jwks(key, next));
    await utimes(file, new Date(), new Date(Date.now() + 60_000));
    expect(await whoami(token)).to.equal('alice');
    await writeFile(file, jwks(next));
    await utimes(file, new Date(), new Date(Date.now() + 120_000));
    expect(await whoami(await sign(claims()))).to.equal('401 jwt.invalid');
    await writeFile(file, jwks(key));
    await utimes(file, new Date(), new Date(Date.now() + 180_000));
  });

  it('prevent the server from starting if the file contains no keys', async () => {
    const wrong = join(dirname(file), 'wrong.json');
    await writeFile(wrong, '{"keys": 1}');
    const error = await open(`--auth.jwt.jwks_file=${wrong}`).catch((reason: unknown) => reason);
    expect(String(error)).to.contain(`auth.jwt.jwks_file: ${wrong} is not a JSON Web Key Set`);
  });

  it('prevent the server from starting if the file cannot be read', async () => {
    const missing = join(dirname(file), 'missing.json');
    const error = await open(`--auth.jwt.jwks_file=${missing}`).catch((reason: unknown) => reason);
    expect(String(error)).to.contain(`auth.jwt.jwks_file: cannot read ${missing}: ENOENT`);
  });

  it('are verified with the published keys of the issuer, which are fetched once for many tokens', async () => {
    let fetched = 0;
    const issuer = http.createServer((_, response) => {
      fetched++;
      response.setHeader('content-type', 'application/json').end(jwks(key));
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    const { port } = issuer.address() as AddressInfo;
    const remote = await open(`--auth.jwt.jwks_url=http://127.0.0.1:${port}/keys`);
    const tokens = await Promise.all(Array.from({ length: 8 }, () => sign(claims())));
    const names = await Promise.all(tokens.map((token) => whoami(token, remote)));
    expect(names).to.deep.equal(Array(8).fill('alice'));
    expect(await whoami(await sign(claims(), await makeKey('unknown')), remote)).to.equal('401 jwt.invalid');
    expect(fetched).to.equal(1);
    await remote.close();
    issuer.closeAllConnections();
    await new Promise((resolve) => issuer.close(resolve));
  });

  it('get 503, not 401, while the keys of the issuer cannot be fetched', async () => {
    // Nobody listens on port 1.
    const remote = await open('--auth.jwt.jwks_url=http://127.0.0.1:1/keys');
    const { status } = await remote.ask('/api/whoami', { headers: bearer(await sign(claims())) });
    expect(status).to.equal(503);
    await remote.close();
  });
});
