import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Tuple } from '../../../storage/state/tuple.js';
import type { Reader } from '../../read/reader.js';
import type { Dependence, Expiry } from '../dependence.js';
import type { WriteOnly } from '../write-only.js';

/**
 * Declares that another object of the same namespace contains each object. An object is deleted together with its
 * container.
 */
export interface Containment {
  /** `<plural>.<group>` of the container. */
  readonly resource: string;
  /** Name of the container. `undefined` at the root. */
  container(object: KubeObject): string | undefined;
  /** The path of the name in the object, for messages. */
  readonly field: string;
  /**
   * The annotation with the name. It is not content: a restored version brings it back only if the caller asks for it.
   */
  readonly annotation?: string;
  /** The name of the root in scopes and for clients, such as `general`. The root is not an object. */
  readonly root?: string;
}

/**
 * The name of another object, in an object. The other object must exist. When it is deleted, the object is deleted with
 * it.
 */
export interface Reference {
  /** `<plural>.<group>`. */
  readonly resource: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** The path of the name in the object, for messages. */
  readonly field: string;
  /** The other object need not exist. If it exists and is deleted, the object is deleted with it. */
  readonly optional?: boolean;
}

/**
 * How the objects of a kind are stored: how they are found, which other objects they need, and how long and how much of
 * them is kept.
 */
export interface KindStorage {
  /** Indexes by name. Each function returns the tuples of an object in the index. */
  readonly indexers?: Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>>;
  /** Indexers whose tuples are unique. `message` refuses a second object with the same tuple. */
  readonly uniques?: Readonly<Record<string, { readonly field: string; readonly message: string }>>;
  readonly containment?: Containment;
  readonly references?: (object: KubeObject) => readonly Reference[];
  /** The objects that the objects of the kind belong to. */
  readonly dependsOn?: Dependence;
  /** How long the objects are kept. */
  readonly expiry?: Expiry;
  /**
   * The server keeps earlier versions. `versions` is the most that it keeps of an object, if that is less than the
   * setting.
   */
  readonly history?: { readonly versions?: number };
  /** Deleted objects can come back, with all objects that were deleted together with them. */
  readonly trash?: boolean;
  /**
   * The annotations and labels of this kind below the domain's prefix, without the prefix: `folder`. All others below
   * it are reserved.
   */
  readonly ownKeys?: readonly string[];
  /** Gives each object the next integer in the label `<domain>/deprecatedInternalID`. */
  readonly internalId?: boolean;
  /** `<plural>.<group>` of the kind with the sequence of the integers, if two kinds share one sequence. */
  readonly idSequence?: string;
  /** The name of a new object that has none, from its integer. */
  readonly nameOf?: (id: number) => string;
  /** The parts of an object beside its spec that increment `generation` when they change. */
  readonly generationCounts?: (object: KubeObject) => readonly (string | undefined)[];
  /**
   * The most bytes of a stored object, with its metadata. Kinds whose objects anybody may write for themselves
   * (`allowSelf`) have such a bound. Otherwise everybody who may sign in could fill the disk.
   */
  readonly maxBytes?: number;
  /**
   * The user whose personal bytes an object counts for (`limits.personal_bytes`): `user:<uid>`. `undefined`: it is
   * nobody's. Kinds whose objects anybody may write for themselves have this, too.
   */
  readonly chargedTo?: (object: KubeObject) => string | undefined;
  /** The finalizer that a deletion adds, because something must be cleaned up before an object is gone. */
  readonly cleanup?: string;
  /** The objects of this kind are the namespaces. A namespace is removed after its contents. */
  readonly isNamespace?: boolean;
  /** Objects hold secrets: apply sets remember no digests of them. */
  readonly isConfidential?: boolean;
  /** Members that are stored in another place than where clients write them. */
  readonly writeOnly?: WriteOnly;
  /**
   * Why objects can be neither read nor written now: such requests are answered 503. Absent, or no answer: they can.
   */
  readonly outage?: (reader: Reader) => string | undefined;
}
