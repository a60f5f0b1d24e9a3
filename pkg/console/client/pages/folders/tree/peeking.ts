import { useEffect } from 'preact/hooks';
import type { FolderStore } from './store.js';

/** Milliseconds for which rows are gathered. Rows that were scrolled away meanwhile are not asked for. */
const GATHER = 80;
const waiting = new Map<FolderStore, Set<string>>();

function flush(store: FolderStore): void {
  const names = [...(waiting.get(store) ?? [])];
  waiting.delete(store);
  // The answer only decides how the row looks. It is asked again when the folder is opened.
  store.peek(names).catch(() => undefined);
}

/** Asks whether there are folders in a folder whose row is shown. */
export function usePeek(store: FolderStore, name: string): void {
  useEffect(() => {
    if (store.children(name) !== undefined) return;
    const names = waiting.get(store) ?? new Set();
    if (!waiting.has(store)) setTimeout(() => flush(store), GATHER);
    waiting.set(store, names.add(name));
    return () => {
      names.delete(name);
    };
  }, [store, name, store.epoch.value]);
}
