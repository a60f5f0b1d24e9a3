import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { servedObject, storedObject, storedSteps } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';

/** The kind that the request names, and the kind of the stored objects. */
interface Kinds {
  readonly kind: Kind;
  readonly called: Kind;
}

/** The kind whose rules a write follows: that of the request, if it is a version of the stored kind. As in Kubernetes, each version has rules of its own. */
export function rulingKind({ kind, called }: Kinds): Kind {
  return called.conversion?.isVersion === true ? called : kind;
}

/** The kind in whose form the fields of an object are managed: a version, if its fields have the same paths as those of the stored kind. */
export function mergingKind({ kind, called }: Kinds): Kind {
  return called.conversion?.keepsFields === true ? called : kind;
}

/** An object of the kind of the request in the form of the ruling kind. `old` is the stored object that it replaces. */
export function ruled(kinds: Kinds, object: KubeObject, old?: KubeObject): KubeObject {
  return rulingKind(kinds) === kinds.called ? object : storedObject(kinds.called, object, old);
}

/** A merged object in the form of the ruling kind. */
export function ruledAfterMerge(kinds: Kinds, object: KubeObject): KubeObject {
  const ruling = rulingKind(kinds);
  return mergingKind(kinds) === ruling ? object : servedObject(ruling, object);
}

/** An object of the ruling kind as it is stored: with the defaults that it lacks, because it comes from another version or has just lost its status. In steps. */
export function* storable(kinds: Kinds, object: KubeObject): Steps<KubeObject> {
  const { kind, called } = kinds;
  const stored = rulingKind(kinds) === kind ? object : yield* storedSteps(called, object);
  return kind.schema === undefined ? stored : yield* kind.schema.complete(stored);
}

/** An object of the ruling kind in the form in which its fields are managed, in steps. */
export function* mergeable(kinds: Kinds, object: KubeObject): Steps<KubeObject> {
  return mergingKind(kinds) === rulingKind(kinds) ? object : yield* storable(kinds, object);
}
