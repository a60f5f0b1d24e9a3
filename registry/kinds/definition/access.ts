import type { UserInfo } from '../../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Reports } from '../reports.js';

/**
 * The actions that each verb needs. `list` and `watch` count as `get`, `patch` as `update`, and `deletecollection` as
 * `delete`.
 */
export interface Actions {
  readonly get: readonly string[];
  readonly create: readonly string[];
  readonly update: readonly string[];
  readonly delete: readonly string[];
}

/**
 * Who may do what: the actions that a verb needs (`folders:read`), and the scopes that an object has
 * (`folders:uid:ops`). A caller needs every action of the verb, each on one of the scopes. An object also has the
 * scopes of its containers.
 */
export interface Permissions extends Actions {
  /** For objects that need other actions than the kind. */
  readonly actionsOf?: (object: KubeObject) => Actions | undefined;
  /** The actions needed on the destination when an object is moved to another container. Absent: those of `create`. */
  readonly move?: readonly string[];
  /**
   * By subresource and verb. Absent: reading a subresource needs the actions of `get`, and other verbs need those of
   * `update`.
   */
  readonly subresources?: Readonly<Record<string, Partial<Actions>>>;
  /**
   * The narrowest scopes of an object, such as `folders:uid:ops`. The scopes of a kind whose objects contain others
   * must follow from the name alone.
   */
  scopes(object: KubeObject): readonly string[];
  /** Restricts objects: permissions of the basic roles do not hold on them and their contents (docs/adr/0045). */
  readonly restriction?: Restriction;
  /**
   * The object that each object is about, such as the dashboard of a permission: an object of another kind in the same
   * namespace. An object also has the scopes of the object that it is about, and of the containers of that.
   */
  readonly about?: {
    /** `<plural>.<group>`. */
    readonly resource: string;
    readonly name: (object: KubeObject) => string | undefined;
  };
  /**
   * Whether the caller needs no grant for this object, such as a user for their own preferences. It is called for
   * members of the namespace only. `verb` is a key of `Actions`; for a subresource without actions of its own it is
   * `get` or `update`. If no object has the name, it is called with an object without spec, because a caller who may
   * view an object may also learn that it does not exist.
   */
  readonly allowSelf?: (object: KubeObject, user: UserInfo, verb: string) => boolean;
}

/** A restricted object restricts all that lies in it, at any depth. */
interface Restriction {
  /** Pure. Called when an object is loaded. */
  readonly restricts: (object: KubeObject) => boolean;
  /** The actions that a caller needs on an object to restrict it, and to end the restriction. */
  readonly actions: readonly string[];
  /** The annotation that restricts. */
  readonly annotation: string;
}

/** Who may do what with the objects of a kind, and who is told of it. */
export interface KindAccess {
  /** Without permissions, only system:masters and server administrators may use the kind. */
  readonly permissions?: Permissions;
  /** Only the server sets the status. */
  readonly hasOwnStatus?: boolean;
  /** Clients can only read. */
  readonly isReadOnly?: boolean;
  /** False: there is no DELETE of a collection, as for the namespaces of Kubernetes. Absent is true. */
  readonly deletesCollections?: boolean;
  /** What people are told about writes, by events. */
  readonly reports?: Reports;
}
