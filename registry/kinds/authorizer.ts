import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import type { Grants } from '../../pkg/identity/authz/grants.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import { type Entry, objectOf, type Reader } from '../read/reader.js';
import type { Kind } from './kind.js';

/** The attributes of an object that decisions are based on. */
export interface ObjectAttributes {
  readonly scopes: readonly string[];
  /** Name of the object that contains it. */
  readonly container: string | undefined;
  /** Name of the object that it is about. */
  readonly about: string | undefined;
  /** Whether it restricts itself, and what lies in it. */
  readonly isRestricted: boolean;
  /** Whether it waits for an object that it names. Absent for an object that is not stored: that does not. */
  readonly isWaiting?: boolean;
  object(): KubeObject;
}

const NO_SCOPES: readonly string[] = [];

/** The attributes of a stored object. */
export function entryAttributes(entry: Entry): ObjectAttributes {
  const { scopes = NO_SCOPES, container, about, isRestricted = false, isWaiting = false } = entry.attributes;
  return { scopes, container, about, isRestricted, isWaiting, object: () => objectOf(entry) };
}

/** The attributes of an object that is not stored. */
export function newAttributes(kind: Kind, object: KubeObject): ObjectAttributes {
  return {
    scopes: kind.permissions?.scopes(object) ?? NO_SCOPES,
    container: kind.containment?.container(object),
    about: kind.permissions?.about?.name(object),
    isRestricted: kind.permissions?.restriction?.restricts(object) === true,
    object: () => object,
  };
}

/** Whether decisions about the two are the same, except those that depend on their content. */
export function haveSameAttributes(one: ObjectAttributes, other: ObjectAttributes): boolean {
  return one.container === other.container && one.isRestricted === other.isRestricted && haveSameScopes(one, other);
}

/** The same, wherever the two lie. */
export function haveSameScopes({ scopes, about }: ObjectAttributes, other: ObjectAttributes): boolean {
  if (about !== other.about || scopes.length !== other.scopes.length) return false;
  return scopes.every((scope, i) => scope === other.scopes[i]);
}

/** A verb on the objects of a kind. Kubernetes calls this authorizer.Attributes. */
export interface CollectionAttributes {
  readonly user: UserInfo;
  /** Kubernetes' verb. */
  readonly verb: string;
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds, and for requests across all namespaces. */
  readonly namespace: string;
}

/** A verb on one object, or on a collection. */
export interface RequestAttributes extends CollectionAttributes {
  /** Empty for collections. */
  readonly name: string;
  readonly subresource?: string;
  /** The stored object; for create and update, the object after the write. Absent if no object has the name. */
  readonly object?: ObjectAttributes;
  /** For update: the stored object. */
  readonly old?: ObjectAttributes;
}

/** Decides which objects of a kind a caller may use a verb on. */
export interface ReadFilter {
  /** The filter allows every object, including objects that are created later. */
  readonly all: boolean;
  allows(entry: Entry): boolean;
  /**
   * Whether the filter allows no object that lies directly in the container. Callers then need not ask for each object.
   */
  excludes(container: string | undefined): boolean;
}

/**
 * The filter of a watch. `allows` and `check` throw 410 Expired after a change of the caller's grants, or of the parent
 * of a container, that would change the filter.
 */
export interface WatchFilter extends Pick<ReadFilter, 'all' | 'allows'> {
  check(): void;
}

/**
 * The authorizer of both APIs. It is pure and synchronous. Members of system:masters may do everything. The contract is
 * here, and not in registry/authorization, because that imports kinds, and rooms do not import each other.
 */
export interface Authorizer {
  /** Throws 403 if the caller may not use the verb on any object. The server then does not read the body. */
  admit(attributes: RequestAttributes, reader: Reader): void;
  /** Throws 403. Without an object, it decides whether the caller may learn that the object does not exist. */
  authorize(attributes: RequestAttributes, reader: Reader): void;
  /**
   * Authorizes the difference between `old` and `object`, for an update of an object that `authorize` has already
   * allowed. Throws 403.
   */
  authorizeChange(attributes: RequestAttributes, reader: Reader): void;
  /**
   * Whether the caller may use the verb only because the object is their own (`allowSelf`), for a request that
   * `authorize` has allowed.
   */
  isOwnOnly(attributes: RequestAttributes, reader: Reader): boolean;
  /** The actions that the caller lacks, or would gain by a move. Empty: allowed. `undefined`: no grant allows it. */
  missing(attributes: RequestAttributes, reader: Reader): readonly string[] | undefined;
  /** Whether the caller has an action on an object. Without an object: on any object. */
  hasAction(
    attributes: CollectionAttributes,
    action: string,
    object: ObjectAttributes | undefined,
    reader: Reader,
  ): boolean;
  /**
   * Whether the caller may write every object of the kind in the namespace that is like this one, wherever it lies.
   * Only such callers see and write objects that wait.
   */
  mayWriteEverywhere(attributes: CollectionAttributes, object: KubeObject, reader: Reader): boolean;
  /**
   * `places` reads where the objects lie, and what is restricted or waits, if that is not to be read at the state of
   * the rights.
   */
  readFilter(attributes: CollectionAttributes, reader: Reader, places?: Reader): ReadFilter;
  /** The resources whose objects decide who may see those of a kind: containers, and what objects are about. */
  decidingResources(kind: Kind): readonly string[];
  /**
   * The filter of a watch that starts after a revision. Throws 410 Expired if the caller's grants have changed since
   * then.
   */
  watchFilter(attributes: CollectionAttributes, cacher: Cacher, after: number): WatchFilter;
  /** For code that lists grants. Decisions use `authorize`. */
  grantsOf(user: UserInfo, namespace: string, reader: Reader): Grants;
}

/** All grants of a caller, resolved at one state. */
export interface ResolvedGrants {
  /** The empty namespace stands for cluster-scoped kinds. */
  grants(namespace: string): Grants;
  /**
   * Whether the caller is a member of the namespace, even without a grant. Every caller is a member of the empty
   * namespace.
   */
  isMember(namespace: string): boolean;
  /** Whether the grants are the same at another state. */
  isCurrent(reader: Reader): boolean;
}

/** The source of grants. It is pure and synchronous, and cheap while nothing has changed. */
export interface GrantSource {
  resolve(user: UserInfo, reader: Reader): ResolvedGrants;
}

/** Whether the caller may do everything. */
export function isMaster({ groups }: UserInfo): boolean {
  return groups.includes(MASTERS_GROUP);
}
