import { decryptXml } from '@node-saml/node-saml/lib/xml.js';
import { SignOnFailure } from '../signon/failure.js';
import { type CheckedAssertion, checkAssertion } from './assertion.js';
import { libraryOf } from './library.js';
import { ASSERTION, type Message, readDecrypted, readMessage, signaturesOf, TO_ENCRYPT } from './message.js';
import type { Partners } from './partner.js';
import { refusal, type SignedText, UNSIGNED } from './refusal.js';
import type { XmlElement } from './xml.js';

/**
 * The assertion of a response. Its signature, times, audience, issuer and recipient are right; the caller checks which
 * request it answers, and that it was not used before. Throws SignOnFailure.
 */
export async function readResponse(partners: Partners, xml: string, now: number): Promise<CheckedAssertion> {
  let signed: SignedText | undefined;
  try {
    signed = await checkedText(await readMessage(xml, 'Response'), partners);
    const { profile } = await libraryOf(partners).validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    });
    return checkAssertion(profile?.getAssertion?.(), partners, now);
  } catch (error) {
    throw refusal('response', error, signed, partners.idp.certificates);
  }
}

/**
 * Checks what the library does not, and returns what has the signatures. The response itself need not be signed, so
 * nothing is taken from it.
 */
async function checkedText(message: Message, partners: Partners): Promise<SignedText> {
  const { root, elements, xml } = message;
  const destination = root.getAttribute('Destination') ?? '';
  if (destination !== '' && destination !== partners.addresses.acs)
    throw new SignOnFailure('provider', 'the response is for another address');
  const assertions = elements.filter(({ localName }) => /^(?:Encrypted)?Assertion$/.test(localName));
  if (assertions.length > 1) throw new SignOnFailure('provider', 'the response has several assertions');
  if (assertions.some(({ namespaceURI, parentNode }) => namespaceURI !== ASSERTION || parentNode !== root))
    throw new SignOnFailure('provider', 'the assertion is not where a response has it');
  checkStatus(message);
  const signatures = signaturesOf(elements, [root, ...assertions]);
  const encrypted = assertions.find(({ localName }) => localName === 'EncryptedAssertion');
  const decrypted = encrypted && (await decryptedText(encrypted, partners));
  if (decrypted !== undefined && signatures.length === 0) return decrypted;
  if (signatures.length === 0) throw new SignOnFailure('provider', UNSIGNED);
  return { xml, signatures };
}

function checkStatus({ root, elements }: Message): void {
  const status = elements.find(({ localName, parentNode }) => localName === 'Status' && parentNode === root);
  const code = elements.find(({ localName, parentNode }) => localName === 'StatusCode' && parentNode === status);
  if (code?.getAttribute('Value') === SUCCESS) return;
  throw new SignOnFailure('denied', `the provider answers with the status ${statusOf(code?.getAttribute('Value'))}`);
}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** The last part of a status, if it is a word. */
const statusOf = (value: string | null | undefined): string => /[A-Za-z]{1,50}$/.exec(value ?? '')?.[0] ?? 'unknown';

/** The library decrypts with weak algorithms, too, and would parse what it finds without our rules. */
async function decryptedText(encrypted: XmlElement, { credentials }: Partners): Promise<SignedText> {
  if (credentials === undefined)
    throw new SignOnFailure('settings', 'the assertion is encrypted, and private_key is not set');
  const xml = await decryptXml(encrypted.toString(), credentials.key).catch((error: unknown) => {
    throw new SignOnFailure('provider', NOT_DECRYPTED, error);
  });
  const elements = await readDecrypted(xml);
  return { xml, signatures: signaturesOf(elements, elements.slice(0, 1)) };
}

const NOT_DECRYPTED = `the assertion cannot be decrypted with private_key: give the provider the certificate of the metadata of this server, and ${TO_ENCRYPT}`;
