import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { AS_ADMIN } from '../authn/harness.js';
import { Browser } from '../signon/browser.js';
import { callerOf } from '../signon/world.js';
import { type Pair, pairNamed } from './certificates.js';
import { assertionXml, encoded, responseXml, type Said, signed } from './forge.js';
import { oneSamlWorld, type SamlWorld } from './world.js';

const MINUTE = 60_000;

const BEHIND_PROXY = { argv: ['--server.trusted_proxies=127.0.0.1'] };
let attempts = 0;

/** A browser that has begun, and the ID of its request. */
async function begun({ url }: SamlWorld) {
  const browser = new Browser();
  const { searchParams } = new URL((await browser.visit(`${url}/login/saml`)).location);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return { browser, id: /\bID="(_[0-9a-f]+)"/.exec(xml)?.[1] ?? '' };
}

const saying = ({ url, idp }: SamlWorld, more: Partial<Said>): Said => ({
  acs: `${url}/saml/acs`,
  audience: `${url}/saml/metadata`,
  issuer: idp.entityId,
  ...more,
});

/** The code of the failure; empty after a sign-in. */
async function outcome({ url }: SamlWorld, browser: Browser, xml: string, relayState = ''): Promise<string> {
  const form = { SAMLResponse: encoded(xml), RelayState: relayState, again: '1' };
  // Each attempt comes from another address, because later ones of the same address have to wait.
  const headers = { 'x-forwarded-for': `192.0.2.${++attempts % 250}` };
  const { location, status } = await browser.visit(`${url}/saml/acs`, { form, headers });
  const error = new URL(location || `${url}/?error=${status}`).searchParams.get('error');
  const caller = await callerOf(browser, url);
  expect(caller === undefined, 'has no session if and only if it failed').to.equal(error !== null);
  return error ?? '';
}

oneSamlWorld(
  'attacks on sign-ins by SAML',
  (world) => {
    let pair: Pair;
    let other: Pair;
    before(async () => {
      pair = await pairNamed('idp');
      other = await pairNamed('another');
    });

    /** What becomes of a response that `make` makes for a browser that has begun. */
    const attempt = async (make: (said: (more?: Partial<Said>) => Said) => string): Promise<string> => {
      const { browser, id } = await begun(world());
      return outcome(
        world(),
        browser,
        make((more = {}) => saying(world(), { inResponseTo: id, ...more })),
      );
    };
    const signedAssertion = (said: Said): string => signed(responseXml(said, assertionXml(said)), 'Assertion', pair);

    it('do not hinder a right one, whose response or assertion is signed', async () => {
      expect(await attempt((said) => signedAssertion(said()))).to.equal('');
      expect(await attempt((said) => signed(responseXml(said(), assertionXml(said())), 'Response', pair))).to.equal('');
    });

    // Promise: security saml
    it('fail without a signature, with one of another key, and with a changed text', async () => {
      expect(await attempt((said) => responseXml(said(), assertionXml(said())))).to.equal('provider');
      const ofOther = (said: Said): string => signed(responseXml(said, assertionXml(said)), 'Assertion', other);
      expect(await attempt((said) => ofOther(said()))).to.equal('provider');
      expect(await attempt((said) => signedAssertion(said()).replaceAll('mallory', 'admin'))).to.equal('provider');
    });

    // Promise: security saml
    it('fail with SHA-1 as the signature or the digest', async () => {
      const weak = (said: Said): string => signed(responseXml(said, assertionXml(said)), 'Assertion', pair, 'sha1');
      expect(await attempt((said) => weak(said()))).to.equal('provider');
    });

    // Promise: security saml
    it('fail with another audience, recipient, destination, issuer, method or status', async () => {
      const elsewhere = 'https://elsewhere.example';
      const outcomes: string[] = [];
      for (const more of [
        { audience: elsewhere },
        { recipient: elsewhere },
        { destination: elsewhere },
        { issuer: elsewhere },
        { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' },
        { status: 'Requester' },
      ])
        outcomes.push(`${Object.keys(more)}: ${await attempt((said) => signedAssertion(said(more)))}`);
      expect(outcomes).to.deep.equal([
        'audience: provider',
        'recipient: provider',
        'destination: provider',
        'issuer: provider',
        'method: provider',
        'status: denied',
      ]);
    });

    // Promise: security saml
    it('fail too early, too late, and if the assertion is old, beyond what clocks differ', async () => {
      const now = Date.now();
      const outcomes: string[] = [];
      for (const more of [
        { notBefore: now + 2 * MINUTE },
        { notOnOrAfter: now - 2 * MINUTE },
        { confirmedUntil: now - 2 * MINUTE },
        { issued: now + 2 * MINUTE },
        { issued: now - 4 * MINUTE },
      ])
        outcomes.push(`${Object.keys(more)}: ${await attempt((said) => signedAssertion(said(more)))}`);
      expect(outcomes).to.deep.equal([
        'notBefore: provider',
        'notOnOrAfter: provider',
        'confirmedUntil: provider',
        'issued: provider',
        'issued: provider',
      ]);
      for (const more of [
        { notBefore: now + MINUTE / 2 },
        { confirmedUntil: now - MINUTE / 2 },
        { issued: now + MINUTE / 2 },
      ])
        expect(await attempt((said) => signedAssertion(said(more))), JSON.stringify(more)).to.equal('');
    });

    // Promise: security saml
    it('fail if the response answers no request, or that of another browser', async () => {
      const why = () => world().server.failedSignIns.at(-1)?.why;
      expect(await attempt((said) => signedAssertion(said({ inResponseTo: undefined })))).to.equal('state');
      expect(why()).to.equal('the response answers no request, and allow_idp_initiated is off');
      const { id } = await begun(world());
      expect(await attempt((said) => signedAssertion(said({ inResponseTo: id })))).to.equal('state');
      expect(why()).to.equal('the response answers the request of another browser, or an earlier one');
      const said = saying(world(), { inResponseTo: id });
      expect(await outcome(world(), new Browser(), signedAssertion(said))).to.equal('state');
      expect(why()).to.equal('the browser has not begun to sign in');
      // The response may be of anybody, so what it says of the request does not count.
      const another = (own: string | undefined): string =>
        signed(responseXml({ ...said, inResponseTo: own }, assertionXml(said)), 'Assertion', pair);
      expect(await attempt((own) => another(own().inResponseTo))).to.equal('state');
      expect(why()).to.equal('the response answers the request of another browser, or an earlier one');
    });

    // Promise: security saml
    it('fail the second time with the same assertion, or with another one for the same request', async () => {
      const { browser, id } = await begun(world());
      const cookies = new Map(browser.cookies(world().url));
      const again = (): Browser => {
        const thief = new Browser();
        for (const [name, value] of cookies) thief.cookies(world().url).set(name, value);
        return thief;
      };
      const xml = signedAssertion(saying(world(), { inResponseTo: id }));
      expect(await outcome(world(), browser, xml)).to.equal('');
      expect(await outcome(world(), again(), xml)).to.equal('state');
      expect(await outcome(world(), again(), signedAssertion(saying(world(), { inResponseTo: id })))).to.equal('state');
      expect(world().server.failedSignIns.at(-1)?.why).to.equal('the answer of the provider was used before');
    });

    // Promise: security saml
    it('give nobody the login or the address of somebody else, in any spelling, or the account of who is disabled', async () => {
      const { server } = world();
      await server.user('boss', { email: 'boss@example.com' }, 'right');
      const as = (nameId: string, attributes: Said['attributes'] & object) =>
        attempt((said) => signedAssertion(said({ nameId, attributes })));
      const outcomes: string[] = [];
      for (const login of ['BOSS', 'b\u043ess', 'boss@example.com', 'system:admin', 'boss '])
        outcomes.push(`${login}: ${await as(`of ${login.trim()}`, { login: [login] })}`);
      for (const mail of ['BOSS@example.com', 'b\u043ess@example.com'])
        outcomes.push(
          `${mail}: ${await as(`of ${mail}`, { login: [mail.slice(2)], mail: [mail], email_verified: ['true'] })}`,
        );
      expect(outcomes.filter((outcome) => !outcome.endsWith(': taken'))).to.deep.equal(['boss : provider']);
      expect(await as('ren', { login: ['ren'] })).to.equal('');
      for (const login of ['boss', 'b\u043ess'])
        expect(await as('ren', { login: [login], mail: ['boss@example.com'] }), login).to.equal('');
      const { json } = await server.ask('/apis/iam.svc.app/v1beta1/users', { headers: AS_ADMIN });
      const users = json['items'] as {
        readonly metadata: { name: string };
        readonly spec: { login: string; email?: string };
      }[];
      const known = users.map(({ spec }) => `${spec.login} ${spec.email}`);
      expect(known).to.include.members(['boss boss@example.com', 'ren ren']);
      const ren = users.find(({ spec }) => spec.login === 'ren');
      await server.patch('iam/users', ren?.metadata.name ?? '', { disabled: true });
      expect(await as('ren', { login: ['ren'] })).to.equal('not_allowed');
    });

    // Promise: security saml
    it('fail with comments in the NameID, and everywhere else', async () => {
      const nameId = 'admin@example.com<!-- -->.evil.example';
      expect(await attempt((said) => signedAssertion(said({ nameId })))).to.equal('provider');
      const late = (said: Said): string => signedAssertion(said).replace('mallory', 'mal<!-- -->lory');
      expect(await attempt((said) => late(said()))).to.equal('provider');
    });

    // Promise: security saml
    it('fail with a document type, entities and instructions, before anything is parsed', async () => {
      const bomb = `<!DOCTYPE r [<!ENTITY a "${'a'.repeat(50)}">${Array.from({ length: 10 }, (_, i) => `<!ENTITY a${i} "&a;&a;&a;">`).join('')}]>`;
      const external = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
      for (const before of [bomb, external, '<!doctype r>', '<?xml-stylesheet href="x"?>', '<!-- -->'])
        expect(await attempt((said) => `${before}${signedAssertion(said())}`), before.slice(0, 30)).to.equal(
          'provider',
        );
      const named = (said: Said): string => `${external}${signedAssertion(said).replace('mallory', '&x;')}`;
      expect(await attempt((said) => named(said()))).to.equal('provider');
      expect(await attempt((said) => `<?xml version="1.0" encoding="UTF-8"?>${signedAssertion(said())}`)).to.equal('');
    });

    // Promise: security saml
    it('fail with an ID twice, in any spelling of the attribute', async () => {
      for (const name of ['ID', 'Id', 'id', 'xml:id']) {
        const twice = (said: Said): string =>
          signedAssertion(said).replace(
            '<samlp:Status>',
            `<samlp:Extensions><x ${name}="_twice"/></samlp:Extensions><samlp:Status>`,
          );
        expect(await attempt((said) => twice(said({ assertionId: '_twice' }))), name).to.equal('provider');
      }
    });

    // Promise: security saml
    it('fail with documents that are too large, too deep, or not in base64 or UTF-8', async () => {
      const { browser, id } = await begun(world());
      const deep = `${'<a>'.repeat(5000)}${id}${'</a>'.repeat(5000)}`;
      for (const xml of [deep, `<r>${id}${'<a/>'.repeat(12_000)}</r>`, id])
        expect(await attempt((said) => xml.replace(id, said().inResponseTo ?? '')), xml.slice(0, 20)).to.equal(
          'provider',
        );
      for (const xml of ['', 'x', deep.replace(id, '')])
        expect(await outcome(world(), browser, xml), xml.slice(0, 20)).to.equal('state');
      const tooLarge = { form: { SAMLResponse: 'A'.repeat(600_000), again: '1' } };
      expect((await browser.visit(`${world().url}/saml/acs`, tooLarge)).status).to.equal(413);
    });
  },
  BEHIND_PROXY,
);

/** Eight ways to move a signed element, so that a program checks one and reads another (Somorovsky et al., 2012). */
const WRAPPINGS: Readonly<Record<string, (parts: Parts) => string>> = {
  'XSW1: the signed response in the signature of an evil one': ({ evilResponse, signedResponse }) =>
    withSignature(evilResponse, signatureOf(signedResponse, signedResponse)),
  'XSW2: the signed response before the evil one': ({ evilResponse, signedResponse }) =>
    withSignature(evilResponse, `${signatureOf(signedResponse)}${withoutSignature(signedResponse)}`),
  'XSW3: the evil assertion before the signed one': ({ response, evil, signedAssertion }) =>
    response(`${evil}${signedAssertion}`),
  'XSW4: the signed assertion in the evil one': ({ response, evil, signedAssertion }) =>
    response(evil.replace('</saml:Assertion>', `${signedAssertion}</saml:Assertion>`)),
  'XSW5: the signature in the evil assertion, and the signed one at the end': ({ response, evil, signedAssertion }) =>
    response(
      `${evil.replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(signedAssertion)}`)}${withoutSignature(signedAssertion)}`,
    ),
  'XSW6: the signed assertion in the signature of the evil one': ({ response, evil, signedAssertion }) =>
    response(
      evil.replace(
        '</saml:Issuer>',
        `</saml:Issuer>${signatureOf(signedAssertion, withoutSignature(signedAssertion))}`,
      ),
    ),
  'XSW7: the evil assertion in extensions before the signed one': ({ response, evil, signedAssertion }) =>
    response(`<samlp:Extensions>${evil}</samlp:Extensions>${signedAssertion}`),
  'XSW8: the signed assertion in an object of the signature of the evil one': ({ response, evil, signedAssertion }) =>
    response(
      evil.replace(
        '</saml:Issuer>',
        `</saml:Issuer>${signatureOf(signedAssertion, `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${withoutSignature(signedAssertion)}</ds:Object>`)}`,
      ),
    ),
};

interface Parts {
  readonly response: (content: string) => string;
  readonly evil: string;
  readonly signedAssertion: string;
  readonly signedResponse: string;
  readonly evilResponse: string;
}

const SIGNATURE = /<Signature[\s\S]*?<\/Signature>/;
const withoutSignature = (xml: string): string => xml.replace(SIGNATURE, '');
/** The signature, with more content at its end. */
const signatureOf = (xml: string, more = ''): string =>
  (SIGNATURE.exec(xml)?.[0] ?? '').replace('</Signature>', `${more}</Signature>`);
const withSignature = (response: string, signature: string): string =>
  response.replace('<samlp:Status>', `${signature}<samlp:Status>`);

oneSamlWorld(
  'signature wrapping',
  (world) => {
    for (const [title, wrap] of Object.entries(WRAPPINGS)) {
      // Promise: security saml
      it(`fails as ${title}`, async () => {
        const pair = await pairNamed('idp');
        const { browser, id } = await begun(world());
        const said = (nameId: string) => saying(world(), { inResponseTo: id, nameId });
        const response = (content: string): string => responseXml(said('mallory'), content, '_response');
        const [honest, evil] = [assertionXml(said('mallory')), assertionXml(said('admin'))];
        const signedResponse = signed(response(honest), 'Response', pair);
        const evilResponse = responseXml(said('admin'), evil, '_evil');
        const signedAssertion =
          /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(signed(response(honest), 'Assertion', pair))?.[0] ?? '';
        expect(signatureOf(signedAssertion)).to.contain('SignatureValue');
        const wrapped = wrap({ response, evil, signedAssertion, signedResponse, evilResponse });
        expect(await outcome(world(), browser, wrapped)).to.equal('provider');
      });
    }
  },
  BEHIND_PROXY,
);

oneSamlWorld(
  'sign-ins that the SAML provider begins',
  (world) => {
    const post = async (relayState: string) => {
      const xml = signed(
        responseXml(saying(world(), {}), assertionXml(saying(world(), {}))),
        'Assertion',
        await pairNamed('idp'),
      );
      const form = { SAMLResponse: encoded(xml), RelayState: relayState, again: '1' };
      return new Browser().visit(`${world().url}/saml/acs`, { form });
    };

    // Promise: security saml
    it('lead to no other host, whatever the relay state is', async () => {
      for (const relayState of [
        'https://evil.example/',
        '//evil.example',
        '/\\evil.example',
        '/%09/evil.example',
        '/..//evil.example',
        'javascript:alert(1)',
        '/x\r\nLocation: https://evil.example/',
      ])
        expect((await post(relayState)).location, relayState).to.satisfy((to: string) =>
          to.startsWith(`${world().url}/`),
        );
      expect((await post('/d/abc')).location).to.equal(`${world().url}/d/abc`);
    });

    // Promise: security saml
    it('succeed once with an assertion', async () => {
      const said = saying(world(), {});
      const xml = signed(responseXml(said, assertionXml(said)), 'Assertion', await pairNamed('idp'));
      expect(await outcome(world(), new Browser(), xml)).to.equal('');
      expect(await outcome(world(), new Browser(), xml)).to.equal('state');
    });

    // Promise: security saml
    it('open a session that ends when the provider says, and none if that is over or no time', async () => {
      const begin = async (sessionEnds: string) => {
        const said = saying(world(), { sessionEnds });
        const browser = new Browser();
        const xml = signed(responseXml(said, assertionXml(said)), 'Assertion', await pairNamed('idp'));
        return { browser, error: await outcome(world(), browser, xml) };
      };
      const in10Minutes = new Date(Date.now() + 10 * MINUTE).toISOString();
      const short = await begin(in10Minutes);
      const long = await begin('+270000-01-01T00:00:00Z');
      const errors = [short, long, await begin(new Date(Date.now() - 1).toISOString()), await begin('soon')];
      expect(errors.map(({ error }) => error)).to.deep.equal(['', '', 'provider', 'provider']);
      world().server.advance(11 * MINUTE);
      expect(await callerOf(short.browser, world().url)).to.equal(undefined);
      expect(await callerOf(long.browser, world().url)).not.to.equal(undefined);
    });
  },
  { saml: { allow_idp_initiated: 'true' } },
);

for (const [title, weak] of Object.entries({
  'a key that is encrypted by PKCS #1 v1.5': { keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' },
  'an encryption by Triple DES': { dataEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc' },
  'an encrypted signature with SHA-1': { requestSignatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' },
}))
  oneSamlWorld(
    title,
    (world) => {
      // Promise: security saml
      it('is refused', async () => {
        const { page } = await world().signInAs({ nameId: 'ada-1', attributes: { login: ['ada'] } });
        expect(page.location).to.contain('/login?error=provider');
        expect(world().server.warnings.join()).to.match(/is weak or not supported: let the provider (sign|encrypt)/);
      });
    },
    { idp: { isEncrypted: true, more: weak } },
  );

oneSamlWorld(
  'an assertion that is encrypted for another certificate',
  (world) => {
    it('is refused, and the operator reads what to do', async () => {
      const metadata = await new Browser().visit(`${world().url}/saml/metadata`);
      const other = (await pairNamed('another')).certificate.replaceAll(/-----[^-]*-----|\s/g, '');
      const certificates = /(<(?:\w+:)?X509Certificate>)[^<]*/g;
      world().idp.trust(metadata.text.replaceAll(certificates, (_, tag: string) => `${tag}${other}`));
      const { page } = await world().signInAs({ nameId: 'ada-1', attributes: { login: ['ada'] } });
      expect(page.location).to.contain('/login?error=provider');
      expect(world().server.warnings.join()).to.contain('give the provider the certificate of the metadata');
    });
  },
  { idp: { isEncrypted: true } },
);
