import { isSameJson } from '../../pkg/kube/json/same.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';
import type { Kind } from '../kinds/kind.js';
import type { WriteContext } from '../kinds/strategy.js';
import { checkReferences, checkUniques } from './integrity.js';

/**
 * The object with the status of the stored object, because only the subresource `status` sets it. A new object has no
 * status.
 */
export function withStatusOf(kind: Kind, object: KubeObject, old: KubeObject | undefined): KubeObject {
  if (!kind.hasStatus || object.status === old?.status) return object;
  return withStatus(object, old?.status);
}

/**
 * Builds the object that replaces `old`, with only the status that a client sent. `undefined` if nothing would change.
 */
export function prepareStatus(
  kind: Kind,
  sent: KubeObject,
  old: KubeObject,
  ctx: WriteContext,
): KubeObject | undefined {
  return runSteps(statusPreparation(kind, sent, old, ctx));
}

/** The same in steps. */
export function* statusPreparation(
  kind: Kind,
  { status }: KubeObject,
  old: KubeObject,
  ctx: WriteContext,
): Generator<undefined, KubeObject | undefined, undefined> {
  if (isSameJson(status, old.status)) return undefined;
  const { resourceVersion: _, ...metadata } = old.metadata;
  const object = withStatus({ ...old, metadata }, status);
  const { strategy } = kind;
  const steps = strategy?.validateStatusInSteps?.(object, old, ctx);
  const causes = steps === undefined ? (strategy?.validateStatus?.(object, old, ctx) ?? []) : yield* steps;
  if (causes.length > 0) throw kind.conventions.invalid(kind, object.metadata.name, causes);
  checkReferences(kind, object, old, ctx);
  checkUniques(kind, object, ctx);
  return object;
}

function withStatus({ status: _, ...object }: KubeObject, status: unknown): KubeObject {
  return status === undefined ? object : { ...object, status };
}
