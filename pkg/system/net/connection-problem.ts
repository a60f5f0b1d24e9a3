import { ForbiddenAddress } from './address-guard.js';

const NO_WAY = 'There is no way to the host from the network of this server.';
const CLOSED = 'The connection was closed before an answer came.';
const SLOW = 'It did not answer in time.';
const UNTRUSTED = 'Its certificate is of an authority that this server does not trust.';

/** By the codes of Node and OpenSSL. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['ABORT_ERR', SLOW],
  ['ETIMEDOUT', SLOW],
  ['ENOTFOUND', 'DNS does not know the host.'],
  ['EAI_AGAIN', 'DNS did not answer.'],
  ['ECONNREFUSED', 'The host refuses the connection: nothing listens at this port.'],
  ['ECONNRESET', CLOSED],
  ['EPIPE', CLOSED],
  ['EHOSTUNREACH', NO_WAY],
  ['ENETUNREACH', NO_WAY],
  ['CERT_HAS_EXPIRED', 'Its certificate has expired.'],
  ['CERT_NOT_YET_VALID', 'Its certificate is not valid yet.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Its certificate is for another host.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
]);

/** By the beginnings of other codes. */
const KINDS: readonly (readonly [beginning: string, words: string])[] = [
  ['EAI_', 'The host cannot be found in DNS'],
  ['HPE_', 'Something answers, but not in HTTP'],
  ['ERR_SSL_', 'TLS failed'],
  ['ERR_TLS_', 'TLS failed'],
  ['EPROTO', 'TLS failed'],
  ['', 'It cannot be reached'],
];

/** What the settings of a connection add to the words about it. */
export interface ConnectionAdvice {
  /** Is said of a certificate that is not trusted. */
  readonly untrusted?: string;
  /** Words for other codes, by their beginnings. */
  readonly kinds?: readonly (readonly [beginning: string, words: string])[];
}

/** Why another server could not be asked, for people. It contains no text of the other side, and no address. */
export function connectionProblem(error: unknown, { untrusted, kinds = [] }: ConnectionAdvice = {}): string {
  // The address is left out: somebody who may name a host must not learn from it which addresses names have in the
  // network of this server.
  if (error instanceof ForbiddenAddress) {
    const what = error.isUnencrypted ? 'It is asked without encryption' : 'It is an internal address';
    return `${what}. The operator of this server can allow it in the setting ${error.setting}.`;
  }
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== 'string') return 'It cannot be reached.';
  const words = WORDS.get(code);
  if (words === UNTRUSTED && untrusted !== undefined) return `${words} ${untrusted}`;
  const [, kind] = [...kinds, ...KINDS].find(([beginning]) => code.startsWith(beginning)) ?? [];
  return words ?? `${kind} (${code}).`;
}
