import type { KubeObject } from '../../pkg/meta/types.js';
import { invalid } from '../../pkg/status/errors.js';
import type { Kind } from '../kind.js';
import type { WriteContext } from '../strategy.js';

/** Throws Invalid if another object has the same unique tuple. It reads the state of the commit, so one of several racing creators succeeds. */
export function checkUniques(kind: Kind, object: KubeObject, ctx: WriteContext): void {
  for (const [index, { field, message }] of Object.entries(kind.uniques ?? {})) {
    for (const tuple of kind.indexers?.[index]?.(object) ?? []) {
      const holders = ctx.reader.range(kind.qualified, index, tuple, 2);
      if (holders.every((holder) => holder.metadata.uid === object.metadata.uid)) continue;
      throw invalid(kind, object.metadata.name, [{ reason: 'FieldValueDuplicate', message, field }]);
    }
  }
}
