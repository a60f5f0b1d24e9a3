import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { forbidden } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';
import type { Kind } from '../kinds/kind.js';
import { isWaiting } from '../kinds/ready-condition.js';
import type { Registry } from '../kinds/registry.js';
import { waitingFor } from '../kinds/waiting.js';
import { type Entry, objectOf } from '../read/reader.js';
import { noteConsequences } from './consequences.js';
import { validation } from './prepare.js';
import { withReadiness } from './readiness.js';
import type { Transaction } from './transaction.js';
import { targetOf, type WriteTarget, writeContext } from './write.js';

const waitingKinds = new WeakMap<Registry['kinds'], readonly Kind[]>();

function kindsThatWait({ kinds }: Registry): readonly Kind[] {
  const known = waitingKinds.get(kinds) ?? kinds.filter(({ waits }) => waits);
  waitingKinds.set(kinds, known);
  return known;
}

/**
 * Ends the waiting of the objects that wait for a new object, in steps, in the same commit. The caller brings them into
 * effect, so the caller must be allowed to write each of them while it waits, and the rules for new objects are checked
 * with the caller's permissions: otherwise somebody could make a folder to see what others have put into it, or a user
 * to get what is bound to that. Throws 403, and the errors of the strategies.
 */
export function* resolveWaiting(
  transaction: Transaction,
  { kind, namespace, caller }: WriteTarget,
  name: string,
): Generator<undefined, void, undefined> {
  if (kind.permissions === undefined) return;
  const { registry, reader, state, now } = transaction;
  for (const waitingKind of kindsThatWait(registry)) {
    for (const entry of waitingFor(waitingKind, kind.qualified, namespace, name, reader)) {
      yield;
      const object = objectOf(entry);
      const target = targetOf(waitingKind, object.metadata.namespace ?? '', caller);
      const { resourceVersion: _, ...metadata } = object.metadata;
      const old = { ...object, metadata };
      const next = withReadiness(waitingKind, old, reader, now);
      if (!isWaiting(next)) checkEffect(transaction, { kind, name }, target, entry, next);
      if (next !== old) state.put(entry.key, next);
    }
  }
}

interface Cause {
  readonly kind: Kind;
  readonly name: string;
}

/** Checks what waits as if the caller wrote it now. An error is about the object of the request. */
function checkEffect(
  transaction: Transaction,
  { kind, name }: Cause,
  target: WriteTarget,
  entry: Entry,
  next: KubeObject,
): void {
  const object = objectOf(entry);
  const { user } = target.caller;
  const attributes = { user, verb: 'update', kind: target.kind, namespace: target.namespace };
  if (
    target.needsPermission &&
    !transaction.registry.authorizer.mayWriteEverywhere(attributes, object, transaction.reader)
  )
    throw forbidden(kind, name, HELD);
  try {
    const context = writeContext(transaction, target);
    const causes = runSteps(validation(target.kind, object, undefined, context));
    if (causes.length > 0) throw target.kind.conventions.invalid(target.kind, object.metadata.name, causes);
    runSteps(noteConsequences(transaction, target, next, undefined, context));
  } catch (error) {
    throw blamed(error, target.kind);
  }
}

const HELD =
  'objects wait for it that only callers who may write everywhere in the organization may bring into effect: ask an administrator to create it';

/** The same error, with what it is about. */
function blamed(error: unknown, { kind }: Kind): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, reason, message, details } = error;
  const text = `it would bring a waiting ${kind} into effect, which is refused: ${message}`;
  return new ApiError({ code, reason, message: text, ...(details && { details }), cause: error });
}
