import type { X509Certificate } from 'node:crypto';
import type { UserInfo } from './user.js';

/** The parts of a request that can carry a credential. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The `Cookie` header. */
  readonly cookie: string | undefined;
  /** A valid client certificate that a trusted authority had signed when the connection was made. */
  readonly certificate: ClientCertificate | undefined;
  /** The address of the peer, for throttling. */
  readonly remoteAddress: string;
  /** Shows whether one of our own pages made the browser send the request. Without it, cookies are ignored. */
  readonly site?: Site;
}

/**
 * The subject of a client certificate: CN is the user, O the groups (names of RFC 4514). It is one object for all
 * requests of a connection.
 */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly x509?: X509Certificate | undefined;
}

/** The target of a request, and the origin that the request claims. */
export interface Site {
  readonly method: string;
  /** The host name and port that the client used. */
  readonly host: string | undefined;
  readonly isSecure: boolean;
  /** The `Origin` header. */
  readonly origin: string | undefined;
  /** The `Referer` header. */
  readonly referer: string | undefined;
  /** The `Sec-Fetch-Site` header. */
  readonly fetchSite: string | undefined;
  /** The `Sec-Fetch-Dest` header: what the answer is for. */
  readonly fetchDest?: string | undefined;
}

/** The parts of a request that authentication uses beside the credentials. */
export interface AuthenticationContext {
  /** Aborts when the request ends. Created on first use, because most requests need none. */
  readonly signal: AbortSignal;
  /** Adds a `Set-Cookie` header to the response. */
  setCookie?(cookie: string): void;
  /** Takes the login name of a caller whose password is checked, for the audit log; absent if there is none. */
  readonly audit?: { login: string | undefined } | undefined;
  /**
   * True once the caches have everything that was acknowledged before the request came, so nothing has to wait for that
   * again.
   */
  isCaughtUp?: boolean;
  /** True if the commit of a write checks the caller's credential again (`UserInfo.stillValid`). */
  readonly isCheckedInCommit?: boolean;
  /** True for a read that accepts any version, however old (`resourceVersion=0`). */
  readonly takesAnyVersion?: boolean;
  /**
   * True for a request about this server alone. Its caller is found in what this server knows, also while the store
   * does not answer.
   */
  readonly isAboutServer?: boolean;
}

/**
 * Returns the caller, or undefined if the request has no credential of this kind. Throws ApiError 401 if the credential
 * is wrong. Comparisons take constant time.
 */
export interface Authenticator {
  authenticate(
    credentials: Credentials,
    request: AuthenticationContext,
  ): Promise<UserInfo | undefined> | UserInfo | undefined;
}
