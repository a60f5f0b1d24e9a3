import { expect } from 'chai';
import type { AuthenticationContext, Credentials } from '../../pkg/authn/authenticator.js';
import type { UserInfo } from '../../pkg/authn/user.js';
import { unauthorized } from '../../pkg/status/errors.js';
import { freshIdentities } from './fresh.js';

const ROBOT: UserInfo = { name: 'robot', uid: 'robot', groups: [], extra: {} };
const credentials = (authorization: string): Credentials => ({
  authorization,
  cookie: undefined,
  certificate: undefined,
  remoteAddress: '',
});
const TOKEN = credentials('Bearer one');
const PASSWORD = credentials(`Basic ${Buffer.from('alice:right').toString('base64')}`);

/** Counts who waits for other servers' news, which make the caller known. */
function started(options: { readonly isKnown?: boolean } = {}) {
  const counts = { waits: 0 };
  let isKnown = options.isKnown ?? true;
  const fresh = async (): Promise<void> => {
    counts.waits++;
    isKnown = true;
  };
  const authenticate = freshIdentities(
    () => {
      if (!isKnown) throw unauthorized();
      return ROBOT;
    },
    { fresh, isShared: true },
  );
  const ask = async (given: Credentials, request: Partial<AuthenticationContext> = {}): Promise<UserInfo> =>
    authenticate(given, { signal: new AbortController().signal, ...request });
  return { ask, counts };
}

describe('freshIdentities', () => {
  it('waits for what other servers have done in each consistent read', async () => {
    const { ask, counts } = started();
    for (let i = 0; i < 3; i++) expect(await ask(TOKEN)).to.equal(ROBOT);
    expect(counts.waits).to.equal(3);
  });

  it('does not wait in reads of any version by tokens, but for the first', async () => {
    const { ask, counts } = started();
    for (let i = 0; i < 20; i++) expect(await ask(TOKEN, { takesAnyVersion: true })).to.equal(ROBOT);
    expect(counts.waits).to.equal(1);
  });

  it('always waits before a password is checked', async () => {
    const { ask, counts } = started();
    await ask(PASSWORD);
    for (const request of [{ takesAnyVersion: true }, { isCheckedInCommit: true }]) await ask(PASSWORD, request);
    expect(counts.waits).to.equal(3);
  });

  it('does not wait in writes that ask again in their commit, unless they would be refused', async () => {
    const known = started();
    await known.ask(TOKEN, { isCheckedInCommit: true });
    expect(known.counts.waits).to.equal(0);
    const unknown = started({ isKnown: false });
    expect(await unknown.ask(TOKEN, { isCheckedInCommit: true })).to.equal(ROBOT);
    expect(unknown.counts.waits).to.equal(1);
  });
});
