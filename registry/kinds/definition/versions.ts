import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Steps } from '../../../pkg/system/yielding/steps.js';

/** Converts stored objects of another kind to objects of this kind. Name, resourceVersion and times stay the same. */
export interface Conversion {
  /** `<plural>.<group>` of the stored kind. */
  readonly storageKind: string;
  convert(object: KubeObject): KubeObject;
  /** The same as `convert`, and as `restore`, in steps. Absent: these take no time. */
  readonly steps?: (object: KubeObject) => Steps<KubeObject>;
  readonly restoreSteps?: (object: KubeObject) => Steps<KubeObject>;
  /**
   * The stored object that an object of this kind is. Without it, the kind is read-only. It is also called with what a
   * client applies, whose members may be absent or null. It throws Invalid for what cannot be stored.
   */
  readonly restore?: (object: KubeObject) => KubeObject;
  /**
   * The members of stored objects that this kind does not have, with the values for a new object with this name. As
   * with defaults in Kubernetes, a caller who creates the object manages them, and one who applies it does not. Later
   * writes as this kind keep them. `restore` leaves them out.
   */
  readonly hiddenDefaults?: (name: string) => Partial<KubeObject>;
  /** The fields have the same paths in both kinds, so that they are managed in the form of this one. */
  readonly keepsFields?: boolean;
  /**
   * Another version of the stored kind. Writes follow its own rules, and the objects are converted when they are
   * stored. Absent: the rules of the stored kind.
   */
  readonly isVersion?: boolean;
}

/** Which other forms the objects of a kind have, and where its definition comes from. */
export interface KindVersions {
  /** The objects are stored as objects of another kind. */
  readonly conversion?: Conversion;
  /**
   * Completes an object that was stored before its definition changed, for example with a new default. It is called
   * when the object is read.
   */
  readonly completion?: {
    /** The revision of the change. */
    readonly before: number;
    /** Pure. */
    complete(object: KubeObject): KubeObject;
    /** The same in steps. Absent: it takes no time. */
    readonly steps?: (object: KubeObject) => Steps<KubeObject>;
  };
  /**
   * Makes what is served of many stored objects, in the same order, if `completion` and `conversion` take time and
   * throw Retry. Rejects with an ApiError if one of them cannot be served.
   */
  readonly serve?: (stored: readonly KubeObject[]) => Promise<readonly KubeObject[]>;
  /** The name of the object that defines the kind. Its group is whole. Absent: the kind is compiled in. */
  readonly definedBy?: string;
  /** Changes with the definition, unless its objects look as before and the same callers may see them. */
  readonly shape?: string;
}
