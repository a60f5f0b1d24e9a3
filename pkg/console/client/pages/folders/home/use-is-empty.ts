import { ApiError } from '../../../lib/api.js';
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

/** Whether the caller may not list folders in the organization, and nothing else in it is shared with them. */
export function useIsRefused(): boolean {
  const { store } = useDesk();
  store.version.value;
  const { error } = store.children('') ?? {};
  return error instanceof ApiError && error.code === 403 && store.shared.length === 0;
}
