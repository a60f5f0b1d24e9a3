import type { UserInfo } from '../pkg/authn/user.js';
import type { Grants } from '../pkg/authz/grants.js';
import type { KubeObject } from '../pkg/meta/types.js';
import type { StatusCause } from '../pkg/status/status.js';
import type { Tuple } from '../storage/tuple.js';

/** Reads on exactly the state that the write will be put on: what a hook saw still holds when the write commits. */
export interface ObjectView {
  /** `resource` is `<plural>.<group>`. */
  get(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** Objects whose tuple in the in-memory index begins with `prefix`, in index order. */
  range(resource: string, index: string, prefix: Tuple, limit: number): readonly KubeObject[];
}

export interface WriteContext {
  readonly view: ObjectView;
  readonly user: UserInfo;
  readonly namespace: string;
  /** RFC 3339 in seconds; the same when the write is evaluated again. */
  readonly now: string;
  /** What the writer may do in the namespace; `undefined` for whoever may do everything, and where somebody else vouches for the write. */
  grants(): Grants | undefined;
}

/** An object that comes with another one. */
export interface Companion {
  /** `<plural>.<group>`; of the same namespace. */
  readonly resource: string;
  readonly name: string;
  readonly spec: unknown;
}

/** Another object, to be deleted. */
export interface Dismissal {
  /** `<plural>.<group>`; of the same namespace. */
  readonly resource: string;
  readonly name: string;
}

export interface DeleteContext extends WriteContext {
  /** Whether this object goes in the same commit. */
  isGoing(resource: string, namespace: string, name: string): boolean;
}

/**
 * The rules of one kind. Every hook is optional, pure and synchronous, and returns rather than mutates, because a write may be
 * evaluated more than once. A hook that throws ApiError refuses the request with exactly that.
 */
export interface Strategy<Spec = unknown> {
  /** Normalizes a new object, after defaulting and before the schema's and `validate`'s checks. */
  prepareForCreate?(object: KubeObject<Spec>, ctx: WriteContext): KubeObject<Spec>;
  prepareForUpdate?(object: KubeObject<Spec>, old: KubeObject<Spec>, ctx: WriteContext): KubeObject<Spec>;
  /** Checks beyond the schema; `old` is absent on create. Causes make the request Invalid. */
  validate?(object: KubeObject<Spec>, old: KubeObject<Spec> | undefined, ctx: WriteContext): readonly StatusCause[];
  /**
   * What comes with a new object in the same commit, under the rules of its own kind but with the server's rights: what gives the creator
   * rights on what they made. `sent` is the object before `prepareForCreate`.
   */
  companions?(object: KubeObject<Spec>, sent: KubeObject<Spec>, ctx: WriteContext): readonly Companion[];
  /** What goes with a change in the same commit, with the server's rights: what must not outlive how the object was. */
  dismisses?(object: KubeObject<Spec>, old: KubeObject<Spec>, ctx: WriteContext): readonly Dismissal[];
  /**
   * Refuses a deletion by throwing; called for everything that a deletion takes along. `options` are the query parameters that the kind
   * declares in `deleteOptions`.
   */
  validateDelete?(object: KubeObject<Spec>, ctx: DeleteContext, options: ReadonlyMap<string, string>): void;
  /** Advice for the writer, sent as Warning headers. */
  warnings?(object: KubeObject<Spec>): readonly string[];
}
