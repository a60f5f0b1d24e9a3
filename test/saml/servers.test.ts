import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import type { Backend } from '../../storage/backend.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { memoryStore, openMemory } from '../../storage/memory/backend.js';
import { type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { STORES } from '../harness/stores.js';
import { Browser } from '../signon/browser.js';
import { callerOf } from '../signon/world.js';
import { pairNamed } from './certificates.js';
import { type IdentityProvider, openIdentityProvider } from './identity-provider.js';
import { formIn, samlArguments } from './world.js';

const ROOT_URL = 'http://dash.example';
const DOMAIN = 'svc.app';

/** Opens the same store each time. */
type Opener = () => Promise<Backend>;

async function memory(): Promise<Opener> {
  const log = memoryStore();
  return async () => openMemory(log, Date.now, true);
}

async function mongodb(test: Mocha.Context): Promise<Opener> {
  const { openMongodb } = await import('../../storage/mongodb/open.js');
  const [uri, database] = [await sharedMongodb(test), freshDatabase()];
  return () => openMongodb({ uri, database, domain: DOMAIN });
}

const urlOf = ({ port }: AuthnServer): string => `http://127.0.0.1:${port}`;

/** Begins on a server, and signs in at the provider. `post` ends the sign-in on a server, with the same cookies. */
async function answered(idp: IdentityProvider, server: AuthnServer) {
  const browser = new Browser();
  const page = await browser.visit(`${urlOf(server)}/login/saml`);
  const form = formIn(await browser.visit(page.location));
  const cookies = new Map(browser.cookies(urlOf(server)));
  return async (on: AuthnServer): Promise<string> => {
    const other = new Browser();
    for (const [name, value] of cookies) other.cookies(urlOf(on)).set(name, value);
    const { location } = await other.visit(`${urlOf(on)}/saml/acs`, { form: form?.fields ?? {} });
    const caller = await callerOf(other, urlOf(on));
    expect(caller === undefined, location).to.equal(location.includes('error='));
    expect(idp.person.nameId).to.equal('ada-1');
    return new URL(location).searchParams.get('error') ?? String(caller?.['uid']);
  };
}

async function opened(open: Opener, idp: IdentityProvider): Promise<AuthnServer> {
  return openAuthnServer(await open(), { argv: [...(await samlArguments(idp)), `--server.root_url=${ROOT_URL}`] });
}

async function providerFor(server: () => AuthnServer): Promise<void> {
  const { text } = await new Browser().visit(`${urlOf(server())}/saml/metadata`);
  idp.trust(text);
  idp.person = { nameId: 'ada-1', attributes: { login: ['ada'] } };
}

let idp: IdentityProvider;

for (const [store, openerOf] of Object.entries({ memory, mongodb })) {
  if (!STORES.includes(store)) continue;
  describe(`signing in by SAML on two servers (${store})`, () => {
    let a: AuthnServer;
    let b: AuthnServer;

    before(async function openBoth() {
      idp = await openIdentityProvider({ pair: await pairNamed('idp') });
      const open = await openerOf(this);
      [a, b] = [await opened(open, idp), await opened(open, idp)];
      await providerFor(() => a);
    });
    after(async () => {
      await a.close();
      await b.close();
      await idp.close();
    });

    it('may begin on one and end on the other, as the same user', async () => {
      const [one, other] = [await (await answered(idp, a))(b), await (await answered(idp, b))(a)];
      expect(one)
        .to.equal(other)
        .and.match(/^[0-9a-z]{26}$/i);
    });

    // Promise: security saml
    it('succeeds once with an assertion, if both get it at once or one after the other', async () => {
      const post = await answered(idp, a);
      const ends = await Promise.all([post(a), post(b), post(a), post(b)]);
      expect(ends.filter((end) => end === 'state')).to.have.length(3);
      expect([await post(b), await post(a)]).to.deep.equal(['state', 'state']);
    });
  });
}

describe('signing in by SAML after a restart (lmdb)', () => {
  // Promise: security saml
  it('goes on with a sign-in that has begun, and accepts no assertion again', async function restart() {
    if (!STORES.includes('lmdb')) this.skip();
    const path = await mkdtemp(join(tmpdir(), 'apiserver-test.'));
    const open: Opener = () => openLmdb({ path, domain: DOMAIN });
    idp = await openIdentityProvider({ pair: await pairNamed('idp') });
    const before = await opened(open, idp);
    await providerFor(() => before);
    const [used, begun] = [await answered(idp, before), await answered(idp, before)];
    expect(await used(before)).to.match(/^[0-9a-z]{26}$/i);
    await before.close();
    const after = await opened(open, idp);
    expect(await used(after)).to.equal('state');
    expect(await begun(after)).to.match(/^[0-9a-z]{26}$/i);
    await after.close();
    await idp.close();
    await rm(path, { recursive: true, force: true });
  });
});
