import type { UserInfo } from './user.js';

/** The parts of a request that can carry a credential. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The `Cookie` header. */
  readonly cookie: string | undefined;
  /** Subject of a client certificate that our CA signed and that is in date: CN is the user, O its groups (RFC 4514 names). */
  readonly certificate: { readonly commonName: string; readonly organizations: readonly string[] } | undefined;
  /** The peer's address, for throttling. */
  readonly remoteAddress: string;
  /** What tells whether a browser was sent here by one of our own pages; without it no cookie counts. */
  readonly site?: Site;
}

/** Where a request goes, and where it says that it comes from. */
export interface Site {
  readonly method: string;
  /** Name and port that the client used. */
  readonly host: string | undefined;
  readonly isSecure: boolean;
  /** The `Origin` header. */
  readonly origin: string | undefined;
  /** The `Referer` header. */
  readonly referer: string | undefined;
  /** The `Sec-Fetch-Site` header. */
  readonly fetchSite: string | undefined;
}

/** Made when it is asked for: most requests are answered before anyone waits. */
export interface Abortable {
  readonly signal: AbortSignal;
  /** Adds a `Set-Cookie` to the answer. */
  setCookie?(cookie: string): void;
  /** Set by who waited until the caches had everything that was acknowledged before the request came: nobody need wait again. */
  isCaughtUp?: boolean;
  /** What is written asks again, in the commit, whether the caller's credential counts (`UserInfo.stillValid`). */
  readonly isCheckedInCommit?: boolean;
  /** A read that is to be answered from what is there, however old (`resourceVersion=0`). */
  readonly takesAnyVersion?: boolean;
}

/**
 * Knows the caller (UserInfo), has nothing to say about this kind of credential (undefined), or throws ApiError 401 when a
 * credential of its kind is wrong. Comparisons are constant-time.
 */
export interface Authenticator {
  authenticate(credentials: Credentials, request: Abortable): Promise<UserInfo | undefined> | UserInfo | undefined;
}
