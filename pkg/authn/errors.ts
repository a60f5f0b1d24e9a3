import { unauthorized } from '../status/errors.js';
import { ApiError } from '../status/status.js';

/** Refusals with the message ids that legacy clients know; a Status carries the id in `details.uid`. */

export const invalidPassword = (): ApiError => unauthorized('Invalid username or password', 'password-auth.failed');

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

/** A page of another site, or of none, tried to act with the browser's cookie. */
export function foreignOrigin(): ApiError {
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: 'origin not allowed: a web page that changes something with a session cookie must be one of this server',
    details: { uid: 'session.origin-not-allowed' },
  });
}
