import { mergePatch, mergeSteps } from '../../../pkg/kube/patch/merge.js';
import { isObject, type Members } from '../../../pkg/system/object/is-object.js';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import { refuseDirectives } from './directives.js';
import { type ListPatch, mergeList } from './strategic-list.js';
import { finalizersIn, ownersIn } from './strategic-metadata.js';

/**
 * Applies a strategic merge patch. It is a merge patch, except that finalizers are merged as a set, and owners by their
 * uids: Kubernetes merges no other lists of the kinds that take such patches. Throws 400 for what is wrong in the patch
 * itself, whatever the object has.
 */
export function strategicPatch(patch: Members): (old: unknown) => Steps<unknown> {
  const { metadata } = patch;
  const [finalizers, owners] = isObject(metadata) ? [finalizersIn(metadata), ownersIn(metadata)] : [];
  const taken = [...(finalizers?.members ?? []), ...(owners?.members ?? [])];
  const rest = isObject(metadata) && taken.length > 0 ? { ...patch, metadata: without(metadata, taken) } : patch;
  refuseDirectives(rest);
  return function* merged(old) {
    const merged = yield* mergeSteps(old, rest);
    const withFinalizers = withList(merged, 'finalizers', finalizers);
    return withList(withFinalizers, 'ownerReferences', owners);
  };
}

/** Nothing in `rest` changes these lists, so the object still has the old ones. */
function withList<E>(object: unknown, name: string, patch: ListPatch<E> | undefined): unknown {
  if (patch === undefined) return object;
  const metadata = isObject(object) && isObject(object['metadata']) ? object['metadata'] : {};
  const list = mergeList(metadata[name] as readonly E[] | undefined, patch);
  return list === undefined ? object : mergePatch(object, { metadata: { [name]: list } });
}

function without(members: Members, names: readonly string[]): Members {
  // Object.fromEntries defines members; an assignment would call the setter of __proto__.
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}
