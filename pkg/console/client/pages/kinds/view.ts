import { useSearchParams } from 'wouter-preact';

/**
 * The filters and the order that a person has chosen. They are in the address, so that links and the back button keep
 * them.
 */
export interface View {
  readonly labels: string;
  readonly text: string;
  /** The name of a column, with `-` before it for descending order. */
  readonly sort: string;
  /** Whether the objects of all organizations are shown. */
  readonly isEverywhere: boolean;
  set(changes: Partial<Omit<View, 'set'>>): void;
}

export function useView(): View {
  const [params, setParams] = useSearchParams();
  const read = (name: string): string => params.get(name) ?? '';
  return {
    labels: read('labels'),
    text: read('text'),
    sort: read('sort'),
    isEverywhere: read('in') === 'all',
    set: ({ isEverywhere, ...texts }) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          const changes = { ...texts, ...(isEverywhere !== undefined && { in: isEverywhere ? 'all' : '' }) };
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: true },
      ),
  };
}
