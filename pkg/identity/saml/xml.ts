import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js';
import { XmlRefused } from './refused.js';

/** The parts of a DOM element that are read here. */
export interface XmlElement {
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly parentNode: XmlElement | null;
  readonly firstChild: XmlNode | null;
  readonly attributes: { readonly length: number; item(index: number): XmlAttribute | null };
  getAttribute(name: string): string | null;
  /** The element as XML. */
  toString(): string;
}

interface XmlAttribute {
  readonly localName: string | null;
  readonly name: string;
  readonly value: string;
}

interface XmlNode extends XmlElement {
  readonly nodeType: number;
  readonly nextSibling: XmlNode | null;
}

export interface XmlLimits {
  readonly bytes: number;
  readonly elements: number;
}

const ELEMENT = 1;
const DEEPEST = 100;

/**
 * Parses a document and returns all its elements, the root first. Throws XmlRefused for one that is too large or too
 * deep, or that declares a document type: the parser never sees entities.
 */
export async function parseXml(text: string, { bytes, elements }: XmlLimits): Promise<readonly XmlElement[]> {
  if (Buffer.byteLength(text) > bytes) throw new XmlRefused('the document is too large');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new XmlRefused('the document declares a document type');
  if (occurrences(text, '<') > 2 * elements + 1) throw new XmlRefused('the document has too many elements');
  const { documentElement } = await parsed(text);
  const all = descendants(documentElement);
  if (all.length > elements) throw new XmlRefused('the document has too many elements');
  return all;
}

async function parsed(text: string): Promise<{ readonly documentElement: XmlNode }> {
  try {
    return (await parseDomFromString(text)) as { readonly documentElement: XmlNode };
  } catch (error) {
    throw new XmlRefused('the document is no XML', { cause: error });
  }
}

function occurrences(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** Without recursion, because the depth is what the sender chooses. */
function descendants(root: XmlNode): readonly XmlElement[] {
  const found: XmlElement[] = [];
  const open: { readonly node: XmlNode; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > DEEPEST) throw new XmlRefused('the document is too deep');
    found.push(node);
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (child.nodeType === ELEMENT) open.push({ node: child, depth: depth + 1 });
  }
  return found;
}

/** The attributes of an element. */
export function attributesOf({ attributes }: XmlElement): readonly XmlAttribute[] {
  return Array.from({ length: attributes.length }, (_, index) => attributes.item(index)).flatMap((one) => one ?? []);
}
