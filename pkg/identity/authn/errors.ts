import { unauthorized } from '../../kube/status/errors.js';
import { ApiError } from '../../kube/status/status.js';
import { FAILURES, type FailureCode, isFailureCode } from '../signon/failure.js';

/** Errors with the message ids that legacy clients know. A Status has the id in `details.uid`. */

export const invalidPassword = (): ApiError => unauthorized('Invalid username or password', 'password-auth.failed');

/** Nobody here has the login and the password, and the directory that may know them cannot be asked. */
export function directoryAway(): ApiError {
  return new ApiError({
    code: 503,
    reason: 'ServiceUnavailable',
    message: FAILURES.directory,
    details: { uid: `${SIGN_ON_FAILURE}directory` },
  });
}

/** The password is right, but the person may not sign in. */
export function signInRefused(code: FailureCode): ApiError {
  const details = { uid: `${SIGN_ON_FAILURE}${code.replaceAll('_', '-')}` };
  return new ApiError({ code: 403, reason: 'Forbidden', message: FAILURES[code], details });
}

/** The code of such an error; undefined for others. */
export function signInFailureOf({ details }: ApiError): FailureCode | undefined {
  const { uid = '' } = details ?? {};
  const code = uid.startsWith(SIGN_ON_FAILURE) ? uid.slice(SIGN_ON_FAILURE.length).replaceAll('-', '_') : '';
  return isFailureCode(code) ? code : undefined;
}

const SIGN_ON_FAILURE = 'sign-on.';

/** The password is right, but its user must replace it first. */
export function mustChangePassword(): ApiError {
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: 'The password must be changed first: sign in on the sign-in page, or by POST /login with newPassword',
    details: { uid: MUST_CHANGE },
  });
}
export const MUST_CHANGE = 'password-auth.must-change';

export function invalidBasicHeader(): ApiError {
  return new ApiError({
    code: 400,
    reason: 'BadRequest',
    message: 'Invalid Basic Auth Header',
    details: { uid: 'basic-auth.invalid-header' },
  });
}

const TOKEN_MESSAGES = { invalid: 'Invalid API key', expired: 'Expired API key', revoked: 'Revoked API key' } as const;

export function tokenRefused(why: keyof typeof TOKEN_MESSAGES): ApiError {
  return unauthorized(TOKEN_MESSAGES[why], `api-key.${why}`);
}

export const invalidJwt = (): ApiError => unauthorized('Invalid JWT', 'jwt.invalid');

/** A page of another site, or an unknown page, tried to use a credential that the browser sends by itself. */
export function foreignOrigin(): ApiError {
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: 'origin not allowed: a web page that makes changes must be a page of this server, or send a bearer token',
    details: { uid: 'session.origin-not-allowed' },
  });
}
