import type { UserInfo } from '../../identity/authn/user.js';
import { extended } from '../../system/object/extended.js';
import type { EventObject } from './event.js';

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

/**
 * The object of the event, and the others that were written. If the path names no object, it is the first one that the
 * request wrote.
 */
export function objectOf(
  named: EventObject | undefined,
  changes: readonly ChangedObject[],
): { readonly object: EventObject | undefined; readonly others: readonly ChangedObject[] } {
  const [first] = changes;
  if (first === undefined) return { object: named, others: [] };
  if (named === undefined) return { object: referenceTo(first), others: changes.slice(1) };
  const own = isCollection(named, changes) ? undefined : ownOf(named, changes);
  if (own === undefined) return { object: named, others: changes };
  const { name, uid, resourceVersion } = own.reference;
  return {
    object: extended(named, { name, uid, resourceVersion }),
    others: changes.filter((one) => one !== own.change),
  };
}

/** The first change of the object, or of its kind if no name is given. */
function ownOf({ resource, apiGroup = '', name }: EventObject, changes: readonly ChangedObject[]) {
  for (const change of changes) {
    if (change.kind.resource !== resource || change.kind.group !== apiGroup) continue;
    const reference = referenceTo(change);
    if (name === undefined || reference.name === name) return { change, reference };
  }
  return undefined;
}

/** Deletions of collections: no object of the collection is more important than the others. */
function isCollection({ name }: EventObject, [first]: readonly ChangedObject[]): boolean {
  return name === undefined && first?.verb === 'delete';
}

function referenceTo({ kind, namespace, metadata }: ChangedObject): EventObject {
  return {
    resource: kind.resource,
    namespace: namespace || undefined,
    name: metadata.name,
    uid: metadata.uid,
    apiGroup: kind.group || undefined,
    apiVersion: kind.version,
    resourceVersion: metadata.resourceVersion,
  };
}

/** The most objects that an annotation names. */
const MOST_NAMED = 50;

/**
 * `create organizationbindings.iam.svc.app/default/bob, delete …`. `further` is the number of those that are not given.
 */
export function listOf(changes: readonly ChangedObject[], further: number): string {
  const texts = changes.slice(0, MOST_NAMED).map((change) => {
    const { resource, namespace, name = '', apiGroup } = referenceTo(change);
    const qualified = apiGroup === undefined ? resource : `${resource}.${apiGroup}`;
    return `${change.verb} ${[qualified, ...(namespace === undefined ? [] : [namespace]), name].join('/')}`;
  });
  const more = changes.length - texts.length + further;
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
