import { useEffect } from 'preact/hooks';
import { useDesk } from '../model/desk.js';
import type { Source } from './source.js';

/** Milliseconds for which changes are gathered. */
const GATHER = 300;

/** Loads a source again after writes of this page, and when folders change. */
export function useReload(source: Source | undefined): void {
  const { done, store } = useDesk();
  const [writes, change] = [done.value, store.change.value];
  useEffect(() => {
    const timer = setTimeout(() => source?.state.peek().total !== undefined && source.reload(), GATHER);
    return () => clearTimeout(timer);
  }, [writes, change]);
}
