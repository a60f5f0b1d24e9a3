import { UnsafeUrl } from '../../system/net/bounded-fetch.js';
import { type ConnectionAdvice, connectionProblem } from '../../system/net/connection-problem.js';
import { SignOnFailure } from './failure.js';

const ADVICE: ConnectionAdvice = {
  untrusted: 'If it is your own authority, set tlsClientCa.',
  kinds: [['ERR_OSSL_', 'tlsClientCa, tlsClientCert or tlsClientKey cannot be used']],
};

/** Why an address of a provider could not be asked, for people. It contains no text of the other side. */
export function unreachable(error: unknown): string {
  if (error instanceof UnsafeUrl) return 'It is not an https:// address, and only this machine may be asked without.';
  return error instanceof SignOnFailure ? `${error.message}.` : connectionProblem(error, ADVICE);
}
