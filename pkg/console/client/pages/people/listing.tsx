import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLoad } from '../../lib/load.js';
import { namespace } from '../../lib/session.js';
import { Button } from '../../ui/button.js';
import type { Address } from './address.js';
import { type PeopleKind, useLivePeople } from './follow.js';
import type { Found, PageQuery } from './legacy.js';
import { Shown } from './list.js';
import { lastOf, Pages, PER_PAGE, SearchBar } from './search.js';

interface Props<Item> {
  readonly address: Address;
  /** The label of the search. */
  readonly label: string;
  readonly load: (page: PageQuery, signal: AbortSignal) => Promise<Found<Item>>;
  /** The list is loaded again when this changes. */
  readonly of?: string;
  /** The list is loaded again when objects of these kinds change. */
  readonly kinds: readonly PeopleKind[];
  readonly table: (items: readonly Item[]) => ComponentChildren;
  /** Replaces the table if the list is empty. */
  readonly empty?: ComponentChildren;
  /** The text of the button that creates an item. Undefined for callers who may not. */
  readonly creating?: string | undefined;
  readonly form: (close: () => void) => ComponentChildren;
  /** Is shown between the search and the button. */
  readonly choice?: ComponentChildren;
}

/** A list in pages, with a search and a button that creates an item. */
export function Listing<Item>({ address, label, load, of = '', kinds, table, ...rest }: Props<Item>) {
  const { empty, creating, form, choice } = rest;
  const isCreating = useSignal(false);
  const { query, page } = address;
  const keys = [of, query, page, namespace.value];
  const loading = useLoad((signal) => load({ query, page, perpage: PER_PAGE }, signal), keys);
  useLivePeople(loading, kinds);
  const found = loading.state.value.value;
  useEffect(() => {
    // The last items of a page were deleted.
    if (found?.items.length === 0 && found.total > 0) address.set({ page: String(lastOf(found.total)) }, true);
  }, [found]);
  return (
    <>
      <SearchBar label={label} address={address}>
        {choice}
        <span class="grow" />
        {creating !== undefined && (
          <Button look="primary" onPress={() => (isCreating.value = true)}>
            {creating}
          </Button>
        )}
      </SearchBar>
      <Shown loading={loading}>
        {({ items, total }) =>
          items.length === 0 && empty !== undefined ? (
            empty
          ) : (
            <>
              {table(items)}
              <Pages address={address} total={total} />
            </>
          )
        }
      </Shown>
      {isCreating.value && form(() => (isCreating.value = false))}
    </>
  );
}
