import { MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import type { Grants } from '../../pkg/authz/grants.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Kind } from '../kind.js';
import { type Entry, objectOf, type Reader } from '../reader.js';

/** What a decision needs of an object. */
export interface ObjectAttributes {
  readonly scopes: readonly string[];
  /** Name of the object that contains it. */
  readonly container: string | undefined;
  object(): KubeObject;
}

const NO_SCOPES: readonly string[] = [];

/** The attributes of a stored object. */
export function entryAttributes(entry: Entry): ObjectAttributes {
  const { scopes = NO_SCOPES, container } = entry.attributes;
  return { scopes, container, object: () => objectOf(entry) };
}

/** The attributes of an object that is not stored. */
export function newAttributes(kind: Kind, object: KubeObject): ObjectAttributes {
  return {
    scopes: kind.permissions?.scopes(object) ?? NO_SCOPES,
    container: kind.containment?.container(object),
    object: () => object,
  };
}

/** A verb on the objects of a kind (Kubernetes: authorizer.Attributes). */
export interface CollectionAttributes {
  readonly user: UserInfo;
  /** Kubernetes' verb. */
  readonly verb: string;
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds and across all namespaces. */
  readonly namespace: string;
}

/** A verb on one object, or on a collection. */
export interface RequestAttributes extends CollectionAttributes {
  /** Empty for collections. */
  readonly name: string;
  readonly subresource?: string;
  /** The object as it is, or for create and update as it will be. Absent if no object has the name. */
  readonly object?: ObjectAttributes;
  /** For update: the object as it is. */
  readonly old?: ObjectAttributes;
}

/** The objects of a kind that a verb of a caller is allowed on. */
export interface ReadFilter {
  /** It allows every object, also those created later. */
  readonly all: boolean;
  allows(entry: Entry): boolean;
}

/**
 * The filter of a watch. `allows` and `check` throw 410 Expired once the caller's grants, or the place of a container, have changed so that
 * the filter would be another one.
 */
export interface WatchFilter extends ReadFilter {
  check(): void;
}

/** The one authorizer of both APIs. It is pure and synchronous. Members of system:masters may do everything. */
export interface Authorizer {
  /** Throws 403 for a caller who is not allowed the verb on any object, so that the body need not be read. */
  admit(attributes: RequestAttributes, reader: Reader): void;
  /** Throws 403. Without an object it decides whether the caller may learn that there is none. */
  authorize(attributes: RequestAttributes, reader: Reader): void;
  /**
   * The second half of `authorize` for an update whose `old` was authorized before: what differs between `old` and `object`. Throws 403.
   */
  authorizeChange(attributes: RequestAttributes, reader: Reader): void;
  /**
   * The actions that the caller lacks, or that a move would give them. Empty: allowed. `undefined`: no grant allows it.
   */
  missing(attributes: RequestAttributes, reader: Reader): readonly string[] | undefined;
  /** Whether the caller has an action on an object; without an object, on any. */
  hasAction(
    attributes: CollectionAttributes,
    action: string,
    object: ObjectAttributes | undefined,
    reader: Reader,
  ): boolean;
  readFilter(attributes: CollectionAttributes, reader: Reader): ReadFilter;
  /** For a watch of what changes after a revision. Throws 410 Expired if the caller's grants have changed since then. */
  watchFilter(attributes: CollectionAttributes, cacher: Cacher, after: number): WatchFilter;
  /** For callers that show grants; decisions use `authorize`. */
  grantsOf(user: UserInfo, namespace: string, reader: Reader): Grants;
}

/** Everything that a caller is granted, worked out at one state. */
export interface ResolvedGrants {
  /** The empty namespace stands for cluster-scoped kinds. */
  grants(namespace: string): Grants;
  /** Whether the caller is a member of the namespace, even without any grant. Everybody is a member of the empty one. */
  isMember(namespace: string): boolean;
  /** Whether they are the same at another state. */
  isCurrent(reader: Reader): boolean;
}

/** Where grants come from. It is pure and synchronous, and cheap when nothing has changed. */
export interface GrantSource {
  resolve(user: UserInfo, reader: Reader): ResolvedGrants;
}

/** Whether the caller may do everything. */
export function isMaster({ groups }: UserInfo): boolean {
  return groups.includes(MASTERS_GROUP);
}
