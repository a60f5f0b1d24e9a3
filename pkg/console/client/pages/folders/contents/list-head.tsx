import type { ComponentChildren } from 'preact';
import { report } from '../../../ui/toasts.js';
import { COLUMNS, type Column, type Sort } from './sorting.js';

interface Props {
  readonly sort: Sort;
  /** The order after a press on a column, as in the address, or undefined if the list cannot be sorted by it. */
  readonly next: (column: Column) => string | undefined;
  /** Why it cannot be sorted by some columns. */
  readonly why: string;
  readonly onSort: (sort: string) => void;
  /** The choice of all rows. */
  readonly children?: ComponentChildren;
}

/** The names of the columns. Each sorts the list. */
export function ListHead({ sort, next, why, onSort, children }: Props) {
  return (
    <div class="item-head" role="group" aria-label="Sort by">
      {children}
      {COLUMNS.map(([column, label]) => {
        const to = next(column);
        return (
          <SortButton
            key={column}
            column={column}
            label={label}
            sort={sort}
            unavailable={to === undefined ? why : undefined}
            onPress={() => (to === undefined ? report(why) : onSort(to))}
          />
        );
      })}
    </div>
  );
}

interface ButtonProps extends Pick<Props, 'sort'> {
  readonly column: Column;
  readonly label: string;
  readonly unavailable: string | undefined;
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
