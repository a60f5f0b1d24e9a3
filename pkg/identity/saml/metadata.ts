import { X509Certificate } from 'node:crypto';
import { isSafeUrl } from '../../system/net/safe-url.js';
import { MOST_METADATA_BYTES } from './metadata-text.js';
import { XmlRefused } from './refused.js';
import { parseXml, type XmlElement } from './xml.js';

const LIMITS = { bytes: MOST_METADATA_BYTES, elements: 20_000 };

/** A wrong signature is checked with each of them. */
const MOST_CERTIFICATES = 10;

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/** What the metadata of an identity provider says (SAML V2.0 Metadata, §2.4.3). */
export interface IdpMetadata {
  readonly entityId: string;
  /** The certificates whose keys sign, as PEM. There are several while the provider changes its key. */
  readonly certificates: readonly string[];
  readonly signOn: { readonly url: string; readonly binding: 'redirect' | 'post' };
  /** Where the browser goes to sign out. Undefined if the provider takes no such request by HTTP-Redirect. */
  readonly logout: { readonly url: string; readonly responseUrl: string } | undefined;
  readonly wantsSignedRequests: boolean;
  /** Milliseconds since the epoch. Undefined: they do not end. */
  readonly ends: number | undefined;
}

/** Throws XmlRefused for metadata that are not those of one identity provider with certificates and an address. */
export async function parseMetadata(xml: string): Promise<IdpMetadata> {
  const elements = await parseXml(xml, LIMITS);
  const named = (name: string): readonly XmlElement[] =>
    elements.filter(({ localName, namespaceURI }) => localName === name && namespaceURI === METADATA);
  const [idp, another] = named('IDPSSODescriptor');
  const entity = idp?.parentNode;
  if (idp === undefined || entity?.localName !== 'EntityDescriptor')
    throw new XmlRefused('it has no identity provider');
  if (another !== undefined) throw new XmlRefused('it has several identity providers');
  const own = (name: string): readonly XmlElement[] => named(name).filter(({ parentNode }) => parentNode === idp);
  const entityId = entity.getAttribute('entityID') ?? '';
  if (entityId === '') throw new XmlRefused('it has no entityID');
  const certificates = [...new Set(own('KeyDescriptor').flatMap((key) => certificatesOf(key, elements)))];
  if (certificates.length === 0) throw new XmlRefused('it has no certificate for signatures');
  if (certificates.length > MOST_CERTIFICATES)
    throw new XmlRefused(`it has more than ${MOST_CERTIFICATES} certificates for signatures`);
  return {
    entityId,
    certificates,
    signOn: signOnOf(own('SingleSignOnService')),
    logout: logoutOf(own('SingleLogoutService')),
    wantsSignedRequests: idp.getAttribute('WantAuthnRequestsSigned') === 'true',
    ends: endOf([entity, idp]),
  };
}

function certificatesOf(key: XmlElement, elements: readonly XmlElement[]): readonly string[] {
  if (![null, '', 'signing'].includes(key.getAttribute('use'))) return [];
  return elements
    .filter((element) => element.localName === 'X509Certificate' && isInside(element, key))
    .map(({ textContent }) => pemOf(textContent ?? ''));
}

function isInside(element: XmlElement, outer: XmlElement): boolean {
  for (let at = element.parentNode; at !== null; at = at.parentNode) if (at === outer) return true;
  return false;
}

function pemOf(text: string): string {
  try {
    return new X509Certificate(Buffer.from(text, 'base64')).toString();
  } catch (error) {
    throw new XmlRefused('it has a certificate that cannot be read', { cause: error });
  }
}

const bindingOf = (service: XmlElement): string | null => service.getAttribute('Binding');

function signOnOf(services: readonly XmlElement[]): IdpMetadata['signOn'] {
  const redirect = services.find((service) => bindingOf(service) === REDIRECT);
  const service = redirect ?? services.find((one) => bindingOf(one) === POST);
  if (service === undefined) throw new XmlRefused('it has no SingleSignOnService for HTTP-Redirect or HTTP-POST');
  return { url: addressOf(service, 'Location'), binding: redirect === undefined ? 'post' : 'redirect' };
}

function logoutOf(services: readonly XmlElement[]): IdpMetadata['logout'] {
  const service = services.find((one) => bindingOf(one) === REDIRECT);
  if (service === undefined) return undefined;
  const url = addressOf(service, 'Location');
  const own = service.getAttribute('ResponseLocation') ?? '';
  return { url, responseUrl: own === '' ? url : addressOf(service, 'ResponseLocation') };
}

function addressOf(service: XmlElement, attribute: string): string {
  const address = (service.getAttribute(attribute) ?? '').trim();
  if (!isSafeUrl(address))
    throw new XmlRefused(`the ${attribute} of a ${service.localName} is not an https:// address`);
  return new URL(address).href;
}

/** The earliest of the ends. */
function endOf(elements: readonly XmlElement[]): number | undefined {
  const ends = elements.flatMap((element) => {
    const text = element.getAttribute('validUntil') ?? '';
    return text === '' ? [] : [Date.parse(text)];
  });
  if (ends.some(Number.isNaN)) throw new XmlRefused('it has a validUntil that is no time');
  return ends.length === 0 ? undefined : Math.min(...ends);
}
