import { expect } from 'chai';
import type { AuthenticationContext, Credentials } from '../../pkg/identity/authn/authenticator.js';
import { ANONYMOUS, type UserInfo } from '../../pkg/identity/authn/user.js';
import { unauthorized } from '../../pkg/kube/status/errors.js';
import { freshIdentities, hearing } from './fresh.js';

const ROBOT: UserInfo = { name: 'robot', uid: 'robot', groups: [], extra: {} };
const credentials = (given: Partial<Credentials>): Credentials => ({
  authorization: undefined,
  cookie: undefined,
  certificate: undefined,
  remoteAddress: '',
  ...given,
});
const ALL: Readonly<Record<string, Credentials>> = {
  'a token': credentials({ authorization: 'Bearer one' }),
  'a password': credentials({ authorization: `Basic ${Buffer.from('alice:right').toString('base64')}` }),
  'a session': credentials({ cookie: 'grafana_session=secret' }),
  'a certificate': credentials({ certificate: { commonName: 'alice', organizations: [] } }),
};

interface Options {
  readonly isKnown?: boolean;
  /** What happens to callers who are not known. */
  readonly refuse?: () => UserInfo;
}

const refused = (): never => {
  throw unauthorized();
};

/** Counts the waits for the changes of other servers. After the first wait, the caller is known. */
function started({ isKnown = true, refuse = refused }: Options = {}) {
  const counts = { waits: 0 };
  const clock = { now: 0 };
  let isHeardOf = isKnown;
  const fresh = async (): Promise<void> => {
    counts.waits++;
    isHeardOf = true;
  };
  const authenticate = freshIdentities(
    () => (isHeardOf ? ROBOT : refuse()),
    hearing({ fresh, isShared: true }, () => clock.now),
  );
  const ask = async (given: Credentials, request: Partial<AuthenticationContext> = {}): Promise<UserInfo> =>
    authenticate(given, { signal: new AbortController().signal, ...request });
  return { ask, counts, clock };
}

describe('freshIdentities', () => {
  for (const [name, given] of Object.entries(ALL)) {
    it(`waits for what other servers have done in each consistent read with ${name}`, async () => {
      const { ask, counts } = started();
      for (let i = 0; i < 3; i++) expect(await ask(given)).to.equal(ROBOT);
      expect(counts.waits).to.equal(3);
    });

    it(`does not wait in reads of any version with ${name}, but for the first`, async () => {
      const { ask, counts } = started();
      for (let i = 0; i < 20; i++) expect(await ask(given, { takesAnyVersion: true })).to.equal(ROBOT);
      expect(counts.waits).to.equal(1);
    });

    it(`does not wait in requests about this server with ${name}, unless they would be refused`, async () => {
      const known = started();
      await known.ask(given, { isAboutServer: true });
      expect(known.counts.waits).to.equal(0);
      const unknown = started({ isKnown: false });
      expect(await unknown.ask(given, { isAboutServer: true })).to.equal(ROBOT);
      expect(unknown.counts.waits).to.equal(1);
    });

    it(`does not wait in writes with ${name} that ask again in their commit, unless they would be refused`, async () => {
      const known = started();
      await known.ask(given, { isCheckedInCommit: true });
      expect(known.counts.waits).to.equal(0);
      const unknown = started({ isKnown: false });
      expect(await unknown.ask(given, { isCheckedInCommit: true })).to.equal(ROBOT);
      expect(unknown.counts.waits).to.equal(1);
    });
  }

  it('waits again in reads of any version when a second has passed since the last wait', async () => {
    const { ask, counts, clock } = started();
    const given = credentials({ authorization: 'Bearer one' });
    for (const [now, waits] of [
      [0, 1],
      [999, 1],
      [1000, 2],
      [1999, 2],
      [2000, 3],
    ] as const) {
      clock.now = now;
      await ask(given, { takesAnyVersion: true });
      expect(counts.waits, `at ${now} ms`).to.equal(waits);
    }
  });

  it('waits before a session that it has not heard of counts as no credential', async () => {
    const { ask, counts } = started({ isKnown: false, refuse: () => ANONYMOUS });
    expect(await ask(credentials({ cookie: 'grafana_session=new' }), { isCheckedInCommit: true })).to.equal(ROBOT);
    expect(counts.waits).to.equal(1);
  });

  it('does not ask twice for a request that is refused although it has caught up', async () => {
    let asked = 0;
    const others = hearing({ fresh: async () => undefined, isShared: true });
    const authenticate = freshIdentities(async (_, request) => {
      asked++;
      await others.catchUp(request);
      return refused();
    }, others);
    const request = { signal: new AbortController().signal, isCheckedInCommit: true };
    const answer = await Promise.resolve(authenticate(credentials({ authorization: 'Basic wrong' }), request)).catch(
      (error: unknown) => String(error),
    );
    expect([answer, asked]).to.deep.equal([String(unauthorized()), 1]);
  });
});
