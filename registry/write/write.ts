import { assertValid, type UserInfo } from '../../pkg/identity/authn/user.js';
import { isPossibleName } from '../../pkg/kube/meta/names.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { extended } from '../../pkg/system/object/extended.js';
import type { Bytes, Revision } from '../../storage/backend.js';
import { partsOf } from '../../storage/key.js';
import {
  entryAttributes,
  haveSameAttributes,
  isMaster,
  newAttributes,
  type RequestAttributes,
} from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { isOrphaned } from '../kinds/orphans.js';
import { namespaceOf, requireKind } from '../kinds/registry.js';
import type { MissingObject, WriteContext } from '../kinds/strategy.js';
import { type Entry, objectOf } from '../read/reader.js';
import { Retry } from '../signals/retry.js';
import { type Forms, formsOf } from './forms.js';
import type { Transaction } from './transaction.js';

/** The author of writes. */
export interface Caller {
  readonly user: UserInfo;
  /** Skips the permission check, because the calling code has authorized the write. */
  readonly isTrusted?: boolean;
  /** The name under which the written fields are managed. Absent: the server itself. */
  readonly fieldManager?: string;
  /** Objects that name missing objects are stored, and wait for them. Absent: they are refused. */
  readonly waits?: boolean;
  /** The writes are those of a provisioning system, which keeps objects that people should not change by hand. */
  readonly provisions?: boolean;
  /** Objects keep what they have of another server: times, authors and integer ids (docs/adr/0064). */
  readonly keepsOrigin?: boolean;
}

/**
 * A kind in a namespace, and the caller who writes to it. The namespace of cluster-scoped kinds is empty. `kind` is the
 * stored one, and `requestedKind` is `VerbTarget.kind` of the resource API (registry/rest/verb.ts).
 */
export interface WriteTarget extends Forms {
  readonly namespace: string;
  readonly caller: Caller;
  /** The subresource that the write goes through. The caller needs its permission. */
  readonly subresource: SubresourceWrite | undefined;
  /** False for the server itself, and for callers who may do everything. */
  readonly needsPermission: boolean;
}

/**
 * The namespace of cluster-scoped kinds is ignored. Internal kinds are written by the server only, so their writes need
 * no permission.
 */
export function targetOf(
  kind: Kind,
  namespace: string,
  caller: Caller,
  subresource?: SubresourceWrite,
  requestedKind = kind,
): WriteTarget {
  const isGuarded = kind.served || kind.permissions !== undefined;
  const needsPermission = isGuarded && caller.isTrusted !== true && !isMaster(caller.user);
  return {
    ...formsOf(kind, requestedKind),
    namespace: namespaceOf(kind, namespace),
    caller,
    subresource,
    needsPermission,
  };
}

/** A verb on a subresource. */
export interface SubresourceWrite {
  readonly name: string;
  readonly verb: string;
  /**
   * Fields are managed under the name of the subresource, as those of the status always are. Absent: as if the object
   * was written.
   */
  readonly managesFields?: boolean;
}

/** An object after a write, as bytes ready to send. After a dry run of a create, it has no resourceVersion. */
export interface WriteResult {
  readonly value: Bytes;
  /** The same object, which the reader of the answer need not decode. It is shared: nobody may change it. */
  readonly object: KubeObject;
  /** The write removed the object, or would have removed it without dry run. */
  readonly isGone: boolean;
  /** Warnings for the caller about the write. */
  readonly warnings?: readonly string[];
  /** An apply made the object. */
  readonly isNew?: boolean;
  /** Nothing differed, so nothing was written. */
  readonly isSame?: boolean;
  /** What was deleted together with the object: the number of objects by kind. */
  readonly took?: ReadonlyMap<string, number>;
}

/** An object with the revision of its write, which a dry run of a create does not have. */
export function withVersion(object: KubeObject, revision: Revision | undefined): KubeObject {
  if (revision === undefined) return object;
  return { ...object, metadata: extended(object.metadata, { resourceVersion: String(revision) }) };
}

/**
 * Returns the new object, given the old one. Both are of the kind that the request names. It must be pure, because it
 * may be called again. It throws to refuse the write.
 */
export type ObjectChange = (old: KubeObject) => KubeObject;

/** A result, or the steps to it, for work that takes as long as its request is large. */
export type Stepwise<Result> = Result | Generator<undefined, Result, undefined>;

export type ChangeSteps = (old: KubeObject) => Stepwise<KubeObject>;

/** Does the steps, if there are any. */
export function* resultOf<Result extends object>(result: Stepwise<Result>): Generator<undefined, Result, undefined> {
  return Symbol.iterator in result ? yield* result : result;
}

/** The object that a write is about. One whose owner is gone is not there, except for the server, which removes it. */
export function targetEntry({ reader }: Transaction, target: WriteTarget, name: string): Entry | undefined {
  const { kind, namespace, caller } = target;
  const entry = reader.entry(kind.qualified, namespace, name);
  if (entry === undefined || caller.isTrusted === true) return entry;
  return isOrphaned(kind, entry, reader) ? undefined : entry;
}

/** The context of the hooks of a kind. */
export function writeContext(transaction: Transaction, target: WriteTarget): WriteContext {
  const { namespace, caller } = target;
  const { registry, reader, now, isDryRun, warnings, later } = transaction;
  const { user, isTrusted, waits, provisions } = caller;
  const maySeeAll = isTrusted === true || isMaster(user);
  const update = { user, verb: 'update', kind: target.kind, namespace };
  const isVisible = (kind: Kind, where: string, entry: Entry): boolean => {
    const { name } = partsOf(entry.key);
    const attributes = { user, verb: 'get', kind, namespace: where, name, object: entryAttributes(entry) };
    return maySeeAll || registry.authorizer.missing(attributes, reader)?.length === 0;
  };
  return {
    reader,
    user,
    namespace,
    now,
    ...(later && { later }),
    ...(provisions === true && { isProvisioning: true }),
    ...(waits === true &&
      target.kind.waits && {
        mayWait: (object: KubeObject, { resource, name }: MissingObject) =>
          isPossibleName(name, requireKind(registry, resource).names) &&
          (maySeeAll || registry.authorizer.mayWriteEverywhere(update, object, reader)),
      }),
    warn: (message: string) => void warnings.push(message),
    ...(isDryRun && { warnMissing: (message: string) => void warnings.push(message) }),
    grants: () => (maySeeAll ? undefined : registry.authorizer.grantsOf(user, namespace, reader)),
    visible: (resource, where, name) => {
      const kind = requireKind(registry, resource);
      const entry = reader.entry(resource, where, name);
      return entry !== undefined && isVisible(kind, where, entry) ? objectOf(entry) : undefined;
    },
  };
}

/** What is thrown if a write was decoded or is checked by a kind that its state does not have any more. */
export function definitionChanged({ kind, qualified }: Pick<Kind, 'kind' | 'qualified'>): Retry {
  return new Retry(`the definition of ${kind} (${qualified}) has just changed`);
}

/** Throws Retry. What a write was checked by must be the definition that the state has on which it commits. */
function assertCurrent({ registry, state }: Transaction, { kind, requestedKind }: WriteTarget): void {
  if (!registry.hasKind(requestedKind, state) || !registry.hasKind(kind, state)) throw definitionChanged(requestedKind);
}

/**
 * Authorizes the verb on the object, on the state that the write commits on. Throws 403, and 401 if the caller's
 * credential is no longer valid. Without an entry, it decides whether the caller may learn that the object does not
 * exist.
 */
export function authorizeEntry(
  transaction: Transaction,
  target: WriteTarget,
  verb: string,
  name: string,
  entry: Entry | undefined,
  subresource = '',
): void {
  assertCurrent(transaction, target);
  assertValid(target.caller.user);
  if (!target.needsPermission) return;
  authorize(transaction, target, { verb, name, subresource, ...(entry && { object: entryAttributes(entry) }) });
}

/** The same for an update of the object or of a subresource. */
export function authorizeUpdate(
  transaction: Transaction,
  target: WriteTarget,
  name: string,
  entry: Entry | undefined,
): void {
  const { subresource } = target;
  authorizeEntry(transaction, target, subresource?.verb ?? 'update', name, entry, subresource?.name);
}

/** The same for a new object. */
export function authorizeCreate(transaction: Transaction, target: WriteTarget, object: KubeObject): void {
  assertCurrent(transaction, target);
  assertValid(target.caller.user);
  if (!target.needsPermission) return;
  authorize(transaction, target, { verb: 'create', name: object.metadata.name, object: attributesIn(target, object) });
}

/**
 * Authorizes a create again if the object to store has other attributes than the first decision used: a hook of the
 * kind has changed them, or they came of what a client may not set, such as the label of the integer id.
 */
export function authorizePrepared(
  transaction: Transaction,
  target: WriteTarget,
  sent: KubeObject,
  object: KubeObject,
): void {
  if (!target.needsPermission) return;
  const [before, after] = [attributesIn(target, sent), attributesIn(target, object)];
  if (haveSameAttributes(before, after)) return;
  authorizeCreate(transaction, target, object);
}

/**
 * Authorizes the change of the object's container and scopes. The update of the stored object must be authorized
 * before.
 */
export function authorizeChange(transaction: Transaction, target: WriteTarget, object: KubeObject, entry: Entry): void {
  if (!target.needsPermission) return;
  const { kind, namespace, caller } = target;
  const attributes = {
    user: caller.user,
    verb: 'update',
    kind,
    namespace,
    name: object.metadata.name,
    object: newAttributes(kind, object),
    old: entryAttributes(entry),
  };
  transaction.registry.authorizer.authorizeChange(attributes, transaction.reader);
}

function attributesIn({ kind, namespace }: WriteTarget, object: KubeObject): ReturnType<typeof newAttributes> {
  if (namespace === '' || object.metadata.namespace === namespace) return newAttributes(kind, object);
  return newAttributes(kind, { ...object, metadata: { ...object.metadata, namespace } });
}

function authorize(
  { registry, reader }: Transaction,
  { kind, namespace, caller: { user } }: WriteTarget,
  rest: Pick<RequestAttributes, 'verb' | 'name' | 'subresource' | 'object'>,
): void {
  registry.authorizer.authorize({ user, kind, namespace, ...rest }, reader);
}
