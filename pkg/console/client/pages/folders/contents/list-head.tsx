import type { ComponentChildren } from 'preact';
import { report } from '../../../ui/toasts.js';
import { COLUMNS, type Column, pressed, type Sort } from './sorting.js';

interface Props {
  readonly sort: Sort;
  /** Why it cannot be sorted. */
  readonly unavailable: string | undefined;
  readonly onSort: (sort: string) => void;
  /** The choice of all rows. */
  readonly children?: ComponentChildren;
}

/** The names of the columns. Each sorts the list. */
export function ListHead({ sort, unavailable, onSort, children }: Props) {
  return (
    <div class="item-head" role="group" aria-label="Sort by">
      {children}
      {COLUMNS.map(([column, label]) => (
        <SortButton
          key={column}
          column={column}
          label={label}
          sort={sort}
          unavailable={unavailable}
          onPress={() => (unavailable === undefined ? onSort(pressed(column, sort)) : report(unavailable))}
        />
      ))}
    </div>
  );
}

interface ButtonProps extends Pick<Props, 'sort' | 'unavailable'> {
  readonly column: Column;
  readonly label: string;
  readonly onPress: () => void;
}

function SortButton({ column, label, sort: { by, isDescending }, unavailable, onPress }: ButtonProps) {
  const isBy = by === column;
  return (
    <button
      type="button"
      class={`sort-button in-${column}`}
      aria-pressed={isBy}
      aria-disabled={unavailable !== undefined}
      title={unavailable}
      onClick={onPress}
    >
      {label}
      {isBy && <span aria-hidden="true">{isDescending ? ' ↓' : ' ↑'}</span>}
      {isBy && isDescending && <span class="sr-only"> descending</span>}
    </button>
  );
}
