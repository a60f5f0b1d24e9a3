import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const TEXT = /^([a-z]{2,10}_[0-9A-Za-z]{32})_([0-9a-f]{8})$/;

/** Every service-account token begins with this. */
const TOKEN_PREFIX = 'glsa';

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/**
 * `glsa_<32 letters and digits>_<crc32>`: 190 random bits, and a checksum that lets scanners recognize leaked tokens.
 */
export function newToken(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  const text = `${TOKEN_PREFIX}_${secret}`;
  return `${text}_${checksum(text)}`;
}

/** Whether the text has the form of a token, including its checksum, and is worth looking up. */
export function isTokenText(text: string): boolean {
  const match = TEXT.exec(text);
  return match !== null && checksum(match[1] ?? '') === match[2];
}

/** The hash that is stored instead of a generated secret. Such secrets are random, so a fast hash is safe. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
