import { createHmac, X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { CheckedAssertion } from '../../pkg/identity/saml/assertion.js';
import type { Credentials } from '../../pkg/identity/saml/credentials.js';
import { UnknownSignature } from '../../pkg/identity/saml/failure.js';
import { personOfAssertion } from '../../pkg/identity/saml/profile.js';
import { readResponse } from '../../pkg/identity/saml/response.js';
import { SamlSettings } from '../../pkg/identity/saml/settings.js';
import type { SignOnFailure } from '../../pkg/identity/signon/failure.js';
import { messageOf } from '../../pkg/system/errors/message.js';
import { type Pair, pairNamed } from './certificates.js';
import { ASSERTION, assertionXml, responseXml, type Said, signed } from './forge.js';

const MINUTE = 60_000;
const RIGHT: Said = { acs: 'https://here.example/acs', audience: 'here', issuer: 'there', nameId: 'ada' };
const ELSEWHERE = 'https://elsewhere.example';

describe('why a response is refused, for the log and the audit log', () => {
  let pair: Pair;
  let other: Pair;
  before(async () => {
    pair = await pairNamed('idp');
    other = await pairNamed('another');
  });

  const outcomeOf = async (
    xml: string,
    certificates = [pair.certificate],
    credentials?: Credentials,
  ): Promise<CheckedAssertion | SignOnFailure> => {
    const partners = {
      settings: SamlSettings.parse({}),
      addresses: { entityId: 'here', metadata: 'm', acs: RIGHT.acs, slo: 's' },
      credentials,
      idp: {
        entityId: 'there',
        certificates,
        signOn: { url: 'https://id.example', binding: 'redirect' as const },
        logout: undefined,
        wantsSignedRequests: false,
        ends: undefined,
      },
    };
    return readResponse(partners, xml, Date.now()).catch((error: SignOnFailure) => error);
  };
  const failureOf = async (xml: string, certificates?: readonly string[]): Promise<SignOnFailure | undefined> => {
    const outcome = await outcomeOf(xml, certificates && [...certificates]);
    return outcome instanceof Error ? outcome : undefined;
  };
  const messageFor = async (xml: string): Promise<string | undefined> => (await failureOf(xml))?.message;
  const made = (more: Partial<Said> = {}): string =>
    responseXml({ ...RIGHT, ...more }, assertionXml({ ...RIGHT, ...more }));
  const signedBy = (by: Pair, more?: Partial<Said>): string => signed(made(more), 'Assertion', by);
  const rightOne = (): string => signedBy(pair);

  // Promise: security saml
  it('tells a missing signature, an unknown key, an altered text and a moved signature apart', async () => {
    expect(await failureOf(rightOne())).to.equal(undefined);
    expect(await messageFor(made())).to.equal('neither the message nor its assertion is signed');
    const unknown = 'the signature is of no key in the metadata of the provider';
    expect(await messageFor(signedBy(other))).to.equal(unknown);
    expect(await messageFor(signed(made(), 'Response', other))).to.equal(unknown);
    const altered = 'what was signed has been altered: its digest is another one';
    expect(await messageFor(rightOne().replaceAll('>ada<', '>eve<'))).to.equal(altered);
    expect(await messageFor(signedBy(other).replaceAll('>ada<', '>eve<'))).to.equal(altered);
    const misplaced = 'the signature is not one of the element in which it is';
    expect(await messageFor(rightOne().replace(/URI="#[^"]*"/, 'URI=""'))).to.equal(misplaced);
    const signature = /<Signature[\s\S]*<\/Signature>/.exec(rightOne())?.[0] ?? '';
    expect(await messageFor(rightOne().replace('<samlp:Status>', `${signature}<samlp:Status>`))).to.equal(misplaced);
    expect(await messageFor(rightOne().replace('</Signature>', `</Signature>${signature}`))).to.equal(misplaced);
  });

  it('asks for the metadata again only if the key is unknown', async () => {
    expect(await failureOf(signedBy(other))).to.be.instanceOf(UnknownSignature);
    for (const xml of [made(), rightOne().replaceAll('>ada<', '>eve<'), signedBy(pair, { audience: ELSEWHERE })])
      expect(await failureOf(xml)).to.not.be.instanceOf(UnknownSignature);
  });

  it('finds the key among several, and the altered text with each of them', async () => {
    const both = [other.certificate, pair.certificate];
    expect(await failureOf(rightOne(), both)).to.equal(undefined);
    expect((await failureOf(rightOne().replaceAll('>ada<', '>eve<'), both))?.message).to.contain('has been altered');
  });

  // Promise: security saml
  it('tells weak algorithms, other addresses and times apart', async () => {
    const now = Date.now();
    const weak = 'is weak or not supported: let the provider sign with RSA and SHA-256 or SHA-512';
    expect(await messageFor(signed(made(), 'Assertion', pair, 'sha1'))).to.match(
      new RegExp(`(Signature|Digest)Method ${weak}$`),
    );
    for (const [more, message] of [
      [{ audience: ELSEWHERE }, 'the assertion is for another audience'],
      [{ recipient: ELSEWHERE }, 'the assertion is for another recipient'],
      [{ destination: ELSEWHERE }, 'the response is for another address'],
      [{ issuer: ELSEWHERE }, 'the assertion is of another issuer'],
      [{ notOnOrAfter: now - 2 * MINUTE }, 'the assertion has expired'],
      [{ confirmedUntil: now - 2 * MINUTE }, 'the assertion has expired, or has no end'],
      [{ notBefore: now + 2 * MINUTE }, 'the assertion is not valid yet'],
      [{ issued: now - 4 * MINUTE }, 'the assertion was issued longer ago than max_issue_delay'],
      [{ issued: now + 2 * MINUTE }, 'the assertion was issued in the future'],
      [{ status: 'AuthnFailed' }, 'the provider answers with the status AuthnFailed'],
    ] as const)
      expect(await messageFor(signedBy(pair, more)), JSON.stringify(more)).to.equal(message);
  });

  // Promise: security saml
  it('is a weak algorithm for a MAC whose key is the certificate, and an unknown key for one that is only in the message', async () => {
    const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1';
    const [, info = ''] = /<SignedInfo>([\s\S]*?)<\/SignedInfo>/.exec(rightOne()) ?? [];
    const value = createHmac('sha1', pair.certificate).update(info).digest('base64');
    const maced = rightOne()
      .replace(/(<SignatureMethod Algorithm=")[^"]*/, `$1${hmac}`)
      .replace(/(<SignatureValue>)[^<]*/, `$1${value}`);
    expect(await messageFor(maced)).to.contain('the SignatureMethod is weak or not supported');
    const brought = signed(made(), 'Assertion', other, 'sha256', other.certificate);
    expect(brought).to.contain('<X509Certificate>');
    expect(await messageFor(brought)).to.equal('the signature is of no key in the metadata of the provider');
  });

  // Promise: security saml
  it('is that an encrypted assertion is not signed, which anybody can encrypt', async () => {
    const server = await pairNamed('server');
    const credentials = { certificate: server.certificate, key: server.key };
    const encrypted = async (assertion: string): Promise<string> => {
      const data = await encryptFor(server, assertion);
      return responseXml(RIGHT, `<saml:EncryptedAssertion xmlns:saml="${ASSERTION}">${data}</saml:EncryptedAssertion>`);
    };
    const outcome = async (assertion: string) => outcomeOf(await encrypted(assertion), undefined, credentials);
    const alone = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;
    expect(await outcome(alone.exec(rightOne())?.[0] ?? '')).to.deep.include({ issuer: 'there' });
    expect(await outcome(assertionXml(RIGHT))).to.include({
      message: 'neither the message nor its assertion is signed',
    });
    const wrong = alone.exec(signedBy(other))?.[0] ?? '';
    expect(await outcome(wrong)).to.include({ message: 'the signature is of no key in the metadata of the provider' });
  });

  // Promise: security saml
  it('is too many attributes, or tags that parsers repair, before anything is parsed', async () => {
    const inside = (text: string): string => rightOne().replace('</saml:Assertion>', `${text}</saml:Assertion>`);
    const many = (count: number): string => Array.from({ length: count }, (_, n) => ` a${n}=""`).join('');
    expect(await messageFor(inside(`<b${many(51)}/>`))).to.contain('an element has too many attributes');
    expect(await messageFor(inside(`<b${many(40)}/>`.repeat(150)))).to.contain('the document has too many attributes');
    for (const tag of ['<b a=b/>', '<b a/>', '<b a="1"c="2"/>', '<b a="<"/>', '< b/>', '<b'])
      expect(await messageFor(inside(tag)), tag).to.contain('a tag that is not well-formed');
    expect(await messageFor(inside(`<b${many(50)}/>`))).to.contain('has been altered');
  });

  // Promise: security saml
  it('is no space at the end of a NameID, which is that of somebody else, except one that indents the document', async () => {
    const nameIdOf = async (nameId: string) => {
      const outcome = await outcomeOf(signedBy(pair, { nameId, attributes: {} }));
      if (outcome instanceof Error) return outcome.message;
      try {
        return personOfAssertion(SamlSettings.parse({}), outcome).subject;
      } catch (error) {
        return messageOf(error);
      }
    };
    expect(await nameIdOf('\n    ada\n  ')).to.equal('name-id:persistent:ada');
    for (const nameId of ['ada ', 'ada\u00a0', '\ufeffada', '\u3000ada'])
      expect(await nameIdOf(nameId), nameId).to.contain('white space at an end');
    for (const nameId of ['', ' ', '\u00a0', '\n']) expect(await nameIdOf(nameId)).to.contain('names nobody');
  });

  // Promise: security saml
  it('is not needed for an attribute whose friendly name is the name of another one, which goes before it', async () => {
    const attribute = (names: string, value: string): string =>
      `<saml:Attribute ${names}><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`;
    const chosen = attribute('Name="nickname" FriendlyName="role"', 'admin');
    const given = attribute('Name="role"', 'viewer');
    const xml = made({ attributes: { x: ['y'] } }).replace(
      /<saml:Attribute Name="x"[\s\S]*?<\/saml:Attribute>/,
      `${chosen}${given}`,
    );
    const outcome = await outcomeOf(signed(xml, 'Assertion', pair));
    if (outcome instanceof Error) throw outcome;
    expect(outcome.attributes.get('role')).to.deep.equal(['viewer']);
    expect(outcome.attributes.get('nickname')).to.deep.equal(['admin']);
  });
});

/** Anybody has the certificate, which is in the metadata of the server. */
function encryptFor({ certificate }: Pair, xml: string): Promise<string> {
  const { encrypt } = createRequire(createRequire(import.meta.url).resolve('@node-saml/node-saml'))(
    'xml-encryption',
  ) as {
    encrypt(xml: string, options: object, done: (error: Error | null, data: string) => void): void;
  };
  const options = {
    rsa_pub: new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' }),
    pem: certificate,
    encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  };
  return new Promise((resolve, reject) =>
    encrypt(xml, options, (error, data) => (error ? reject(error) : resolve(data))),
  );
}
