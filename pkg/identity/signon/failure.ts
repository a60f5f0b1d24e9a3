import type { ForbiddenAddress } from '../../system/net/address-guard.js';

/**
 * What people see when signing in failed, by the code in `/login?error=…`. It tells strangers nothing about other
 * users.
 */
export const FAILURES = {
  password: 'The login or the password is wrong.',
  directory:
    'The login or the password is wrong, or the directory that knows it does not answer. Try again in a moment.',
  change: 'Somebody else has set your password. Choose one that only you know.',
  wait: 'There were too many attempts. Wait, then try again.',
  state: 'The sign-in has expired, was used before, or was started in another browser. Try again.',
  denied: 'The provider did not sign you in.',
  provider: 'The provider cannot be reached, or its answer is not valid. Try again, or ask an administrator.',
  settings: 'Signing in by this provider is not set up correctly. Ask an administrator.',
  not_allowed: 'Your account at the provider may not sign in here.',
  no_role: 'Your account at the provider has no role here.',
  no_account: 'You have no account here. Ask an administrator.',
  taken: 'Another account here has your login or e-mail address. Ask an administrator.',
  disabled: 'Signing in by this provider is off.',
  busy: 'Too many people are signing in. Try again in a moment.',
  unavailable: 'The server cannot answer at the moment. Try again.',
} as const;
export type FailureCode = keyof typeof FAILURES;

export function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(FAILURES, text);
}

/**
 * Signing in by a provider failed. The message is for the log of the operator, and the code for the page that people
 * see.
 */
export class SignOnFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The provider has an internal address that is not listed. The operator can change that. */
export function forbidden(error: ForbiddenAddress): SignOnFailure {
  return new SignOnFailure('settings', error.message, error);
}
