import { signXml } from '@node-saml/node-saml/lib/xml.js';
import type { Pair } from './certificates.js';
import { attributeStatement } from './identity-provider.js';

export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';

/** What a response says. The defaults are right for the server of the test. */
export interface Said {
  readonly acs: string;
  readonly audience: string;
  readonly issuer: string;
  readonly recipient?: string;
  readonly destination?: string;
  readonly inResponseTo?: string | undefined;
  readonly nameId?: string;
  readonly method?: string;
  /** Milliseconds since the epoch. */
  readonly issued?: number;
  readonly notBefore?: number;
  readonly notOnOrAfter?: number;
  readonly confirmedUntil?: number;
  readonly sessionEnds?: string;
  readonly assertionId?: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly status?: string;
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();
const random = (): string => `_${Math.random().toString(16).slice(2)}${Date.now()}`;

export function assertionXml(said: Said): string {
  const now = Date.now();
  const { issued = now, notBefore = now - 1000, notOnOrAfter = now + 60_000, confirmedUntil = now + 60_000 } = said;
  const session = said.sessionEnds === undefined ? '' : ` SessionNotOnOrAfter="${said.sessionEnds}"`;
  const { method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer', recipient = said.acs, inResponseTo } = said;
  const to = inResponseTo === undefined ? '' : ` InResponseTo="${inResponseTo}"`;
  return `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${said.assertionId ?? random()}" Version="2.0" IssueInstant="${time(issued)}"><saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${said.nameId ?? 'mallory'}</saml:NameID><saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData NotOnOrAfter="${time(confirmedUntil)}" Recipient="${recipient}"${to}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${time(notBefore)}" NotOnOrAfter="${time(notOnOrAfter)}"><saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${time(now)}" SessionIndex="s"${session}/>${attributeStatement(said.attributes ?? { login: [said.nameId ?? 'mallory'] })}</saml:Assertion>`;
}

export function responseXml(said: Said, content: string, id = random()): string {
  const { destination = said.acs, inResponseTo, status = 'Success' } = said;
  const to = inResponseTo === undefined ? '' : ` InResponseTo="${inResponseTo}"`;
  return `<samlp:Response xmlns:samlp="${PROTOCOL}" ID="${id}" Version="2.0" IssueInstant="${time(Date.now())}" Destination="${destination}"${to}><saml:Issuer xmlns:saml="${ASSERTION}">${said.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${content}</samlp:Response>`;
}

export type Hash = 'sha1' | 'sha256' | 'sha512';

/** Signs the element with this local name. The signature is in the element. */
export function signed(
  xml: string,
  element: 'Assertion' | 'Response' | 'LogoutRequest',
  pair: Pair,
  hash: Hash = 'sha256',
  publicCert?: string,
): string {
  const path = `//*[local-name(.)='${element}']`;
  return signXml(
    xml,
    path,
    { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
    { privateKey: pair.key, signatureAlgorithm: hash, digestAlgorithm: hash, ...(publicCert && { publicCert }) },
  );
}

export const signedLogout = (xml: string, pair: Pair, hash?: Hash): string => signed(xml, 'LogoutRequest', pair, hash);

export const encoded = (xml: string): string => Buffer.from(xml).toString('base64');
