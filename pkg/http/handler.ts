import type { UserInfo } from '../identity/authn/user.js';
import type { DecodeLimits } from '../kube/json/members.js';
import type { AuditNotes } from './audit/notes.js';
import type { RequestOperation } from './operation.js';
import type { RemoteClient } from './peer.js';

/** A request as handlers see it: no socket, no framework. */
export interface ApiRequest {
  /** Upper case. */
  readonly method: string;
  /** Percent-encoded path without the query, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query, as they were sent, for signatures of the text. Absent where there is no HTTP. */
  readonly uri?: string;
  /** By lower-case name; several values of one header are joined with ", ". */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names and values in turn, as they were sent, for headers whose lines must not be joined. Names are in any case. */
  readonly rawHeaders: readonly string[];
  /** Read whole and within `limits.body_bytes`; empty when there is none. */
  readonly body: Uint8Array;
  /** How many values the body may have, which follows from how long it may be. Absent: the least limits. */
  readonly limits?: DecodeLimits | undefined;
  readonly user: UserInfo;
  readonly auditId: string;
  /** The caches have everything that was acknowledged before the request came: a consistent read need not wait. */
  readonly isCaughtUp?: boolean;
  /**
   * Catches up and finds the caller again. Throws 401. Absent if nothing can have changed, or if it was done before.
   * For callers who were found on a state that may be outdated, because the commit checks them.
   */
  readonly identifyAgain?: (() => Promise<void>) | undefined;
  /** The other end of the connection, or the client behind trusted proxies; absent where there is none. */
  readonly client?: RemoteClient;
  /** The notes for the audit log; absent if there is none. */
  readonly audit?: AuditNotes | undefined;
  /** The resource API sets this as soon as it knows it. Without it, the request is counted by its route. */
  operation?: RequestOperation | undefined;
  /** Headers that the answer has if the request fails, such as warnings about its body. */
  failureHeaders?: ApiResponse['headers'] | undefined;
  /** An error of the server that the answer does not tell, because the request has succeeded. It is logged. */
  fault?: unknown;
  /** Aborts when the client goes away, the request times out or the server drains. */
  readonly signal: AbortSignal;
  /**
   * The state of the signal, for code that does not wait for it: to make a signal takes as long as to decode a small
   * object.
   */
  readonly cancellation?: Pick<AbortSignal, 'aborted' | 'reason'>;
}

/**
 * An answer. A streamed body is pulled as fast as the socket takes it; its `return()` is called when the client goes
 * away.
 */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * A watch: exempt from the request timeout; headers are flushed at once; closed after 30 s in which the socket took
   * nothing.
   */
  readonly longRunning?: boolean;
}

/**
 * Throws ApiError, or rejects with one, for what the caller did. Any other error becomes a 500. The result is a promise
 * only if it must wait.
 */
export type Handler = (request: ApiRequest) => Promise<ApiResponse> | ApiResponse;
