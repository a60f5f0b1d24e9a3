import { useLocation, useSearch } from 'wouter-preact';

/** What the address says beside the folder: what is searched for, or which view of the folder is shown. */
export interface View {
  readonly words: string;
  readonly tags: readonly string[];
  readonly tab: string;
  readonly isStarred: boolean;
}

/** The view that the address names, and how to go to another one of the same folder. */
export function useView(): readonly [View, (change: Partial<View>) => void] {
  const [location, go] = useLocation();
  const query = new URLSearchParams(useSearch());
  const view: View = {
    words: query.get('q') ?? '',
    tags: query.getAll('tag'),
    tab: query.get('tab') ?? '',
    isStarred: query.has('starred'),
  };
  return [view, (change) => go(addressOf(location, { ...view, ...change }), { replace: true })];
}

/** A place with a view of it. */
export function addressOf(
  place: string,
  { words = '', tags = [], tab = '', isStarred = false }: Partial<View>,
): string {
  const query = new URLSearchParams([
    ...(words === '' ? [] : [['q', words]]),
    ...tags.map((tag) => ['tag', tag]),
    ...(tab === '' ? [] : [['tab', tab]]),
    ...(isStarred ? [['starred', '']] : []),
  ]);
  return query.size === 0 ? place : `${place}?${query}`;
}
