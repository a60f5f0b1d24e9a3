import { useLocation, useSearch } from 'wouter-preact';

/** The query of the address: the search, or the tab of the folder. */
export interface View {
  readonly words: string;
  readonly tags: readonly string[];
  readonly tab: string;
  /** The only kind to find. Empty for both. */
  readonly kind: string;
  readonly isStarred: boolean;
  /** On a narrow page, where the tree has a page of its own, whether the home is shown. */
  readonly isHome: boolean;
  /** What the list is sorted by, such as `-changed`. Empty: by title. */
  readonly sort: string;
}

/** The view in the address, and a function that changes it. */
export function useView(): readonly [View, (change: Partial<View>) => void] {
  const [location, go] = useLocation();
  const query = new URLSearchParams(useSearch());
  const view: View = {
    words: query.get('q') ?? '',
    tags: query.getAll('tag'),
    tab: query.get('tab') ?? '',
    kind: query.get('kind') ?? '',
    isStarred: query.has('starred'),
    isHome: query.has('home'),
    sort: query.get('sort') ?? '',
  };
  // Back ends a search and leaves a tab, but does not take back each letter.
  const isSearching = view.words !== '' || view.tags.length > 0;
  return [
    view,
    (change) => go(addressOf(location, { ...view, ...change }), { replace: isSearching && change.tab === undefined }),
  ];
}

export function addressOf(
  place: string,
  { words = '', tags = [], tab = '', kind = '', isStarred = false, isHome = false, sort = '' }: Partial<View>,
): string {
  const query = new URLSearchParams([
    ...(words === '' ? [] : [['q', words]]),
    ...tags.map((tag) => ['tag', tag]),
    ...(tab === '' ? [] : [['tab', tab]]),
    ...(kind === '' ? [] : [['kind', kind]]),
    ...(isStarred ? [['starred', '']] : []),
    ...(isHome ? [['home', '']] : []),
    ...(sort === '' ? [] : [['sort', sort]]),
  ]);
  return query.size === 0 ? place : `${place}?${query}`;
}
