import { expect } from 'chai';
import { ACCESS, failedWith, oneFakeWorld } from './fake-provider.js';
import { callerOf } from './world.js';

const VICTIM = 'victim@corp.example';
const OWN = { email: 'me@corp.example', email_verified: true };

/** Claims about somebody who wants the account with the address of the victim. */
const CLAIMS: Readonly<Record<string, readonly [provider: string, claims: object]>> = {
  'an address that is not said to be verified': ['okta', { email: VICTIM }],
  'an address that is said not to be verified': ['okta', { email: VICTIM, email_verified: false }],
  'the text true': ['okta', { email: VICTIM, email_verified: 'true' }],
  'the number 1': ['okta', { email: VICTIM, email_verified: 1 }],
  'another claim than the verified one': ['generic_oauth', { ...OWN, upn: VICTIM }],
  'the login of Microsoft': ['azuread', { ...OWN, preferred_username: VICTIM }],
  'a list': ['okta', { email: [VICTIM], email_verified: true }],
  'spaces and capitals, not verified': ['okta', { email: ' VICTIM@corp.example ', email_verified: false }],
  'the address as login': ['okta', { login: VICTIM, ...OWN, email: 'other@corp.example' }],
};

oneFakeWorld(
  'the account of another person with the same address',
  {
    generic_oauth: { scopes: 'user', email_attribute_path: 'upn' },
    okta: { scopes: 'user' },
    azuread: { scopes: 'user' },
  },
  (world) => {
    before(() => world().server.user('victim', { email: VICTIM, grafanaAdmin: true }));
    beforeEach(() => world().server.advance(600_000));

    const uidAs = async (provider: string, claims: object): Promise<unknown> => {
      const { browser, page } = await world().signIn(provider, () => ({ '/token': ACCESS, '/me': claims }));
      const caller = await callerOf(browser, world().url);
      return caller?.['uid'] ?? failedWith(page);
    };

    for (const [number, [what, [provider, claims]]] of Object.entries(CLAIMS).entries()) {
      // Promise: security browsers
      it(`is not found by ${what}`, async () => {
        const uid = await uidAs(provider, { id: `stranger-${number}`, login: `stranger${number}`, ...claims });
        expect(uid).to.be.a('string').and.not.equal('victim');
      });
    }

    it('is found by an address that is verified, because the setting says so', async () => {
      const claims = { id: 'victim', login: 'v', email: VICTIM, email_verified: true };
      expect(await uidAs('okta', claims)).to.equal('victim');
    });
  },
  { argv: ['--auth.oauth_allow_insecure_email_lookup=true'] },
);
