import { XmlRefused } from './refused.js';

/** The parser and the canonical form take time with the square of them. Declarations of namespaces are some, too. */
const MOST_OF_ELEMENT = 50;
/** Providers give each group up to three. */
const MOST_OF_ALL = 5_000;

const NAME = /<\/?[^\s<>/="'!?]+/y;
const ATTRIBUTE = /\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*')/y;
const END = /\s*\/?>/y;
const DECLARATION = /^<\?xml\s[^<>]*\?>/;

/**
 * Checks the tags of a document before it is parsed. Throws XmlRefused for too many attributes, and for tags that are
 * not well-formed, which parsers repair in different ways.
 */
export function checkTags(xml: string): void {
  let all = 0;
  for (let at = xml.indexOf('<', DECLARATION.exec(xml)?.[0].length); at !== -1; at = xml.indexOf('<', at)) {
    const tag = attributesFrom(xml, endOf(NAME, xml, at));
    at = endOf(END, xml, tag.end);
    all += tag.count;
    if (all > MOST_OF_ALL) throw new XmlRefused('the document has too many attributes');
  }
}

function attributesFrom(xml: string, start: number): { readonly count: number; readonly end: number } {
  let [count, end] = [0, start];
  for (let next = matchOf(ATTRIBUTE, xml, end); next !== -1; next = matchOf(ATTRIBUTE, xml, end)) {
    end = next;
    if (++count > MOST_OF_ELEMENT) throw new XmlRefused('an element has too many attributes');
  }
  return { count, end };
}

/** Where a match at this place ends; -1 if there is none. */
function matchOf(pattern: RegExp, xml: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(xml) ? pattern.lastIndex : -1;
}

function endOf(pattern: RegExp, xml: string, at: number): number {
  const end = matchOf(pattern, xml, at);
  if (end === -1) throw new XmlRefused('the document has a tag that is not well-formed');
  return end;
}
