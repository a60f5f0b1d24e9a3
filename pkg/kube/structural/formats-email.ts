import { isIP } from './formats-net.js';

/** A reader of an address (RFC 5322): functions move `offset`, or leave it and return false. */
interface Reader {
  readonly text: string;
  offset: number;
}

const SPECIALS = '()<>[]:;@\\,"';
const [SPACE, TAB] = [' ', '\t'];

/** What mail.ParseAddress of Go accepts: `a@example.com`, `Name <a@example.com>`, or a group of one address. */
export function isEmail(text: string): boolean {
  const reader: Reader = { text, offset: 0 };
  const count = address(reader, true);
  return count === 1 && skipComments(reader) && reader.offset === text.length;
}

/** The number of addresses that were read, or -1 if it is none. */
function address(reader: Reader, canBeGroup: boolean): number {
  skipSpace(reader);
  if (addressSpec(reader)) {
    skipSpace(reader);
    return peek(reader) !== '(' || comment(reader) ? 1 : -1;
  }
  if (reader.offset === reader.text.length) return -1;
  if (peek(reader) !== '<' && !phrase(reader)) return -1;
  skipSpace(reader);
  if (canBeGroup && take(reader, ':')) return group(reader);
  return take(reader, '<') && addressSpec(reader) && take(reader, '>') ? 1 : -1;
}

function group(reader: Reader): number {
  skipSpace(reader);
  if (take(reader, ';')) return skipComments(reader) ? 0 : -1;
  for (let count = 1; ; count++) {
    skipSpace(reader);
    if (address(reader, false) < 0 || !skipComments(reader)) return -1;
    if (take(reader, ';')) return skipComments(reader) ? count : -1;
    if (!take(reader, ',')) return -1;
  }
}

function addressSpec(reader: Reader): boolean {
  const start = reader.offset;
  skipSpace(reader);
  const isRead =
    (peek(reader) === '"' ? quotedString(reader) > 0 : dotAtom(reader)) && take(reader, '@') && domain(reader);
  if (!isRead) reader.offset = start;
  return isRead;
}

function domain(reader: Reader): boolean {
  skipSpace(reader);
  return peek(reader) === '[' ? domainLiteral(reader) : dotAtom(reader);
}

function domainLiteral(reader: Reader): boolean {
  const end = reader.text.indexOf(']', reader.offset);
  if (end < 0) return false;
  const literal = reader.text.slice(reader.offset + 1, end);
  reader.offset = end + 1;
  return isIP(literal);
}

function dotAtom(reader: Reader): boolean {
  const start = reader.offset;
  if (!atom(reader)) return false;
  const text = reader.text.slice(start, reader.offset);
  return !text.startsWith('.') && !text.endsWith('.') && !text.includes('..');
}

function atom(reader: Reader): boolean {
  const start = reader.offset;
  while (reader.offset < reader.text.length && isAtomChar(peek(reader))) reader.offset++;
  return reader.offset > start;
}

function isAtomChar(char: string): boolean {
  return isVisible(char) && !SPECIALS.includes(char);
}

function isVisible(char: string): boolean {
  return char >= '!' && char !== '\u007f';
}

/** The number of characters in it, or -1 if it is wrong, and then nothing is read. */
function quotedString(reader: Reader): number {
  const { text } = reader;
  let length = 0;
  for (let offset = reader.offset + 1; offset < text.length; offset++) {
    const char = text[offset] ?? '';
    if (char === '"') {
      reader.offset = offset + 1;
      return length;
    }
    if (char === '\\') offset++;
    const read = text[offset] ?? '';
    if (read === '' || !(isVisible(read) || read === SPACE || read === TAB)) return -1;
    length++;
  }
  return -1;
}

/** The words of a name. Comments may stand between them. */
function phrase(reader: Reader): boolean {
  for (let words = 0; ; words++) {
    if (words > 0 && !skipComments(reader)) return false;
    skipSpace(reader);
    if (reader.offset === reader.text.length) return true;
    const isWord = peek(reader) === '"' ? quotedString(reader) >= 0 : atom(reader);
    if (!isWord) return words > 0;
  }
}

function comment(reader: Reader): boolean {
  let depth = 0;
  for (; reader.offset < reader.text.length; reader.offset++) {
    const char = peek(reader);
    if (char === '\\' && reader.offset < reader.text.length - 1) reader.offset++;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    if (depth > 0) continue;
    reader.offset++;
    return true;
  }
  return false;
}

function skipComments(reader: Reader): boolean {
  skipSpace(reader);
  while (peek(reader) === '(') {
    if (!comment(reader)) return false;
    skipSpace(reader);
  }
  return true;
}

function skipSpace(reader: Reader): void {
  while (peek(reader) === SPACE || peek(reader) === TAB) reader.offset++;
}

function peek({ text, offset }: Reader): string {
  return text[offset] ?? '';
}

function take(reader: Reader, char: string): boolean {
  const isThere = peek(reader) === char;
  if (isThere) reader.offset++;
  return isThere;
}
