import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Grants } from '../../pkg/identity/authz/grants.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import type { Reader } from '../read/reader.js';

/** An object that does not exist. */
export interface MissingObject {
  /** `<plural>.<group>`. */
  readonly resource: string;
  readonly name: string;
}

export interface WriteContext {
  /** Reads the state that the write commits on. Whatever a hook reads is therefore still true at the commit. */
  readonly reader: Reader;
  readonly user: UserInfo;
  readonly namespace: string;
  /** RFC 3339 in seconds. It is the same when the transaction runs again. */
  readonly now: string;
  /**
   * In a dry run: takes a warning about a missing object, instead of a refusal. An earlier object of the same manifest
   * may create it.
   */
  readonly warnMissing?: (message: string) => void;
  /**
   * Whether the object may be stored although it names an object that does not exist. The object then waits for it.
   * Absent: it may not be stored.
   */
  readonly mayWait?: (object: KubeObject, missing: MissingObject) => boolean;
  /** A provisioning system writes. */
  readonly isProvisioning?: boolean;
  /** Takes advice for the author of the write. */
  readonly warn?: (message: string) => void;
  /**
   * Takes checks that are made at the end of the transaction, where a request writes many objects. Absent: they are
   * made at once.
   */
  readonly later?: ((check: () => void) => void) | undefined;
  /** The caller's grants in the namespace. `undefined` for a caller who may do everything, and for trusted writes. */
  grants(): Grants | undefined;
  /**
   * The object, if it exists and the caller may view it. A rule about an object that a caller names reads it this way,
   * so that its refusal does not tell which hidden objects exist. Trusted writes may view everything.
   */
  visible(resource: string, namespace: string, name: string): KubeObject | undefined;
}

/** A write of one object. For a deletion, `object` is absent, and for a new object, `old`. */
export interface ObjectChange<Spec = unknown> {
  readonly object: KubeObject<Spec> | undefined;
  readonly old: KubeObject<Spec> | undefined;
}

/** An object to create together with another one, in the same namespace. */
export interface AlsoCreate {
  /** `<plural>.<group>`. */
  readonly resource: string;
  readonly name: string;
  readonly spec: unknown;
}

/** An object to delete together with the change of another one, in the same namespace. */
export interface AlsoDelete {
  /** `<plural>.<group>`. */
  readonly resource: string;
  readonly name: string;
}

/** An object to create or to change together with another one, in the same namespace. */
export type AlsoWrite = AlsoCreate;

export interface DeleteContext extends WriteContext {
  /** Whether the same commit deletes this object, even if it stays terminating. */
  isGoing(resource: string, namespace: string, name: string): boolean;
}

/** A validation that pauses. It returns the causes. */
export type ValidationSteps = Generator<undefined, readonly StatusCause[], undefined>;

/**
 * The rules of one kind. Every hook is optional, pure and synchronous. It returns a new object and mutates nothing,
 * because a transaction may run more than once and objects are shared. An ApiError that a hook throws is the answer to
 * the request.
 */
export interface Strategy<Spec = unknown> {
  /** Normalizes a new object, after the schema has set its defaults and before `validate`. */
  prepareForCreate?(object: KubeObject<Spec>, ctx: WriteContext): KubeObject<Spec>;
  prepareForUpdate?(object: KubeObject<Spec>, old: KubeObject<Spec>, ctx: WriteContext): KubeObject<Spec>;
  /** Checks beyond the schema. `old` is absent on create. Causes make the request Invalid. */
  validate?(object: KubeObject<Spec>, old: KubeObject<Spec> | undefined, ctx: WriteContext): readonly StatusCause[];
  /** Checks an object whose status is to be replaced by itself. Causes make the request Invalid. */
  validateStatus?(object: KubeObject<Spec>, old: KubeObject<Spec>, ctx: WriteContext): readonly StatusCause[];
  /**
   * In place of `validate`, for a kind whose objects may take long to check: the event loop takes its turns between the
   * steps.
   */
  validateInSteps?(object: KubeObject<Spec>, old: KubeObject<Spec> | undefined, ctx: WriteContext): ValidationSteps;
  /** In place of `validateStatus`. */
  validateStatusInSteps?(object: KubeObject<Spec>, old: KubeObject<Spec>, ctx: WriteContext): ValidationSteps;
  /**
   * The objects to create together with a new object in the same commit, for example a binding that grants permissions
   * to the creator. The rules of their own kinds apply. They are written with the server's permissions. `sent` is the
   * object before `prepareForCreate`.
   */
  alsoCreate?(object: KubeObject<Spec>, sent: KubeObject<Spec>, ctx: WriteContext): readonly AlsoCreate[];
  /**
   * The objects to create, or to give this spec, together with a new object or a change, in the same commit: for
   * example the secrets that are kept apart from an object. They are written with the server's permissions. `sent` is
   * the object before `prepareForCreate` or `prepareForUpdate`. It is not called if nothing changes.
   */
  alsoWrite?(
    object: KubeObject<Spec>,
    sent: KubeObject<Spec>,
    old: KubeObject<Spec> | undefined,
    ctx: WriteContext,
  ): readonly AlsoWrite[];
  /**
   * The objects to delete together with a change, such as the sessions of a disabled user. They are deleted with the
   * server's permissions.
   */
  alsoDelete?(object: KubeObject<Spec>, old: KubeObject<Spec>, ctx: WriteContext): readonly AlsoDelete[];
  /**
   * Throws to refuse a deletion. It is called for every object of the cascade. `options` are the query parameters that
   * the kind declares in `deleteOptions`.
   */
  validateDelete?(object: KubeObject<Spec>, ctx: DeleteContext, options: ReadonlyMap<string, string>): void;
  /**
   * Changes an object that gets its deletionTimestamp, and stays until its finalizers are gone. `now` is in RFC 3339 in
   * seconds.
   */
  prepareForTermination?(object: KubeObject<Spec>, now: string): KubeObject<Spec>;
  /**
   * What a write means for others, such as who loses access by a move. It is sent as Warning headers, also by a dry
   * run. For a deletion, `object` is absent, and only the object of the request is asked about. For a new object, `old`
   * is absent. In steps, because many people may be affected.
   */
  consequences?(
    object: KubeObject<Spec> | undefined,
    old: KubeObject<Spec> | undefined,
    ctx: WriteContext,
  ): Steps<readonly string[]>;
  /**
   * In place of `consequences`, for a kind of which several objects together decide. It is called once for all objects
   * that a request writes in a namespace, each with what it was before the request. `ctx.reader` may have them already.
   */
  consequencesTogether?(changes: readonly ObjectChange<Spec>[], ctx: WriteContext): Steps<readonly string[]>;
  /** Advice for the writer, sent as Warning headers. */
  warnings?(object: KubeObject<Spec>): readonly string[];
}
