import { unauthorized } from '../../kube/status/errors.js';
import { ApiError } from '../../kube/status/status.js';

/** Errors with the message ids that legacy clients know. A Status has the id in `details.uid`. */

export const invalidPassword = (): ApiError => unauthorized('Invalid username or password', 'password-auth.failed');

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
