import { SamlStatusError } from '@node-saml/node-saml';
import { SignedXml } from 'xml-crypto';
import { messageOf } from '../../system/errors/message.js';
import { SignOnFailure } from '../signon/failure.js';
import { UnknownSignature } from './failure.js';
import { XmlRefused } from './refused.js';
import type { XmlElement } from './xml.js';

/** What somebody has signed, or should have. */
export interface SignedText {
  readonly xml: string;
  /** The signatures of the elements that may be signed. */
  readonly signatures: readonly XmlElement[];
}

export const UNSIGNED = 'neither the message nor its assertion is signed';
const ALTERED = 'what was signed has been altered: its digest is another one';
const MISPLACED = 'the signature is not one of the element in which it is';

/** What the library says, and what it means to the operator. */
const MEANINGS: readonly (readonly [said: RegExp, meaning: string])[] = [
  [/^SAML assertion not yet valid/, 'the assertion is not valid yet'],
  [/^SAML assertion expired: assertion too old/, 'the assertion was issued longer ago than max_issue_delay'],
  [/^SAML assertion expired/, 'the assertion has expired'],
  [/^SAML assertion .*audience/i, 'the assertion is for another audience'],
  [/^Unknown SAML issuer|^Missing SAML issuer/, 'the message is of another issuer'],
  [/^Invalid signature[:,]|^Too many signatures|^ref URI|^signature reference uri/, MISPLACED],
];

/** The failure for the log and the audit log. What people see follows from its code. */
export function refusal(what: string, error: unknown, signed: SignedText | undefined, certificates: readonly string[]) {
  if (error instanceof SignOnFailure) return error;
  if (error instanceof SamlStatusError) return new SignOnFailure('denied', 'the provider refused', error);
  const said = messageOf(error).slice(0, 200);
  if (!(error instanceof XmlRefused)) {
    const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(said)) ?? [];
    if (meaning !== undefined) return new SignOnFailure('provider', meaning, error);
    if (/^Invalid (?:query )?signature/.test(said)) return wrongSignature(signed, certificates);
  }
  return new SignOnFailure('provider', `the ${what} is not valid: ${said}`, error);
}

/** The library only says that no signature is right. `signed` is undefined if the signature is beside the text. */
function wrongSignature(signed: SignedText | undefined, certificates: readonly string[]): SignOnFailure {
  const found = signed?.signatures.map((signature) => problemOf(signed.xml, signature, certificates[0] ?? ''));
  if (found?.length === 0) return new SignOnFailure('provider', UNSIGNED);
  const problem = found?.find((one) => one !== undefined);
  if (problem !== undefined) return new SignOnFailure('provider', problem);
  return new UnknownSignature('provider', 'the signature is of no key in the metadata of the provider');
}

/** What is wrong with a signature, whatever its key is. Its digests are compared before the key is used. */
function problemOf(xml: string, signature: XmlElement, publicCert: string): string | undefined {
  const check = new SignedXml({ publicCert });
  try {
    check.loadSignature(signature as unknown as Parameters<SignedXml['loadSignature']>[0]);
    if (check.getReferences().length !== 1) return MISPLACED;
    return check.checkSignature(xml.replaceAll(/\r\n?/g, '\n')) ? undefined : ALTERED;
  } catch {
    return undefined;
  }
}
