import type { FieldType } from '../../pkg/kube/fieldmanager/type.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import type { Members } from '../../pkg/system/object/is-object.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';

/** The members of an object after a schema has read them. */
export interface DecodedMembers {
  /** Without unknown fields, and with defaults. */
  readonly object: KubeObject;
  /** The paths of the fields that were dropped. */
  readonly unknownFields: readonly string[];
  /** The fields of the wrong type. With one of them, the object cannot be used. */
  readonly causes: readonly StatusCause[];
}

/**
 * The schema of whole objects, for kinds whose members are not declared in code. It takes the place of `spec`,
 * `members` and `status`.
 */
export interface ObjectSchema {
  /** Only the subresource `status` sets the status. */
  readonly hasStatus: boolean;
  /**
   * Reads an object, in steps. Its type is right and its metadata have been read. What a value may be is checked by the
   * strategy.
   */
  decode(object: Members): Steps<DecodedMembers>;
  /** The same for what an apply makes. A null that the schema does not allow stays, so that it is refused. */
  decodeApplied(object: Members): Steps<DecodedMembers>;
  /** An object with all defaults, in steps. The same object if it has them. */
  complete<T>(object: T): Steps<T>;
  /** How the fields of whole objects are managed. */
  readonly fieldType: FieldType;
}
