import type { ChangedObject } from '../../pkg/audit/notes.js';
import type { WriteScope, WriteTarget, Written } from './write.js';

/** Notes a write that a request asked for, for the audit log. Its consequences, such as deletions of dependents, are not noted. */
export function noted(
  scope: WriteScope,
  verb: ChangedObject['verb'],
  { kind, namespace }: WriteTarget,
  written: Written,
): Written {
  scope.changes?.push({ verb, kind, namespace, value: written.value });
  return written;
}
