import { isIP } from './formats-net.js';

/** A reader of an address (RFC 5322): functions move `at`, or leave it and return false. */
interface Reader {
  readonly text: string;
  at: number;
}

const SPECIALS = '()<>[]:;@\\,"';
const [SPACE, TAB] = [' ', '\t'];

/** What mail.ParseAddress of Go accepts: `a@example.com`, `Name <a@example.com>`, or a group of one address. */
export function isEmail(text: string): boolean {
  const reader: Reader = { text, at: 0 };
  const count = address(reader, true);
  return count === 1 && skipComments(reader) && reader.at === text.length;
}

/** The number of addresses that were read, or -1 if it is none. */
function address(reader: Reader, canBeGroup: boolean): number {
  skipSpace(reader);
  if (addressSpec(reader)) {
    skipSpace(reader);
    return peek(reader) !== '(' || comment(reader) ? 1 : -1;
  }
  if (reader.at === reader.text.length) return -1;
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
  const start = reader.at;
  skipSpace(reader);
  const isRead =
    (peek(reader) === '"' ? quotedString(reader) > 0 : dotAtom(reader)) && take(reader, '@') && domain(reader);
  if (!isRead) reader.at = start;
  return isRead;
}

function domain(reader: Reader): boolean {
  skipSpace(reader);
  return peek(reader) === '[' ? domainLiteral(reader) : dotAtom(reader);
}

function domainLiteral(reader: Reader): boolean {
  const end = reader.text.indexOf(']', reader.at);
  if (end < 0) return false;
  const literal = reader.text.slice(reader.at + 1, end);
  reader.at = end + 1;
  return isIP(literal);
}

function dotAtom(reader: Reader): boolean {
  const start = reader.at;
  if (!atom(reader)) return false;
  const text = reader.text.slice(start, reader.at);
  return !text.startsWith('.') && !text.endsWith('.') && !text.includes('..');
}

function atom(reader: Reader): boolean {
  const start = reader.at;
  while (reader.at < reader.text.length && isAtomChar(peek(reader))) reader.at++;
  return reader.at > start;
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
  for (let at = reader.at + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') {
      reader.at = at + 1;
      return length;
    }
    if (char === '\\') at++;
    const read = text[at] ?? '';
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
    if (reader.at === reader.text.length) return true;
    const isWord = peek(reader) === '"' ? quotedString(reader) >= 0 : atom(reader);
    if (!isWord) return words > 0;
  }
}

function comment(reader: Reader): boolean {
  let depth = 0;
  for (; reader.at < reader.text.length; reader.at++) {
    const char = peek(reader);
    if (char === '\\' && reader.at < reader.text.length - 1) reader.at++;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    if (depth > 0) continue;
    reader.at++;
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
  while (peek(reader) === SPACE || peek(reader) === TAB) reader.at++;
}

function peek({ text, at }: Reader): string {
  return text[at] ?? '';
}

function take(reader: Reader, char: string): boolean {
  const isThere = peek(reader) === char;
  if (isThere) reader.at++;
  return isThere;
}
