import { ESCAPES } from '../../structural/escapes.js';
import { Uint } from '../values/value.js';
import type { Literal } from './ast.js';
import type { Token } from './lexer.js';
import { SyntaxProblem } from './source.js';

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/** The value of a number, with its sign. */
export function numberOf(token: Token, negative: boolean, at: number): Literal {
  if (token.kind === 'double') {
    const value = Number(token.text);
    if (!Number.isFinite(value)) throw new SyntaxProblem(at, 'invalid double literal');
    return negative ? -value : value;
  }
  if (token.kind === 'uint') {
    const value = BigInt(token.text.slice(0, -1));
    if (value > UINT_MAX) throw new SyntaxProblem(at, 'invalid uint literal');
    return new Uint(value);
  }
  const value = negative ? -BigInt(token.text) : BigInt(token.text);
  if (value < INT_MIN || value > INT_MAX) throw new SyntaxProblem(at, 'invalid int literal');
  return value;
}

const SIMPLE: Readonly<Record<string, string>> = { ...ESCAPES, "'": "'", '"': '"', '`': '`', '?': '?' };

/** The value of a string or of bytes. */
export function textOf({ kind, text, at }: Token): string | Uint8Array {
  const start = text.search(/["']/);
  const isRaw = /r/i.test(text.slice(0, start));
  const quotes = text.startsWith((text[start] ?? '').repeat(3), start) && text.length >= start + 6 ? 3 : 1;
  const inner = text
    .slice(start + quotes, -quotes)
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');
  if (kind === 'string') return isRaw ? inner : unescaped(inner, at);
  return isRaw ? Buffer.from(inner) : unescapedBytes(inner, at);
}

interface Escape {
  readonly code: number;
  readonly length: number;
  /** Octal and hexadecimal escapes are one byte each in bytes. */
  readonly isByte: boolean;
}

function unescaped(inner: string, at: number): string {
  const parts: string[] = [];
  let rest = 0;
  for (let i = inner.indexOf('\\'); i >= 0; i = inner.indexOf('\\', rest)) {
    const { code, length } = escapeAt(inner, i, at);
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw new SyntaxProblem(at, 'invalid unicode code point');
    parts.push(inner.slice(rest, i), String.fromCodePoint(code));
    rest = i + length;
  }
  parts.push(inner.slice(rest));
  return parts.join('');
}

function unescapedBytes(inner: string, at: number): Uint8Array {
  const parts: Buffer[] = [];
  let rest = 0;
  for (let i = inner.indexOf('\\'); i >= 0; i = inner.indexOf('\\', rest)) {
    const { code, length, isByte } = escapeAt(inner, i, at);
    if (length > 4) throw new SyntaxProblem(at, 'unable to unescape string');
    parts.push(
      Buffer.from(inner.slice(rest, i)),
      isByte ? Buffer.from([code]) : Buffer.from(String.fromCodePoint(code)),
    );
    rest = i + length;
  }
  parts.push(Buffer.from(inner.slice(rest)));
  return Buffer.concat(parts);
}

const DIGITS: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

function escapeAt(inner: string, i: number, at: number): Escape {
  const c = inner[i + 1] ?? '';
  const simple = Object.hasOwn(SIMPLE, c) ? SIMPLE[c] : undefined;
  if (simple !== undefined) return { code: simple.charCodeAt(0), length: 2, isByte: false };
  const digits = Object.hasOwn(DIGITS, c) ? DIGITS[c] : undefined;
  if (digits !== undefined) {
    const hex = inner.slice(i + 2, i + 2 + digits);
    if (!/^[0-9a-fA-F]+$/.test(hex) || hex.length < digits) throw new SyntaxProblem(at, 'unable to unescape string');
    return { code: Number.parseInt(hex, 16), length: 2 + digits, isByte: digits === 2 };
  }
  const octal = inner.slice(i + 1, i + 4);
  if (/^[0-3]/.test(c)) {
    if (!/^[0-3][0-7][0-7]$/.test(octal)) throw new SyntaxProblem(at, 'unable to unescape octal sequence in string');
    return { code: Number.parseInt(octal, 8), length: 4, isByte: true };
  }
  throw new SyntaxProblem(at, 'unable to unescape string');
}
