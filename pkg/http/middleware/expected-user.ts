import type { UserInfo } from '../../identity/authn/user.js';
import { unauthorized } from '../../kube/status/errors.js';

/**
 * The header in which a page says for whom it was made: the uid of the user, or the name of a caller without one,
 * encoded as in a URL. All pages of a browser share one session, and another of them may have changed it.
 */
export const EXPECTED_USER = 'x-expected-user';

/** Throws 401 if the page of one person is used with the session of another. */
export function assertExpected(expected: string | readonly string[] | undefined, { uid, name }: UserInfo): void {
  if (expected === undefined || expected === encodedName(uid || name)) return;
  throw unauthorized(
    `this page was made for somebody else, and the session is that of ${name} now: load the page again`,
    'auth.other-user',
  );
}

/** Half a surrogate pair cannot be encoded. It becomes U+FFFD, as where the page encodes it. */
function encodedName(name: string): string {
  return encodeURIComponent(Buffer.from(name).toString());
}
