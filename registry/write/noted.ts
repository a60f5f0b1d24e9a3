import type { ChangedObject } from '../../pkg/audit/notes.js';
import type { WriteScope, WriteTarget, Written } from './write.js';

/** Notes a write that a request asked for, for the audit log and for reports. Its consequences, such as deletions of dependents, are not noted. */
export function noted(
  scope: WriteScope,
  verb: ChangedObject['verb'],
  { kind, called, namespace }: WriteTarget,
  written: Written,
): Written {
  const { object, took } = written;
  scope.changes?.push({ verb, kind: called, namespace, metadata: object.metadata });
  const isTold = kind.reports?.written !== undefined && written.isSame !== true && !scope.isDryRun;
  if (isTold) scope.reports.push({ verb, kind, namespace, object, ...(took && { took }) });
  return written;
}

/** The same for a write in steps. */
export function* notedSteps(
  scope: WriteScope,
  verb: ChangedObject['verb'],
  target: WriteTarget,
  steps: Generator<undefined, Written, undefined>,
): Generator<undefined, Written, undefined> {
  return noted(scope, verb, target, yield* steps);
}

/** Runs a write in steps, and notes for reports if it is refused. A write that its caller has given up is not a refusal. */
export function* refusable<Result>(
  { refusals }: WriteScope,
  { kind, namespace }: WriteTarget,
  name: string,
  steps: Generator<undefined, Result, undefined>,
): Generator<undefined, Result, undefined> {
  for (;;) {
    let step: IteratorResult<undefined, Result>;
    try {
      step = steps.next();
    } catch (error) {
      if (kind.reports?.refused !== undefined) refusals.push({ kind, namespace, name, error });
      throw error;
    }
    if (step.done === true) return step.value;
    yield;
  }
}
