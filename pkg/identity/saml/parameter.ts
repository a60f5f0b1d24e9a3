import { XmlRefused } from './refused.js';

/** The most bytes of a message that a browser brings. One with 1,000 groups has a third of them. */
export const MOST_BYTES = 256 * 1024;

/** The text of a parameter of the POST binding. Throws XmlRefused. */
export function decodeBase64(parameter: string): string {
  const packed = parameter.replaceAll(/\s/g, '');
  if (packed.length > 2 * MOST_BYTES) throw new XmlRefused('the document is too large');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) throw new XmlRefused('the parameter is not in base64');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(packed, 'base64'));
  } catch (error) {
    throw new XmlRefused('the document is not in UTF-8', { cause: error });
  }
}
