import { expect } from 'chai';
import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import type { TokenSpec } from '../../apis/internal/token/schema.js';
import { AS_ADMIN, type AuthnServer, bearer, oneStore } from '../authn/harness.js';

const REQUEST = '/api/v1/namespaces/default/serviceaccounts/robot/token';
const DAY = 86_400;
const YEAR = 365 * DAY;
const MINUTE = 60_000;

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly expiration: string | null;
  readonly secondsUntilExpiration: number;
  readonly lastUsedAt: string | null;
}

/** Requests for the tokens of the account `robot`. */
function tokensOf(server: () => AuthnServer) {
  let id = 0;
  const path = () => `/api/serviceaccounts/${id}/tokens`;
  const create = async (body: object) => server().ask(path(), { method: 'POST', headers: AS_ADMIN, body });
  const request = async (spec: object) => {
    const { status, json } = await server().ask(REQUEST, { method: 'POST', headers: AS_ADMIN, body: { spec } });
    expect(status).to.equal(201);
    const { expirationTimestamp, token } = json['status'] as { expirationTimestamp: string; token: string };
    const seconds = (Date.parse(expirationTimestamp) - server().services.now()) / 1000;
    return { asked: (json['spec'] as { expirationSeconds: number }).expirationSeconds, seconds, token };
  };
  const list = async () => {
    const { json } = await server().ask(path(), { headers: AS_ADMIN });
    return json as unknown as readonly Listed[];
  };
  before(async () => {
    const spec = { title: 'robot', role: 'Admin', disabled: false };
    const account = await server().create('iam/serviceaccounts', 'robot', spec, 'default');
    id = Number(account.metadata.labels?.['svc.app/deprecatedInternalID']);
  });
  return {
    create,
    request,
    list,
    named: async (name: string) => (await list()).find((token) => token.name === name),
  };
}

oneStore('Tokens of service accounts', (server) => {
  const { create, request, named } = tokensOf(server);

  // Promise: contract 7
  it('are issued by TokenRequest for a year at most, not for 136', async () => {
    const longest = await request({ expirationSeconds: 2 ** 32 });
    expect(longest.asked).to.equal(YEAR);
    expect(longest.seconds).to.be.within(YEAR - 60, YEAR);
    expect((await request({ expirationSeconds: 2 * DAY })).asked).to.equal(2 * DAY);
  });

  it('need not expire without a maximum lifetime, because existing callers create such tokens', async () => {
    expect((await create({ name: 'endless' })).status).to.equal(200);
    expect(await named('endless')).to.include({ expiration: null });
  });

  describe('show when they were last used', () => {
    const use = async (key: string) => {
      const { status } = await server().ask('/whoami', { headers: bearer(key) });
      await server().identity.settled();
      return status;
    };
    const end = () => server().api.registry.cacher.state.revision;

    it('to some minutes, and without a write for each request', async () => {
      const key = String((await create({ name: 'used' })).json['key']);
      expect(await named('used')).to.include({ lastUsedAt: null });
      const before = Math.floor(server().services.now() / 1000) * 1000;
      expect(await use(key)).to.equal(200);
      const first = (await named('used'))?.lastUsedAt;
      expect(Date.parse(first ?? '')).to.be.within(before, server().services.now());

      const at = end();
      for (let i = 0; i < 20; i++) await use(key);
      server().advance(4 * MINUTE);
      await use(key);
      expect(end(), 'nothing was written').to.equal(at);

      server().advance(2 * MINUTE);
      await use(key);
      expect(Date.parse((await named('used'))?.lastUsedAt ?? '')).to.be.greaterThan(Date.parse(first ?? ''));
    });

    it('but not for a token that was refused', async () => {
      const key = String((await create({ name: 'expired', secondsToLive: 60 })).json['key']);
      server().advance(2 * MINUTE);
      expect(await use(key)).to.equal(401);
      expect(await named('expired')).to.include({ lastUsedAt: null });
    });

    it('and work while that is written', async () => {
      const key = String((await create({ name: 'busy' })).json['key']);
      const answers = await Promise.all(Array.from({ length: 20 }, () => use(key)));
      expect(new Set(answers)).to.deep.equal(new Set([200]));
    });
  });
});

oneStore(
  'Tokens with the setting security.max_token_lifetime',
  (server) => {
    const { create, request, list, named } = tokensOf(server);

    it('get the maximum lifetime unless they ask for less', async () => {
      for (const more of [{}, { secondsToLive: 0 }, { secondsToLive: null }]) {
        const name = `default ${JSON.stringify(more)}`;
        expect((await create({ name, ...more })).status).to.equal(200);
        expect((await named(name))?.secondsUntilExpiration).to.be.within(30 * DAY - 60, 30 * DAY);
      }
      expect((await create({ name: 'short', secondsToLive: DAY })).status).to.equal(200);
      expect((await named('short'))?.secondsUntilExpiration).to.be.within(DAY - 60, DAY);
      expect((await create({ name: 'exact', secondsToLive: 30 * DAY })).status).to.equal(200);
    });

    it('are refused with a longer one, and nothing is stored', async () => {
      const before = (await list()).length;
      for (const secondsToLive of [30 * DAY + 60, 100 * YEAR]) {
        const { status, json } = await create({ name: 'long', secondsToLive });
        const message = 'Number of seconds before expiration is greater than the limit';
        expect([status, json['message']]).to.deep.equal([400, message]);
      }
      expect(await list()).to.have.length(before);
    });

    // Promise: contract 7
    it('are shortened by TokenRequest, as by kube-apiserver', async () => {
      const { asked, seconds } = await request({ expirationSeconds: YEAR });
      expect(asked).to.equal(30 * DAY);
      expect(seconds).to.be.within(30 * DAY - 60, 30 * DAY);
      expect((await request({})).asked).to.equal(3600);
    });

    it('end for their holders when the time is over', async () => {
      const key = String((await create({ name: 'ends' })).json['key']);
      expect((await server().ask('/whoami', { headers: bearer(key) })).status).to.equal(200);
      server().advance(31 * DAY * 1000);
      expect((await server().ask('/whoami', { headers: bearer(key) })).status).to.equal(401);
    });

    it('keep the expiry that they have', async () => {
      const by = { user: SYSTEM_USER };
      const options = { namespace: 'default', account: 'robot', title: 'kept' };
      const { token } = await server().tokens.issue(options, by);
      await server().tokens.revoke('default', token.metadata.name, by);
      const now = server().services.reader.get<TokenSpec>('tokens.internal.svc.app', 'default', token.metadata.name);
      expect(now?.spec).to.include({ expires: token.spec?.expires, revoked: true });
    });
  },
  { argv: ['--security.max_token_lifetime=30d'] },
);
