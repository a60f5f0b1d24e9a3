import type { ChangedObject } from '../../pkg/audit/notes.js';
import type { WriteScope, WriteTarget, Written } from './write.js';

/** Tells the audit log of a write that a request asked for. What follows from it, such as deletions of dependents, is not told. */
export function noted(
  scope: WriteScope,
  verb: ChangedObject['verb'],
  { kind, namespace }: WriteTarget,
  written: Written,
): Written {
  scope.changes?.push({ verb, kind, namespace, value: written.value });
  return written;
}
