import { expect } from 'chai';
import { memoryStore, openMemory } from '../../storage/memory/backend.js';
import { type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { Browser } from './browser.js';
import { ACCESS, fakeProvider } from './fake-provider.js';
import { callerOf, settingsFor } from './world.js';

describe('signing in by a provider on two servers of one store', () => {
  let provider: Awaited<ReturnType<typeof fakeProvider>>;
  let a: AuthnServer;
  let b: AuthnServer;

  before(async () => {
    provider = await fakeProvider();
    const settings = { ...settingsFor(provider.url), scopes: 'user' };
    const argv = Object.entries(settings).map(([key, value]) => `--auth.generic_oauth.${key}=${value}`);
    const log = memoryStore();
    a = await openAuthnServer(openMemory(log, Date.now, true), { argv });
    b = await openAuthnServer(openMemory(log, Date.now, true), { argv });
    provider.answers.set('/token', ACCESS).set('/me', { id: 1, login: 'ada' });
  });
  after(async () => {
    await a.close();
    await b.close();
    await provider.close();
  });

  const urlOf = ({ port }: AuthnServer): string => `http://127.0.0.1:${port}`;
  /** A browser that has begun on one server, and has the same cookies on the other. */
  const begun = async (on: AuthnServer) => {
    const browser = new Browser();
    const page = await browser.visit(`${urlOf(on)}/login/generic_oauth`);
    const state = new URL(page.location).searchParams.get('state') ?? '';
    const cookies = new Map(browser.cookies(urlOf(on)));
    const back = async (server: AuthnServer) => {
      const other = new Browser();
      for (const [name, value] of cookies) other.cookies(urlOf(server)).set(name, value);
      const { location } = await other.visit(`${urlOf(server)}/login/generic_oauth?code=c&state=${state}`);
      return { path: location.slice(urlOf(server).length), caller: await callerOf(other, urlOf(server)) };
    };
    return back;
  };

  it('may begin on one and end on the other, as the same user', async () => {
    const [one, other] = [await (await begun(a))(b), await (await begun(b))(a)];
    expect([one.path, other.path]).to.deep.equal(['/', '/']);
    expect(one.caller?.['uid']).to.equal(other.caller?.['uid']);
  });

  it('succeeds once, if both get the same answer at once', async () => {
    for (let round = 0; round < 5; round++) {
      const back = await begun(round % 2 === 0 ? a : b);
      const ends = await Promise.all([back(a), back(b), back(a), back(b)]);
      expect(ends.map(({ path }) => path).sort()).to.deep.equal(['/', ...Array(3).fill('/login?error=state')]);
      expect(ends.filter(({ caller }) => caller !== undefined)).to.have.length(1);
    }
  });
});
