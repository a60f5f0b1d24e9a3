import { SamlStatusError } from '@node-saml/node-saml';
import { decryptXml } from '@node-saml/node-saml/lib/xml.js';
import { messageOf } from '../../system/errors/message.js';
import { SignOnFailure } from '../signon/failure.js';
import { type CheckedAssertion, checkAssertion } from './assertion.js';
import { ASSERTION, decodeBase64, type Message, readDecrypted, readMessage } from './message.js';
import { libraryOf, type Partners } from './partner.js';

/** The signature is of none of the keys that the provider had when its metadata were read. */
export class UnknownSignature extends SignOnFailure {}

/**
 * The assertion in the parameter SAMLResponse of the POST binding. Its signature, times, audience, issuer and recipient
 * are right; the caller checks which request it answers, and that it was not used before. Throws SignOnFailure.
 */
export async function readResponse(partners: Partners, parameter: string, now: number): Promise<CheckedAssertion> {
  try {
    const message = await readMessage(decodeBase64(parameter), 'Response');
    checkResponse(message, partners);
    await checkEncrypted(message, partners);
    const { profile } = await libraryOf(partners).validatePostResponseAsync({
      SAMLResponse: Buffer.from(message.xml).toString('base64'),
    });
    return checkAssertion(profile?.getAssertion?.(), partners, now);
  } catch (error) {
    throw failureOf(error);
  }
}

/** What the library does not check. The response itself need not be signed, so nothing is taken from it. */
function checkResponse({ root, elements }: Message, { addresses }: Partners): void {
  const destination = root.getAttribute('Destination') ?? '';
  if (destination !== '' && destination !== addresses.acs)
    throw new SignOnFailure('provider', 'the response is for another address');
  const assertions = elements.filter(({ localName }) => /^(?:Encrypted)?Assertion$/.test(localName));
  if (assertions.length > 1) throw new SignOnFailure('provider', 'the response has several assertions');
  if (assertions.some(({ namespaceURI, parentNode }) => namespaceURI !== ASSERTION || parentNode !== root))
    throw new SignOnFailure('provider', 'the assertion is not where a response has it');
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
  await readDecrypted(await decryptXml(encrypted.toString(), credentials.key));
}

function failureOf(error: unknown): SignOnFailure {
  if (error instanceof SignOnFailure) return error;
  const why = messageOf(error).slice(0, 200);
  if (error instanceof SamlStatusError) return new SignOnFailure('denied', 'the provider refused', error);
  if (/signature/i.test(why)) return new UnknownSignature('provider', 'the signature is missing or wrong', error);
  return new SignOnFailure('provider', `the response is not valid: ${why}`, error);
}
