import type { KubeObject } from '../../pkg/kube/meta/types.js';

/** What happens to the objects that a deleted object owns. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan';

/** Kubernetes' finalizers of objects whose dependents the garbage collector deletes or releases first. */
export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

const FINALIZERS: Readonly<Record<Propagation, string | undefined>> = {
  Background: undefined,
  Foreground: FOREGROUND,
  Orphan: ORPHAN,
};

const NONE: readonly string[] = [];

/** The finalizers of an object. */
export function finalizersOf({ metadata }: KubeObject): readonly string[] {
  return metadata.finalizers ?? NONE;
}

/** Whether the garbage collector has work to do before a terminating object can go. */
export function isFinalizedByCollector(object: KubeObject): boolean {
  return finalizersOf(object).some((finalizer) => finalizer === FOREGROUND || finalizer === ORPHAN);
}

/**
 * The finalizers of an object that is to be deleted. As in Kubernetes, a policy replaces the finalizers that a client
 * has set for it, and without a policy these decide. An object without dependents needs no finalizer. The same array if
 * nothing changes.
 */
export function finalizersFor(
  object: KubeObject,
  propagation: Propagation | undefined,
  hasDependents: () => boolean,
): readonly string[] {
  const before = finalizersOf(object);
  if (propagation === undefined) return before;
  const wanted = FINALIZERS[propagation];
  if (wanted !== undefined && before.includes(wanted)) return before;
  const others = isFinalizedByCollector(object)
    ? before.filter((finalizer) => finalizer !== FOREGROUND && finalizer !== ORPHAN)
    : before;
  return wanted === undefined || !hasDependents() ? others : [...others, wanted];
}

/** The object with these finalizers. An empty list is left out, so that equal objects have equal bytes. */
export function withFinalizers(object: KubeObject, finalizers: readonly string[]): KubeObject {
  const { finalizers: _, resourceVersion: __, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(finalizers.length > 0 && { finalizers }) } };
}
