import { SamlStatusError } from '@node-saml/node-saml';
import { decryptXml } from '@node-saml/node-saml/lib/xml.js';
import { messageOf } from '../../system/errors/message.js';
import { SignOnFailure } from '../signon/failure.js';
import { type CheckedAssertion, checkAssertion } from './assertion.js';
import { UnknownSignature } from './failure.js';
import { libraryOf } from './library.js';
import { ASSERTION, checkSigned, type Message, readDecrypted, readMessage, TO_ENCRYPT } from './message.js';
import type { Partners } from './partner.js';

/**
 * The assertion of a response. Its signature, times, audience, issuer and recipient are right; the caller checks which
 * request it answers, and that it was not used before. Throws SignOnFailure.
 */
export async function readResponse(partners: Partners, xml: string, now: number): Promise<CheckedAssertion> {
  try {
    const message = await readMessage(xml, 'Response');
    checkResponse(message, partners);
    await checkEncrypted(message, partners);
    const { profile } = await libraryOf(partners).validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    });
    return checkAssertion(profile?.getAssertion?.(), partners, now);
  } catch (error) {
    throw failureOf(error);
  }
}

/** What the library does not check. The response itself need not be signed, so nothing is taken from it. */
function checkResponse(message: Message, { addresses }: Partners): void {
  const { root, elements } = message;
  const destination = root.getAttribute('Destination') ?? '';
  if (destination !== '' && destination !== addresses.acs)
    throw new SignOnFailure('provider', 'the response is for another address');
  const assertions = elements.filter(({ localName }) => /^(?:Encrypted)?Assertion$/.test(localName));
  if (assertions.length > 1) throw new SignOnFailure('provider', 'the response has several assertions');
  if (assertions.some(({ namespaceURI, parentNode }) => namespaceURI !== ASSERTION || parentNode !== root))
    throw new SignOnFailure('provider', 'the assertion is not where a response has it');
  // An encrypted assertion has its signature inside, and the library looks at it after it has decrypted.
  if (!assertions.some(({ localName }) => localName === 'EncryptedAssertion'))
    checkSigned(message, [root, ...assertions]);
  const status = elements.find(({ localName, parentNode }) => localName === 'Status' && parentNode === root);
  const code = elements.find(({ localName, parentNode }) => localName === 'StatusCode' && parentNode === status);
  if (code?.getAttribute('Value') === SUCCESS) return;
  throw new SignOnFailure('denied', `the provider answers with the status ${statusOf(code?.getAttribute('Value'))}`);
}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** The last part of a status, if it is a word. */
const statusOf = (value: string | null | undefined): string => /[A-Za-z]{1,50}$/.exec(value ?? '')?.[0] ?? 'unknown';

/** The library decrypts with weak algorithms, too, and would parse what it finds without our rules. */
async function checkEncrypted({ elements }: Message, { credentials }: Partners): Promise<void> {
  const encrypted = elements.find(({ localName }) => localName === 'EncryptedAssertion');
  if (encrypted === undefined) return;
  if (credentials === undefined)
    throw new SignOnFailure('settings', 'the assertion is encrypted, and private_key is not set');
  const decrypted = await decryptXml(encrypted.toString(), credentials.key).catch((error: unknown) => {
    throw new SignOnFailure('provider', NOT_DECRYPTED, error);
  });
  await readDecrypted(decrypted);
}

const NOT_DECRYPTED = `the assertion cannot be decrypted with private_key: give the provider the certificate of the metadata of this server, and ${TO_ENCRYPT}`;

function failureOf(error: unknown): SignOnFailure {
  if (error instanceof SignOnFailure) return error;
  const why = messageOf(error).slice(0, 200);
  if (error instanceof SamlStatusError) return new SignOnFailure('denied', 'the provider refused', error);
  if (/signature/i.test(why)) return new UnknownSignature('provider', 'the signature is missing or wrong', error);
  return new SignOnFailure('provider', `the response is not valid: ${why}`, error);
}
