import { useEffect } from 'preact/hooks';
import { ApiError } from '../../../lib/api.js';
import { type Loading, useLoad } from '../../../lib/load.js';
import { read, subjectOf } from '../actions/requests.js';
import { useDesk } from '../model/desk.js';
import { type About, aboutFolder } from '../model/find.js';
import type { Folder } from '../model/kinds.js';

export interface Shown {
  readonly folder: Folder;
  readonly about: About;
}

/** Milliseconds for which changes are gathered before the folder is read again. */
const GATHER = 200;

/** A folder as it is now. `undefined` if it does not exist or was deleted. */
export function useFolder(name: string): Loading<Shown | undefined> {
  const { namespace, store } = useDesk();
  const loading = useLoad(
    async (signal): Promise<Shown | undefined> => {
      try {
        const subject = subjectOf(namespace, { kind: 'folders', name });
        const [folder, about] = await Promise.all([read(subject, signal), aboutFolder(namespace, name, signal)]);
        return { folder, about };
      } catch (error) {
        if (error instanceof ApiError && error.code === 404) return undefined;
        throw error;
      }
    },
    [namespace, name],
  );
  const { state, reload } = loading;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Many changes may come at once, and each may be about this folder.
    const end = store.change.subscribe((change) => {
      const shown = state.peek().value;
      if (change === undefined || state.peek().phase === 'loading') return;
      const isIt = change.folder.metadata.name === name;
      const isAbove = shown?.about.parents?.some(({ uid }) => uid === change.folder.metadata.name) === true;
      if (!isIt && !isAbove) return;
      clearTimeout(timer);
      // It was deleted, or the caller may not view it any more.
      if (isIt && change.isGone) return reload();
      if (isIt && shown !== undefined) state.value = { phase: 'there', value: { ...shown, folder: change.folder } };
      timer = setTimeout(reload, GATHER);
    });
    // The watch began again, for example because the permissions of the caller have changed.
    let epoch = store.epoch.peek();
    const endEpochs = store.epoch.subscribe((now) => {
      if (now !== epoch && epoch > 0) reload();
      epoch = now;
    });
    return () => {
      clearTimeout(timer);
      end();
      endEpochs();
    };
  }, [store, name]);
  return loading;
}
