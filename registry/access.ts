import type { UserInfo } from '../pkg/authn/user.js';
import type { Grants } from '../pkg/authz/grants.js';
import type { KubeObject } from '../pkg/meta/types.js';
import type { Cacher } from '../storage/cacher/cacher.js';
import type { Key } from '../storage/key.js';
import type { Entry } from '../storage/state.js';
import type { Kind } from './kind.js';

export type { Entry } from '../storage/state.js';

/** What a decision reads: the caches' state, or the view that a write is evaluated on. */
export interface AccessView {
  get(key: Key): Entry | undefined;
  range(resource: string, index: string, prefix: string, limit: number): readonly Entry[];
  /** The same object as long as the resource's content is the same. */
  version(resource: string): object;
  /** Of one state, for good: what holds on it once holds always. */
  readonly isFixed?: boolean;
}

/** What a decision needs of an object. */
export interface Guarded {
  readonly scopes: readonly string[];
  /** Name of the object that it lies in. */
  readonly container: string | undefined;
  read(): KubeObject;
}

/** Who wants to do what with which kind where. */
export interface Question {
  readonly user: UserInfo;
  /** Kubernetes' verb. */
  readonly verb: string;
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds and across all namespaces. */
  readonly namespace: string;
}

export interface AccessRequest extends Question {
  /** Empty for collections. */
  readonly name: string;
  readonly subresource?: string;
  /** As it is, or on create and update as it shall be. Absent where nothing has the name. */
  readonly object?: Guarded;
  /** On update: as it is. */
  readonly old?: Guarded;
}

/** Which objects of a kind a caller may see. */
export interface Visibility {
  /** All of them, those to come too. */
  readonly all: boolean;
  sees(entry: Entry): boolean;
}

/** The same over time. `sees` and `check` throw 410 Expired once the caller's sight has changed otherwise than by events of the kind itself. */
export interface WatchVisibility extends Visibility {
  check(): void;
}

/** The one authorizer of both doors: pure and synchronous. Members of system:masters may do everything. */
export interface Access {
  /** Throws 403 in Kubernetes' words for a caller who may do this to no object at all: what follows need not be read. */
  admit(request: AccessRequest, view: AccessView): void;
  /** Throws 403 in Kubernetes' words. Without an object: whether the caller may know that there is none. */
  check(request: AccessRequest, view: AccessView): void;
  /**
   * The actions that a caller lacks for a request, or that a move would give them; none: it is allowed. `undefined`: no grant allows it.
   */
  missing(request: AccessRequest, view: AccessView): readonly string[] | undefined;
  visible(question: Question, view: AccessView): Visibility;
  /** For a watch of what changes after a revision. Throws 410 Expired if the caller's grants have changed since then. */
  watching(question: Question, cacher: Cacher, after: number): WatchVisibility;
  /** For callers that have to show grants; decisions go by `check`. */
  grantsOf(user: UserInfo, namespace: string, view: AccessView): Grants;
}

/** All that a caller is granted, and whether they may still call. */
export interface Standing {
  /** The empty namespace: cluster-scoped kinds. */
  grants(namespace: string): Grants;
  /** Whether the caller belongs to the namespace, be it without any grant; to the empty one everybody does. */
  belongs(namespace: string): boolean;
  /** Whether it is the same on another state. */
  holds(view: AccessView): boolean;
}

/** Where grants come from. Pure and synchronous, and cheap when nothing has changed. */
export interface GrantSource {
  standingOf(user: UserInfo, view: AccessView): Standing;
}
