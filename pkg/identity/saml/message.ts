import { MOST_BYTES } from './parameter.js';
import { XmlRefused } from './refused.js';
import { checkTags } from './tags.js';
import { attributesOf, parseXml, type XmlElement } from './xml.js';

const LIMITS = { bytes: MOST_BYTES, elements: 1_500 };
/** The library takes time with the square of them. Only the values of an attribute, such as groups, may be more. */
const MOST_CHILDREN = 250;
const MOST_VALUES = 1_100;

export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';

/** A message before anybody has checked its signature. */
export interface Message {
  readonly xml: string;
  readonly root: XmlElement;
  readonly elements: readonly XmlElement[];
}

/**
 * Parses a message, before the library sees it. Throws XmlRefused for comments, processing instructions and sections of
 * character data, which programs read in different ways; for two elements with the same ID; and for weak algorithms.
 */
export async function readMessage(xml: string, name: string): Promise<Message> {
  if (/<!|<\?(?!xml\s[^<>]*\?>)/.test(xml) || xml.lastIndexOf('<?') > 0)
    throw new XmlRefused('the document has comments, instructions or a document type');
  const elements = await checkedElements(xml);
  const [root] = elements;
  if (root?.localName !== name || root.namespaceURI !== PROTOCOL) throw new XmlRefused(`the document is no ${name}`);
  return { xml, root, elements };
}

/** Parses what was encrypted in a message, with the same rules. */
export async function readDecrypted(xml: string): Promise<readonly XmlElement[]> {
  if (/<[!?]/.test(xml)) throw new XmlRefused('the encrypted assertion has comments, instructions or a document type');
  return checkedElements(xml);
}

async function checkedElements(xml: string): Promise<readonly XmlElement[]> {
  checkTags(xml);
  const elements = await parseXml(xml, LIMITS);
  checkChildren(elements);
  checkIds(elements);
  checkAlgorithms(elements);
  return elements;
}

function checkChildren(elements: readonly XmlElement[]): void {
  for (const { localName, firstChild } of elements) {
    const most = localName === 'Attribute' ? MOST_VALUES : MOST_CHILDREN;
    let count = 0;
    for (let child = firstChild; child !== null; child = child.nextSibling) count++;
    if (count > most) throw new XmlRefused('an element has too many children');
  }
}

const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';

/** The signatures that these elements have as children. Only the library knows whether they are right. */
export function signaturesOf(elements: readonly XmlElement[], signed: readonly XmlElement[]): readonly XmlElement[] {
  return elements.filter(
    ({ localName, namespaceURI, parentNode }) =>
      localName === 'Signature' && namespaceURI === SIGNATURES && parentNode !== null && signed.includes(parentNode),
  );
}

/** Signatures name what they sign by its ID. */
function checkIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap((element) =>
    attributesOf(element).filter(({ name, localName }) => /^(?:xml:)?id$/i.test(localName ?? name)),
  );
  if (new Set(ids.map(({ value }) => value)).size < ids.length) throw new XmlRefused('two elements have the same ID');
}

/** By the name of the element. All others, such as SHA-1, HMAC and PKCS #1 v1.5 for keys, are refused. */
const ALGORITHMS: Readonly<Record<string, ReadonlySet<string>>> = {
  SignatureMethod: new Set([
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ]),
  DigestMethod: new Set(['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']),
  EncryptionMethod: new Set([
    'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    'http://www.w3.org/2009/xmlenc11#aes128-gcm',
    'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
    'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  ]),
};

/**
 * The digests of OAEP, which is no signature, so SHA-1 is safe there. The library takes all other names for SHA-1, also
 * the right ones of SHA-256 and SHA-512 (XML Encryption 1.1, section 5.5.2), and then cannot decrypt.
 */
const KEY_DIGESTS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2000/09/xmldsig#sha1',
  'http://www.w3.org/2000/09/xmldsig#sha256',
  'http://www.w3.org/2000/09/xmldsig#sha512',
]);

const TO_SIGN = 'let the provider sign with RSA and SHA-256 or SHA-512';
export const TO_ENCRYPT =
  'let the provider encrypt keys by RSA-OAEP-MGF1P with the digest SHA-1, and assertions by AES';

function checkAlgorithms(elements: readonly XmlElement[]): void {
  for (const element of elements) {
    const { localName, parentNode } = element;
    const isOfKey = localName === 'DigestMethod' && parentNode?.localName === 'EncryptionMethod';
    const listed = Object.hasOwn(ALGORITHMS, localName) ? ALGORITHMS[localName] : undefined;
    const allowed = isOfKey ? KEY_DIGESTS : listed;
    if (allowed === undefined || allowed.has(element.getAttribute('Algorithm') ?? '')) continue;
    const advice = isOfKey || localName === 'EncryptionMethod' ? TO_ENCRYPT : TO_SIGN;
    throw new XmlRefused(`the ${localName} is weak or not supported: ${advice}`);
  }
}
