import { useEffect } from 'preact/hooks';
import type { FolderStore } from './store.js';

/** Milliseconds in which rows are gathered, so that a quick scroll asks for nothing that is already gone. */
const GATHER = 80;
const waiting = new Map<FolderStore, Set<string>>();

function flush(store: FolderStore): void {
  const names = [...(waiting.get(store) ?? [])];
  waiting.delete(store);
  // Whether a folder has others in it is only shown; it is found out again when the folder is opened.
  store.peek(names).catch(() => undefined);
}

/** Finds out whether there are folders in a folder whose row is shown. */
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
