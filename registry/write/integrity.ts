import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { conflict } from '../../pkg/kube/status/errors.js';
import type { Kind, Reference } from '../kinds/kind.js';
import { referenceTuple } from '../kinds/registry.js';
import type { WriteContext } from '../kinds/strategy.js';
import { notFoundMessage } from './readiness.js';

/**
 * Throws if a container that the object did not have before does not exist (Invalid) or is terminating (409). Also
 * throws 409 if a terminating object is moved, because its container may be waiting for it.
 */
export function checkContainer(kind: Kind, object: KubeObject, old: KubeObject | undefined, ctx: WriteContext): void {
  const { containment } = kind;
  const name = containment?.container(object);
  if (containment === undefined || (old !== undefined && containment.container(old) === name)) return;
  if (old !== undefined && isTerminating(old)) {
    throw conflict(kind, object.metadata.name, 'the object is being deleted, it cannot be moved');
  }
  if (name === undefined) return;
  const container = ctx.reader.get(containment.resource, ctx.namespace, name);
  if (container === undefined) {
    const { resource, field } = containment;
    refuseMissing(kind, object, { resource, name, field }, ctx);
    return;
  }
  if (!isTerminating(container)) return;
  throw conflict(
    kind,
    object.metadata.name,
    `${containment.resource} ${JSON.stringify(name)} is being deleted, nothing can be put into it`,
  );
}

/** Throws if a new reference names an object that does not exist (Invalid) or is terminating (409). */
export function checkReferences(kind: Kind, object: KubeObject, old: KubeObject | undefined, ctx: WriteContext): void {
  const known = new Set((old && kind.references?.(old))?.map((reference) => referenceTuple(reference).join('/')));
  const missing = new Set<string>();
  for (const reference of kind.references?.(object) ?? []) {
    if (reference.optional === true || known.has(referenceTuple(reference).join('/'))) continue;
    const { resource, namespace, name } = reference;
    const target = ctx.reader.get(resource, namespace, name);
    if (target === undefined) {
      // A second message about the same name would tell whether another organization has it.
      if (!missing.has(reference.field)) refuseMissing(kind, object, reference, ctx);
      missing.add(reference.field);
      continue;
    }
    if (isTerminating(target)) {
      throw conflict(kind, object.metadata.name, `${resource} ${JSON.stringify(name)} is being deleted`);
    }
  }
}

/**
 * Throws Invalid, unless the object may wait. In a dry run it only warns, because an earlier object of the same
 * manifest may be the missing one.
 */
function refuseMissing(
  kind: Kind,
  object: KubeObject,
  missing: Pick<Reference, 'resource' | 'name' | 'field'>,
  { mayWait, warn, warnMissing }: WriteContext,
): void {
  const { field } = missing;
  const message = notFoundMessage(missing);
  if (mayWait?.(object, missing) === true) {
    warn?.(
      `${field}: ${message}. The object is stored, and has no effect until you create what it names, or name something else`,
    );
    return;
  }
  if (warnMissing === undefined)
    throw kind.conventions.invalid(kind, object.metadata.name, [{ reason: 'FieldValueNotFound', message, field }]);
  warnMissing(`${field}: ${message}. Create that first, or both together`);
}

/**
 * Throws Invalid if another object has the same unique tuple. It reads the state of the commit, so one of several
 * racing creators succeeds.
 */
export function checkUniques(kind: Kind, object: KubeObject, ctx: WriteContext): void {
  if (kind.uniques === undefined) return;
  const check = (): void => refuseDuplicates(kind, object, ctx);
  // Later writes of the same request may free what an object takes.
  if (ctx.later === undefined) check();
  else ctx.later(check);
}

function refuseDuplicates(kind: Kind, object: KubeObject, ctx: WriteContext): void {
  for (const [index, { field, message }] of Object.entries(kind.uniques ?? {})) {
    for (const tuple of kind.indexers?.[index]?.(object) ?? []) {
      const holders = ctx.reader.range(kind.qualified, index, tuple, 2);
      if (holders.every((holder) => holder.metadata.uid === object.metadata.uid)) continue;
      throw kind.conventions.invalid(kind, object.metadata.name, [{ reason: 'FieldValueDuplicate', message, field }]);
    }
  }
}
