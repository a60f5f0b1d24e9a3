import { inflateRawSync } from 'node:zlib';
import type { Profile } from '@node-saml/node-saml';
import { SignOnFailure } from '../signon/failure.js';
import type { NameId } from './assertion.js';
import { libraryOf, signing } from './library.js';
import { type Message, PROTOCOL, readMessage, signaturesOf } from './message.js';
import { decodeBase64, MOST_BYTES } from './parameter.js';
import { CLOCK_SKEW, type Partners } from './partner.js';
import { refusal, type SignedText } from './refusal.js';

/** The session at the provider. */
export interface ProviderSession {
  readonly nameId: NameId;
  readonly sessionIndex?: string | undefined;
}

/** Where the browser goes to end the session at the provider. Undefined if the provider takes no such request. */
export async function logoutUrl(partners: Partners, session: ProviderSession): Promise<string | undefined> {
  const { idp, credentials } = partners;
  if (idp.logout === undefined) return undefined;
  const library = libraryOf(partners, { logoutUrl: idp.logout.url, ...signing(credentials) });
  return library.getLogoutUrlAsync(profileOf(partners, session), '', {});
}

function profileOf({ idp }: Partners, { nameId, sessionIndex }: ProviderSession): Profile {
  const { value, format, nameQualifier, spNameQualifier } = nameId;
  return {
    issuer: idp.entityId,
    nameID: value,
    nameIDFormat: format ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
    ...(nameQualifier !== undefined && { nameQualifier }),
    ...(spNameQualifier !== undefined && { spNameQualifier }),
    ...(sessionIndex !== undefined && { sessionIndex }),
  };
}

/** A request of the provider to end sessions. */
export interface LogoutRequest {
  readonly id: string;
  readonly nameId: string;
  /** Empty: all sessions of the person. */
  readonly sessionIndexes: readonly string[];
}

/** The parameters of the binding. `query` is the text that was sent. */
export type LogoutParameters =
  | { readonly binding: 'post'; readonly request: string }
  | { readonly binding: 'redirect'; readonly query: string };

/** Throws SignOnFailure for a request that is not signed by the provider, is old, or is for another server. */
export async function readLogoutRequest(
  partners: Partners,
  parameters: LogoutParameters,
  now: number,
): Promise<LogoutRequest> {
  let signed: SignedText | undefined;
  try {
    const message = await messageIn(parameters);
    checkRequest(message, partners, now);
    if (parameters.binding === 'post') signed = signedText(message);
    const { profile } = await verified(partners, parameters, message);
    return { id: profile.ID ?? '', nameId: profile.nameID.trim(), sessionIndexes: indexesIn(message) };
  } catch (error) {
    throw refusal('logout request', error, signed, partners.idp.certificates);
  }
}

function signedText({ xml, root, elements }: Message): SignedText {
  const signatures = signaturesOf(elements, [root]);
  if (signatures.length === 0) throw new SignOnFailure('provider', NOT_SIGNED);
  return { xml, signatures };
}

function messageIn(parameters: LogoutParameters): Promise<Message> {
  if (parameters.binding === 'post') return readMessage(decodeBase64(parameters.request), 'LogoutRequest');
  const packed = Buffer.from(signedQuery(parameters.query).values['SAMLRequest'] ?? '', 'base64');
  // A few bytes can become very many.
  return readMessage(inflateRawSync(packed, { maxOutputLength: MOST_BYTES }).toString('utf8'), 'LogoutRequest');
}

function checkRequest({ root }: Message, { addresses, settings }: Partners, now: number): void {
  const destination = root.getAttribute('Destination') ?? '';
  if (destination !== addresses.slo) throw new SignOnFailure('provider', 'the logout request is for another address');
  const issued = Date.parse(root.getAttribute('IssueInstant') ?? '');
  if (!(Math.abs(now - issued) < settings.maxIssueDelay + CLOCK_SKEW))
    throw new SignOnFailure('provider', 'the logout request is too old');
}

async function verified(partners: Partners, parameters: LogoutParameters, message: Message) {
  const { profile } = await (parameters.binding === 'post'
    ? verifiedPost(partners, message)
    : verifiedRedirect(partners, parameters.query));
  if (profile === null) throw new SignOnFailure('provider', 'the message is no logout request');
  return { profile };
}

function verifiedPost(partners: Partners, { xml }: Message) {
  return libraryOf(partners).validatePostRequestAsync({ SAMLRequest: Buffer.from(xml).toString('base64') });
}

const NOT_SIGNED = 'the logout request is not signed, or weakly';
const SIGNATURES = /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#rsa-sha(?:256|384|512)$/;

async function verifiedRedirect(partners: Partners, query: string) {
  const { values, text } = signedQuery(query);
  if (!values['Signature'] || !SIGNATURES.test(values['SigAlg'] ?? '')) throw new SignOnFailure('provider', NOT_SIGNED);
  return libraryOf(partners).validateRedirectAsync(values, text);
}

/**
 * The signature is of the text of the query, as it was sent (SAML V2.0 Bindings, §3.4.4.1). The library accepts a
 * request without one, and finds parameters by parts of their names. So it gets only these parameters, each once.
 */
function signedQuery(query: string) {
  const parts = query.split('&');
  const sent = PARAMETERS.map((name) => parts.filter((part) => part.startsWith(`${name}=`)));
  if (sent.some(({ length }) => length > 1)) throw new SignOnFailure('provider', 'a parameter is there twice');
  const text = sent.flat().join('&');
  return { text, values: Object.fromEntries(new URLSearchParams(text)) };
}

/** In the order in which they are signed. */
const PARAMETERS = ['SAMLRequest', 'RelayState', 'SigAlg', 'Signature'];

function indexesIn({ elements, root }: Message): readonly string[] {
  return elements
    .filter(
      ({ localName, namespaceURI, parentNode }) =>
        localName === 'SessionIndex' && namespaceURI === PROTOCOL && parentNode === root,
    )
    .map(({ textContent }) => textContent?.trim() ?? '');
}

/** Where the browser goes with the answer to a request of the provider. */
export async function logoutAnswerUrl(partners: Partners, request: LogoutRequest, relayState: string): Promise<string> {
  const { idp, credentials } = partners;
  if (idp.logout === undefined) throw new SignOnFailure('settings', 'the provider has no address for logout answers');
  const library = libraryOf(partners, { logoutUrl: idp.logout.responseUrl, ...signing(credentials) });
  const profile = { ID: request.id, issuer: idp.entityId, nameID: request.nameId, nameIDFormat: '' };
  return library.getLogoutResponseUrlAsync(profile, relayState, {}, true);
}
