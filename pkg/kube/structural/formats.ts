import { isEmail } from './formats-email.js';
import { isCidr, isIPv4, isIPv6, isMac } from './formats-net.js';
import { isCreditCard, isIsbn10, isIsbn13, isSsn } from './formats-numbers.js';
import { isDate, isDateTime, isDuration } from './formats-time.js';
import { isUri } from './formats-uri.js';

/** Whether a string has a format. */
export type FormatTest = (text: string) => boolean;

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const UUID5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const OBJECT_ID = /^[0-9a-f]{24}$/i;
const HEX_COLOR = /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const RGB = /^(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])$/;
const NOT_BASE64 = /[^A-Za-z0-9+/]/;
const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/**
 * The formats of strings that Kubernetes enforces, by names without dashes
 * (apiextensions-apiserver/pkg/apiserver/validation/formats.go).
 */
const TESTS: ReadonlyMap<string, FormatTest> = new Map([
  ['bsonobjectid', (text) => OBJECT_ID.test(text)],
  ['uri', isUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', isIPv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', (text) => UUID.test(text)],
  ['uuid3', (text) => UUID3.test(text)],
  ['uuid4', (text) => UUID4.test(text)],
  ['uuid5', (text) => UUID5.test(text)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', isSsn],
  ['hexcolor', (text) => HEX_COLOR.test(text)],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && LABEL.test(text)],
  ['k8slongname', (text) => text.length <= 253 && text.split('.').every((part) => LABEL.test(part))],
] as const satisfies readonly (readonly [string, FormatTest])[]);

/** Undefined for a format that is ignored. */
export function formatTest(format: string): FormatTest | undefined {
  return TESTS.get(format.replaceAll('-', ''));
}

function isBase64(text: string): boolean {
  if (text.length === 0 || text.length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return !NOT_BASE64.test(text.slice(0, text.length - padding));
}

function isRgbColor(text: string): boolean {
  if (!text.startsWith('rgb(') || !text.endsWith(')')) return false;
  const parts = text.slice(4, -1).split(',');
  return parts.length === 3 && parts.every((part) => RGB.test(trimmed(part)));
}

function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

const MAX_HOSTNAME = 255;
const MAX_LABEL = 63;
// As in Kubernetes' pattern, a name of one label may have a dash only as its second character. Labels of longer names
// may have dashes anywhere inside.
const ONLY_LABEL = /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})$/u;
const FIRST_LABEL = /^[a-zA-Z0-9\p{S}\p{L}](?:[-a-zA-Z0-9\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;
const LAST_LABEL = /^[a-zA-Z\p{L}]{2,63}$/u;

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > MAX_HOSTNAME) return false;
  const labels = text.split('.');
  if (labels.some((label) => Buffer.byteLength(label) > MAX_LABEL)) return false;
  const last = labels.pop() ?? '';
  if (labels.length === 0) return ONLY_LABEL.test(last);
  return LAST_LABEL.test(last) && labels.every((label) => FIRST_LABEL.test(label));
}
