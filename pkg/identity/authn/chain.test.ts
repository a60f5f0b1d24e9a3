import { expect } from 'chai';
import { ApiError } from '../../kube/status/status.js';
import type { Authenticator, Credentials } from './authenticator.js';
import { certificateAuthenticator } from './certificate.js';
import { authenticatorChain } from './chain.js';
import { staticTokenAuthenticator } from './static-token.js';
import type { UserInfo } from './user.js';

const request = new AbortController();
const NONE: Credentials = {
  authorization: undefined,
  cookie: undefined,
  certificate: undefined,
  remoteAddress: '127.0.0.1',
};
const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });

async function codeOf(work: () => Promise<UserInfo> | UserInfo): Promise<number | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.code : Number.NaN;
  }
}

describe('authenticatorChain', () => {
  const silent: Authenticator = { authenticate: () => undefined };
  const late: Authenticator = { authenticate: async () => undefined };

  it('takes the first authenticator that knows the caller, and waits for asynchronous ones', async () => {
    const known = (name: string): Authenticator => ({ authenticate: async () => user(name) });
    const chain = authenticatorChain({ authenticators: [silent, late, known('a'), known('b')], anonymous: false });
    expect((await chain(NONE, request)).name).to.equal('a');
  });

  it('answers synchronously if no authenticator is asynchronous', () => {
    const chain = authenticatorChain({ authenticators: [silent, { authenticate: () => user('a') }], anonymous: false });
    expect(chain(NONE, request)).to.not.be.instanceOf(Promise);
  });

  // Promise: contract 7
  it('adds the group system:authenticated', async () => {
    const chain = authenticatorChain({ authenticators: [{ authenticate: () => user('a', 'g') }], anonymous: false });
    expect((await chain(NONE, request)).groups).to.deep.equal(['g', 'system:authenticated']);
  });

  // Promise: contract 7
  it('accepts callers without credentials as anonymous, if allowed', async () => {
    const open = authenticatorChain({ authenticators: [silent, late], anonymous: true });
    expect(await open(NONE, request)).to.deep.include({ name: 'system:anonymous', groups: ['system:unauthenticated'] });
    const shut = authenticatorChain({ authenticators: [silent], anonymous: false });
    expect(await codeOf(() => shut(NONE, request))).to.equal(401);
  });

  it('refuses an unknown credential even if anonymous callers are allowed', async () => {
    const open = authenticatorChain({ authenticators: [silent], anonymous: true });
    expect(await codeOf(() => open({ ...NONE, authorization: 'Bearer x' }, request))).to.equal(401);
  });
});

describe('certificateAuthenticator', () => {
  // Promise: contract 7
  it('takes the user from CN and the groups from O', () => {
    const certificate = { commonName: 'admin', organizations: ['system:masters'] };
    const answer = certificateAuthenticator().authenticate({ ...NONE, certificate }, request);
    expect(answer).to.deep.include(user('admin', 'system:masters'));
  });

  it('ignores a request without a certificate or without a common name', () => {
    const nameless = { commonName: '', organizations: ['system:masters'] };
    expect(certificateAuthenticator().authenticate(NONE, request)).to.equal(undefined);
    expect(certificateAuthenticator().authenticate({ ...NONE, certificate: nameless }, request)).to.equal(undefined);
  });
});

describe('certificateAuthenticator with revoked certificates', () => {
  const certificate = { commonName: 'admin', organizations: ['system:masters'] };

  it('refuses them at once, and leaves requests with another credential to others', () => {
    let isRevoked = false;
    const { authenticate } = certificateAuthenticator(() => !isRevoked);
    const caller = authenticate({ ...NONE, certificate }, request) as UserInfo;
    expect(caller.stillValid?.()).to.equal(true);
    isRevoked = true;
    expect(caller.stillValid?.()).to.equal(false);
    expect(() => authenticate({ ...NONE, certificate }, request)).to.throw('Unauthorized');
    expect(authenticate({ ...NONE, certificate, authorization: 'Bearer x' }, request)).to.equal(undefined);
  });
});

describe('staticTokenAuthenticator', () => {
  const token = staticTokenAuthenticator(() => 's3cret', user('admin'));
  const ask = (authorization: string | undefined) => token.authenticate({ ...NONE, authorization }, request);

  it('accepts its token with any spelling of the scheme', () => {
    expect(ask('Bearer s3cret')).to.deep.include(user('admin'));
    expect(ask('bearer  s3cret ')).to.deep.include(user('admin'));
  });

  it('leaves other credentials to other authenticators', () => {
    for (const other of [undefined, 'Bearer s3cre', 'Bearer s3cret2', 'Bearer', 'Basic s3cret', 's3cret']) {
      expect(ask(other), other).to.equal(undefined);
    }
  });
});
