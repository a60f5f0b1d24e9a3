import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/button.js';
import { TextField } from '../../ui/field.js';
import type { Address } from './address.js';

/** Rows on a page of a list. */
export const PER_PAGE = 50;
/** Milliseconds without a key before a search begins. */
const PAUSE = 200;

interface SearchProps {
  readonly label: string;
  readonly address: Address;
  /** Is shown beside the search. */
  readonly children?: ComponentChildren;
}

/** The head of a list: a search, which begins when the person stops typing, and the actions. */
export function SearchBar({ label, address, children }: SearchProps) {
  const text = useSignal(address.query);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div class="people-bar">
      <div class="people-search">
        <TextField
          label={label}
          isLabelHidden
          type="search"
          placeholder={label}
          value={text.value}
          onValue={(value) => {
            text.value = value;
            clearTimeout(timer.current);
            timer.current = setTimeout(() => address.set({ q: value, page: '' }, true), PAUSE);
          }}
        />
      </div>
      {children}
    </div>
  );
}

/** The number of the last page. */
export const lastOf = (total: number): number => Math.max(1, Math.ceil(total / PER_PAGE));

/** Which rows are shown of how many, with links to the other pages. */
export function Pages({ address, total }: { readonly address: Address; readonly total: number }) {
  const { page } = address;
  const last = lastOf(total);
  const from = total === 0 ? 0 : (page - 1) * PER_PAGE + 1;
  return (
    <nav class="row apart" aria-label="Pages">
      <span class="muted" role="status">
        {`${from.toLocaleString()}–${Math.min(total, page * PER_PAGE).toLocaleString()} of ${total.toLocaleString()}`}
      </span>
      {last > 1 && (
        <span class="row">
          <Button disabled={page <= 1} onPress={() => address.set({ page: String(page - 1) })}>
            Previous
          </Button>
          <Button disabled={page >= last} onPress={() => address.set({ page: String(page + 1) })}>
            Next
          </Button>
        </span>
      )}
    </nav>
  );
}
