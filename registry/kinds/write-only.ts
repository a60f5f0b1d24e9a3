import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Members } from '../../pkg/system/object/is-object.js';

/** Members that clients write and that are stored in another place, such as `stringData` of a Secret. */
export interface WriteOnly {
  /**
   * What a client applies, with the members where they are stored, so that their fields are managed there. It may have
   * anything wrong in it.
   */
  stored(config: KubeObject): KubeObject;
  /**
   * The object after a merge patch. A patch that removes such a member finds nothing to remove, because the object
   * never has it. `old` is the object before.
   */
  merged(object: unknown, patch: Members, old: KubeObject): unknown;
}
