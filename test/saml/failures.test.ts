import { expect } from 'chai';
import { UnknownSignature } from '../../pkg/identity/saml/failure.js';
import { readResponse } from '../../pkg/identity/saml/response.js';
import { SamlSettings } from '../../pkg/identity/saml/settings.js';
import type { SignOnFailure } from '../../pkg/identity/signon/failure.js';
import { type Pair, pairNamed } from './certificates.js';
import { assertionXml, responseXml, type Said, signed } from './forge.js';

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

  const failureOf = async (xml: string, certificates = [pair.certificate]): Promise<SignOnFailure | undefined> => {
    const partners = {
      settings: SamlSettings.parse({}),
      addresses: { entityId: 'here', metadata: 'm', acs: RIGHT.acs, slo: 's' },
      credentials: undefined,
      idp: {
        entityId: 'there',
        certificates,
        signOn: { url: 'https://id.example', binding: 'redirect' as const },
        logout: undefined,
        wantsSignedRequests: false,
        ends: undefined,
      },
    };
    return readResponse(partners, xml, Date.now()).then(
      () => undefined,
      (error: SignOnFailure) => error,
    );
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
});
