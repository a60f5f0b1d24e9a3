import { decodeJson } from '../../kube/json/decode.js';
import { isSameAddress } from '../../kube/meta/fold.js';
import { SignOnFailure } from './failure.js';

/** What a provider says about a person: an ID token, or the answer of its user address. */
export type Claims = Readonly<Record<string, unknown>>;

/** Claims are evaluated on the event loop, and a provider lets people write some of them. */
const MOST_BYTES = 256 * 1024;
const LIMITS = { depth: 20, values: 10_000 };

/** Throws SignOnFailure for claims that are no JSON object, or are too large. */
export function readClaims(bytes: Uint8Array): Claims {
  if (bytes.length > MOST_BYTES) throw new SignOnFailure('provider', 'the claims are too large');
  const value = decoded(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SignOnFailure('provider', 'the claims are no JSON object');
  }
  return value as Claims;
}

/** The same for any JSON. */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length > MOST_BYTES) throw new SignOnFailure('provider', 'the answer is too large');
  return decoded(bytes);
}

function decoded(bytes: Uint8Array): unknown {
  try {
    return decodeJson(bytes, LIMITS).value;
  } catch (error) {
    throw new SignOnFailure('provider', 'the answer is no JSON, or has too many values', error);
  }
}

/**
 * The claims of the ID token, and those of the user address that it does not have. The source of an e-mail address also
 * tells whether it is verified.
 */
export function mergeClaims(token: Claims, answer: Claims): Claims {
  const { email: _, email_verified: __, ...others } = answer;
  return token['email'] === undefined && token['email_verified'] === undefined
    ? { ...answer, ...token }
    : { ...others, ...token };
}

/** The text of a claim; empty if it has none. */
export function textClaim(claims: Claims, name: string): string {
  return textOf(Object.hasOwn(claims, name) ? claims[name] : undefined);
}

/**
 * The text of a value; empty if it has none, or only white space. Numbers above 2^53 have none: JSON.parse reads
 * different ones as the same, and so as one person.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' ? '' : value;
  return Number.isSafeInteger(value) ? String(value) : '';
}

/**
 * Whether the provider has verified that the address belongs to the person: only the boolean `true` counts (OpenID
 * Connect Core 1.0 §5.1).
 */
export function isVerified(claims: Claims, email: string): boolean {
  return claims['email_verified'] === true && email !== '' && isSameAddress(textClaim(claims, 'email'), email);
}

/**
 * The claims without e-mail addresses that `mayHave` refuses, for mappings: people can enter any address at some
 * providers. An address may be in any claim, such as `preferred_username` or `user.contact`. Lists of texts are kept,
 * because groups may be named like addresses, except those whose name says that they are mail.
 */
export function withoutAddresses(claims: Claims, mayHave: (email: string) => boolean): Claims {
  const isKept = ([name, value]: [string, unknown]): boolean => {
    if (Array.isArray(value)) return !/mail/i.test(name);
    return typeof value !== 'string' || !value.includes('@') || mayHave(value);
  };
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(isKept);
    return Object.fromEntries(kept.map(([name, member]) => [name, without(member)]));
  };
  return without(claims) as Claims;
}
