import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { wordsOf } from '../lib/api.js';

/** Milliseconds without a key before a search begins. */
const PAUSE = 150;

/** What a search has found. */
export interface Options<One> {
  readonly items: readonly One[];
  /** Is shown below the items: what could not be searched, or how many more there are. */
  readonly note?: string;
}

export type FindOptions<One> = (text: string, signal: AbortSignal) => Promise<Options<One>>;

interface Found<One> extends Options<One> {
  readonly about: string | undefined;
}

/**
 * Searches while it is wanted, after the person has stopped typing. The old results stay until then, and
 * `isSearching` says that they are those of another text. `key` names what is searched.
 */
export function useOptions<One>(
  find: FindOptions<One>,
  key: string,
  text: string,
  isWanted: boolean,
): Options<One> & { readonly isSearching: boolean } {
  const found = useSignal<Found<One>>({ items: [], about: undefined });
  const about = JSON.stringify([key, text]);
  useEffect(() => {
    if (!isWanted) return;
    const controller = new AbortController();
    const search = async (): Promise<void> => {
      const result = await find(text, controller.signal).catch((error: unknown) => ({
        items: [],
        note: wordsOf(error),
      }));
      if (!controller.signal.aborted) found.value = { ...result, about };
    };
    const timer = setTimeout(() => void search(), PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [about, isWanted]);
  const { items, note } = found.value;
  return { items, ...(note !== undefined && { note }), isSearching: found.value.about !== about };
}
