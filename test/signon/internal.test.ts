import type { LookupAddress, lookup } from 'node:dns';
import { expect } from 'chai';
import { checkConnection } from '../../pkg/identity/signon/connection.js';
import { OAuthSettings } from '../../pkg/identity/signon/settings.js';
import type { SignOnKey } from '../../pkg/identity/signon/values.js';
import { addressGuard } from '../../pkg/system/net/address-guard.js';
import { AS_ADMIN } from '../authn/harness.js';
import { ACCESS, type FakeWorld, failedWith, oneFakeWorld } from './fake-provider.js';
import { LEGACY } from './settings.js';

type Values = Readonly<Record<string, unknown>>;

const SETTING = 'auth.provider_networks';
const CLIENT = { enabled: true, clientId: 'client', clientSecret: 'hidden', scopes: 'user', authStyle: 'InParams' };
const TEAMS = { teamIds: '1', teamIdsAttributePath: 'ids' };
const REFUSED = `It is an internal address. The operator of this server can allow it in the setting ${SETTING}.`;

const at = (url: string): Values => ({
  authUrl: `${url}/auth`,
  tokenUrl: `${url}/token`,
  apiUrl: `${url}/me`,
  teamsUrl: `${url}/teams`,
});
const store = async ({ server }: FakeWorld, name: string, settings: Values): Promise<void> => {
  const headers = { ...AS_ADMIN, 'content-type': 'application/json' };
  const answer = await server.ask(`${LEGACY}/${name}`, { method: 'PUT', headers, body: { settings } });
  expect(answer.status, answer.text).to.equal(204);
};
const tested = async ({ server }: FakeWorld, name: string): Promise<readonly Values[]> => {
  const { json } = await server.ask(`${LEGACY}/${name}/test`, { method: 'POST', headers: AS_ADMIN });
  return json['checks'] as readonly Values[];
};

oneFakeWorld('a provider with an internal address that is stored', { generic_oauth: { scopes: 'user' } }, (world) => {
  beforeEach(() => {
    world().asked.length = 0;
    world()
      .answers.set('/token', ACCESS)
      .set('/me', { id: 1, login: 'ada', ids: ['1'] })
      .set('/teams', { ids: ['1'] });
  });

  // Promise: security browsers
  it('is not asked by the test of the connection, whatever form the address has', async () => {
    const { port } = new URL(world().providerUrl);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1', '0x7f.0.0.1', '[::ffff:127.0.0.1]']) {
      await store(world(), 'generic_oauth', { ...CLIENT, ...TEAMS, ...at(`https://${host}:${port}`) });
      const checks = await tested(world(), 'generic_oauth');
      expect(checks.map(({ name, ok }) => [name, ok])).to.deep.equal(
        ['authUrl', 'tokenUrl', 'apiUrl', 'teamsUrl'].map((name) => [name, false]),
      );
      for (const { message } of checks) expect(message, host).to.include(REFUSED);
    }
    expect(world().asked).to.have.length(0);
  });

  // Promise: security browsers
  it('is not asked by a sign-in, and the log names the setting', async () => {
    await store(world(), 'okta', { ...CLIENT, ...at(world().providerUrl) });
    expect(failedWith((await world().signIn('okta')).page)).to.equal('settings');
    expect(world().asked).to.have.length(0);
    expect(world().server.warnings.at(-1)).to.equal(
      `A sign-in by okta failed: the address 127.0.0.1 is internal, and not in the setting ${SETTING}`,
    );
  });

  it('is not asked beside addresses of the settings of the server, which may be internal', async () => {
    const { tokenUrl, apiUrl, teamsUrl } = at(world().providerUrl);
    const paths = async (settings: Values) => {
      world().asked.length = 0;
      await store(world(), 'generic_oauth', settings);
      const { page } = await world().signIn('generic_oauth');
      return [failedWith(page), world().asked.map(({ path }) => path)];
    };
    // Stored addresses that are equal to those of the settings may be internal.
    expect(await paths({ name: 'Corp', tokenUrl, apiUrl })).to.deep.equal([null, ['/token', '/me']]);
    expect(await paths({ apiUrl: `${world().providerUrl}/me?` })).to.deep.equal(['settings', ['/token']]);
    expect(await paths({ ...TEAMS, teamsUrl })).to.deep.equal(['settings', ['/token', '/me']]);
  });
});

oneFakeWorld(
  `an internal address of a provider in ${SETTING}`,
  {},
  (world) => {
    it('is asked', async () => {
      world().answers.set('/token', ACCESS).set('/me', { id: 1, login: 'ada' });
      await store(world(), 'okta', { ...CLIENT, ...at(world().providerUrl) });
      expect((await tested(world(), 'okta')).map(({ ok }) => ok)).to.deep.equal([true, true, true]);
      expect((await world().signIn('okta')).page.location).to.equal(`${world().url}/`);
    });

    // Promise: security browsers
    it('does not lead to other ones by a redirect', async () => {
      const [elsewhere] = [world().providerUrl.replace('127.0.0.1', '127.0.0.2')];
      world().answers.set('/token', (response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(307, { location: `${elsewhere}/token` }).end(),
      );
      await store(world(), 'okta', { ...CLIENT, ...at(world().providerUrl) });
      world().asked.length = 0;
      expect(failedWith((await world().signIn('okta')).page)).to.equal('provider');
      expect(world().asked.map(({ path }) => path)).to.deep.equal(['/token']);
    });
  },
  { argv: ['--auth.provider_networks=127.0.0.1'] },
);

describe('the name of a provider', () => {
  // Promise: security browsers
  it('is looked up once for each request, and only what was checked is asked, also if DNS answers otherwise later', async () => {
    const names: string[] = [];
    const answers = [['127.0.0.2', '10.0.0.1'], ['10.0.0.1'], ['127.0.0.1']];
    const find = ((name: string, _: object, done: (error: null, found: readonly LookupAddress[]) => void) => {
      names.push(name);
      done(
        null,
        (answers[names.length - 1] ?? []).map((address) => ({ address, family: 4 })),
      );
    }) as unknown as typeof lookup;
    const reach = { guard: addressGuard(['127.0.0.2'], SETTING, { find }), ofOperator: new Set<SignOnKey>() };
    const settings = OAuthSettings.parse({ clientId: 'client', ...at('https://changes.example:1') });
    const provider = { type: 'generic_oauth', settings, reach } as const;
    const checks = await checkConnection(provider, new AbortController().signal);
    expect(names).to.deep.equal(Array(3).fill('changes.example'));
    // Nothing listens at port 1 of the address that is allowed.
    const messages = checks.map(({ message }) => message.replace(/ Only browsers.*/, ''));
    expect(messages).to.deep.equal([
      'The host refuses the connection: nothing listens at this port.',
      REFUSED,
      REFUSED,
    ]);
  });
});
