import { assertValid, type UserInfo } from '../../pkg/authn/user.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Bytes } from '../../storage/backend.js';
import type { TransactionState } from '../../storage/transaction.js';
import { entryAttributes, isMaster, newAttributes, type RequestAttributes } from '../authorization/authorizer.js';
import type { Kind } from '../kind.js';
import type { Entry, Reader } from '../reader.js';
import type { Registry } from '../registry.js';
import type { WriteContext } from '../strategy.js';

/** Who writes. */
export interface Caller {
  readonly user: UserInfo;
  /** The code that writes has decided that the write is allowed; `user` is only its author. */
  readonly isTrusted?: boolean;
}

/** Random values that are the same each time a transaction runs. */
export interface Entropy {
  uid(): string;
  /** Names that begin with `base`; the first that is free is used. */
  names(base: string, maxLength: number): readonly string[];
}

/** What the writes of one run of a transaction share. */
export interface WriteScope {
  readonly registry: Registry;
  readonly state: TransactionState;
  readonly reader: Reader;
  readonly entropy: Entropy;
  /** RFC 3339 in seconds. */
  readonly now: string;
  readonly isDryRun: boolean;
}

/** A kind in a namespace, and who writes to it. The namespace of cluster-scoped kinds is empty. */
export interface WriteTarget {
  readonly kind: Kind;
  readonly namespace: string;
  readonly caller: Caller;
  /** The object is written through this subresource, and the caller needs its permission. */
  readonly subresource?: SubresourceWrite;
}

/** A verb on a subresource. */
export interface SubresourceWrite {
  readonly name: string;
  readonly verb: string;
}

/** An object after a write, as bytes ready to send. After a dry run of a create it has no resourceVersion. */
export interface Written {
  readonly value: Bytes;
  /** The object is not stored any more, or would not be. */
  readonly isGone: boolean;
}

/** Makes the object to store from the stored one. It is pure, because it may be called again. It throws to refuse. */
export type Change = (old: KubeObject) => KubeObject;

/** What the hooks of a kind see. */
export function writeContext(scope: WriteScope, { namespace, caller }: WriteTarget): WriteContext {
  const { registry, reader, now } = scope;
  const { user, isTrusted = false } = caller;
  const mayEverything = isTrusted || isMaster(user);
  return {
    reader,
    user,
    namespace,
    now,
    grants: () => (mayEverything ? undefined : registry.authorizer.grantsOf(user, namespace, reader)),
  };
}

/** Internal kinds cannot be reached from outside, so the code that writes them has decided. */
function needsNoPermission({ kind, caller }: WriteTarget): boolean {
  return caller.isTrusted === true || (!kind.served && kind.permissions === undefined) || isMaster(caller.user);
}

/**
 * Asks whether the caller may do this to the object, on the state that the write commits on. Throws 403, and 401 if the caller's credential is
 * no longer valid. Without an entry it decides whether the caller may learn that there is none.
 */
export function authorizeEntry(
  scope: WriteScope,
  target: WriteTarget,
  verb: string,
  name: string,
  entry: Entry | undefined,
  subresource = '',
): void {
  assertValid(target.caller.user);
  if (needsNoPermission(target)) return;
  ask(scope, target, { verb, name, subresource, ...(entry && { object: entryAttributes(entry) }) });
}

/** The same for an update, which may go through a subresource. */
export function authorizeUpdate(scope: WriteScope, target: WriteTarget, name: string, entry: Entry | undefined): void {
  const { subresource } = target;
  authorizeEntry(scope, target, subresource?.verb ?? 'update', name, entry, subresource?.name);
}

/** The same for a new object. */
export function authorizeCreate(scope: WriteScope, target: WriteTarget, object: KubeObject): void {
  assertValid(target.caller.user);
  if (needsNoPermission(target)) return;
  ask(scope, target, { verb: 'create', name: object.metadata.name, object: attributesIn(target, object) });
}

/** Asks again if the hooks of the kind have changed what the first decision was made on. */
export function authorizePrepared(scope: WriteScope, target: WriteTarget, sent: KubeObject, object: KubeObject): void {
  if (target.kind.strategy?.prepareForCreate === undefined || needsNoPermission(target)) return;
  const [before, after] = [attributesIn(target, sent), attributesIn(target, object)];
  if (before.container === after.container && before.scopes.join() === after.scopes.join()) return;
  authorizeCreate(scope, target, object);
}

/** What an update changes about the object's place and scopes; the object as it was is authorized already. */
export function authorizeChange(scope: WriteScope, target: WriteTarget, object: KubeObject, entry: Entry): void {
  if (needsNoPermission(target)) return;
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
  scope.registry.authorizer.authorizeChange(attributes, scope.reader);
}

function attributesIn({ kind, namespace }: WriteTarget, object: KubeObject): ReturnType<typeof newAttributes> {
  if (namespace === '' || object.metadata.namespace === namespace) return newAttributes(kind, object);
  return newAttributes(kind, { ...object, metadata: { ...object.metadata, namespace } });
}

function ask(
  { registry, reader }: WriteScope,
  { kind, namespace, caller: { user } }: WriteTarget,
  rest: Pick<RequestAttributes, 'verb' | 'name' | 'subresource' | 'object'>,
): void {
  registry.authorizer.authorize({ user, kind, namespace, ...rest }, reader);
}
