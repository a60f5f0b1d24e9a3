import { useLocation, useSearchParams } from 'wouter-preact';

/** The part of the address about a tab: the search, its page, and the item that is open. */
export interface Address {
  readonly open: string | undefined;
  readonly query: string;
  readonly page: number;
  readonly get: (name: string) => string;
  /** Changes some members. An empty text removes one. With `replace`, the back button skips the old address. */
  readonly set: (changes: Readonly<Record<string, string>>, replace?: boolean) => void;
  /** The address of something in this tab. */
  readonly to: (name: string) => string;
}

export function useAddress(): Address {
  const [params, setParams] = useSearchParams();
  const [path] = useLocation();
  return {
    open: params.get('open') ?? undefined,
    query: params.get('q') ?? '',
    page: Math.max(1, Number(params.get('page') ?? '1') || 1),
    get: (name) => params.get(name) ?? '',
    set: (changes, replace = false) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace },
      ),
    to: (name) => `${path}?${new URLSearchParams({ ...Object.fromEntries(params), open: name })}`,
  };
}
