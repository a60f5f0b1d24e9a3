import type { StatusCause } from '../../../../pkg/kube/status/status.js';

/** Schemas in one step. */
export const STEP = 100;

/**
 * The most characters of all causes in one list. Paths contain names that clients choose. Without a limit, a body of
 * megabytes could get an answer of gigabytes.
 */
const LONGEST = 1_000_000;

export interface Causes {
  readonly list: readonly StatusCause[];
  readonly add: (...causes: readonly StatusCause[]) => void;
}

/** Collects causes. Those after the first million characters are left out. */
export function collectCauses(): Causes {
  const list: StatusCause[] = [];
  let length = 0;
  const add = (...causes: readonly StatusCause[]): void => {
    for (const cause of causes) {
      if (length > LONGEST) return;
      length += cause.message.length + (cause.field?.length ?? 0);
      list.push(cause);
    }
  };
  return { list, add };
}
