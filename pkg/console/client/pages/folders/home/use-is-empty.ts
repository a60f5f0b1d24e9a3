import { useLoad } from '../../../lib/load.js';
import { useDesk } from '../model/desk.js';
import { find } from '../model/find.js';

/** Whether the organization has no folder and no dashboard that the caller may view. */
export function useIsEmpty(): boolean {
  const { namespace, store, done } = useDesk();
  store.version.value;
  const root = store.children('');
  const hasNoFolder = root?.phase === 'there' && root.total === 0 && store.shared.length === 0;
  const { state } = useLoad(
    async (signal) => hasNoFolder && (await find(namespace, { limit: 1 }, signal)).totalHits === 0,
    [namespace, hasNoFolder, done.value],
  );
  return hasNoFolder && state.value.value === true;
}
