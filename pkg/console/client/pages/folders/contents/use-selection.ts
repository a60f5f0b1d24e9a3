import { useMemo } from 'preact/hooks';
import { useMay } from '../../../lib/use-may.js';
import { useDesk } from '../model/desk.js';
import { resourceFor } from '../model/kinds.js';
import { Selection } from '../model/selection.js';

/**
 * The selection of a list, which ends with each write. Undefined for callers who may change nothing in the folder, or
 * anywhere if it is empty.
 */
export function useSelection(keys: readonly unknown[], folder = ''): Selection | undefined {
  const { namespace, done } = useDesk();
  const selection = useMemo(() => new Selection(), [...keys, done.value]);
  const place = { namespace, ...(folder !== '' && { name: folder }) };
  const { allowed } = useMay('update', resourceFor('folders'), place);
  return allowed === true ? selection : undefined;
}
