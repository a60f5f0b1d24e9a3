import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { openMemory } from '../../storage/memory/backend.js';
import { type AuthnServer, bearer, openAuthnServer } from '../authn/harness.js';
import { claimsAt, ISSUER, type Issuer, openIssuer, signed } from '../authn/issuer.js';

describe('A JSON Web Token with the e-mail address of an administrator', () => {
  let issuer: Issuer;
  let server: AuthnServer;

  before(async () => {
    issuer = await openIssuer();
    server = await openAuthnServer(openMemory(), { argv: [...issuer.argv, '--auth.jwt.email_claim=email'] });
  });
  after(async () => {
    await server.close();
    await issuer.close();
  });

  async function callerOf(more: object): Promise<unknown> {
    const claims = claimsAt(server.services.now(), { sub: 'x-1', email: 'admin@localhost', ...more });
    const token = await signed(claims, issuer.key);
    const { status, json } = await server.ask('/api/whoami', { headers: bearer(token) });
    return status === 200 ? json['name'] : status;
  }

  it('is refused unless the issuer says with the boolean true that the address is verified', async () => {
    for (const wrong of ['true', 'false', '', 0, 1, null, false, [true], { verified: true }]) {
      expect(await callerOf({ email_verified: wrong }), JSON.stringify(wrong)).to.equal(401);
    }
    expect(await callerOf({}), 'absent').to.equal(401);
  });

  it('is accepted if the address is verified', async () => {
    expect(await callerOf({ email_verified: true })).to.equal('admin');
  });
});

describe('Invalid JSON Web Tokens while the address of the keys is down', () => {
  let issuer: http.Server;
  let server: AuthnServer;
  let fetched = 0;

  before(async () => {
    issuer = http.createServer((_, response) => {
      fetched++;
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`;
    const argv = [`--auth.jwt.issuer=${ISSUER}`, '--auth.jwt.audience=dash', `--auth.jwt.jwks_url=${url}`];
    server = await openAuthnServer(openMemory(), { argv });
  });
  after(async () => {
    await server.close();
    issuer.closeAllConnections();
    await new Promise((resolve) => issuer.close(resolve));
  });

  it('cause one fetch and one line in the log, without a stack trace', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (let i = 0; i < 30; i++) {
      const forged = `${encode({ alg: 'ES256', kid: `key ${i}` })}.${encode({ iss: ISSUER })}.AAAA`;
      expect((await server.ask('/whoami', { headers: bearer(forged) })).status).to.equal(503);
    }
    expect(fetched).to.equal(1);
    expect(server.failures).to.deep.equal([]);
    expect(server.warnings).to.have.length(1);
    expect(server.warnings[0]).to.match(
      /^The keys of auth\.jwt\.jwks_url cannot be fetched: .*\. The next attempt is in 1s\.$/,
    );
  });
});
