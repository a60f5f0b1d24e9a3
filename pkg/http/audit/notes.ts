import type { UserInfo } from '../../identity/authn/user.js';

export interface ChangedObject {
  readonly verb: 'create' | 'update' | 'delete';
  readonly kind: { readonly group: string; readonly version: string; readonly resource: string };
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** The metadata of the object after the write. After a deletion, that of its last state. */
  readonly metadata: { readonly name: string; readonly uid?: string; readonly resourceVersion?: string };
}

/** The most changes that are kept. A deletion of a collection may have many thousands. */
const MOST_KEPT = 100;
const NONE: readonly ChangedObject[] = [];

/**
 * What handlers tell the audit log about a request. Every request has one if there is an audit log, so it must cost
 * little.
 */
export class AuditNotes {
  /** The body of the request, decoded; undefined if it was not read. Secrets are masked later. */
  body: unknown;
  /**
   * The login name of a caller whose password was checked, or the sign-on provider that was asked. The name may be
   * wrong.
   */
  login: string | undefined;
  /** Why signing in failed, if the answer is a redirect as after a success. */
  signInFailure: string | undefined;
  /** The user who signed in or out, on routes that do not authenticate their caller. */
  user: UserInfo | undefined;
  /** The first objects that the request wrote, in order. */
  changes: readonly ChangedObject[] = NONE;
  /** The number of objects that were written but are not in `changes`. */
  furtherChanges = 0;

  /** Called after each commit. */
  changed(more: readonly ChangedObject[]): void {
    const kept = more.slice(0, MOST_KEPT - this.changes.length);
    if (kept.length > 0) this.changes = [...this.changes, ...kept];
    this.furtherChanges += more.length - kept.length;
  }
}
