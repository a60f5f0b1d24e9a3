import { useEffect, useMemo } from 'preact/hooks';
import { useDesk } from '../model/desk.js';
import type { Selection } from '../model/selection.js';
import { useView } from '../search/query.js';
import { ChoiceOfAll } from './choice.js';
import { ItemList } from './item-list.js';
import { ListHead } from './list-head.js';
import { isUsual, MOST_SORTED, sorted, sortIn } from './sorting.js';
import type { Source } from './source.js';

interface Props {
  readonly label: string;
  readonly sources: readonly Source[];
  /** If rows can be selected. */
  readonly selection: Selection | undefined;
}

/** Rows of several sources below the names of their columns, in the order of the address. */
export function SortedList({ label, sources, selection }: Props) {
  const { details } = useDesk();
  const [{ sort: text }, show] = useView();
  const states = sources.map(({ state }) => state.value);
  const isTooMany = states.reduce((sum, { total = 0 }) => sum + total, 0) > MOST_SORTED;
  const sort = sortIn(isTooMany ? '' : text);
  const shown = useMemo(
    () => (isUsual(sort) ? sources : [sorted(sources, details, sort)]),
    [sources, sort.by, sort.isDescending],
  );
  const epoch = details.epoch.value;
  useEffect(() => {
    // Without a sort by them, only the rows in view need their details.
    if (sort.by !== 'title') for (const { items } of states) for (const item of items) details.ask(item);
  }, [sort.by, epoch, ...states]);
  const unavailable = isTooMany
    ? `A list of more than ${MOST_SORTED.toLocaleString('en')} is sorted by title.`
    : undefined;
  return (
    <ItemList
      label={label}
      sources={shown}
      selection={selection}
      head={
        <ListHead sort={sort} unavailable={unavailable} onSort={(next) => show({ sort: next })}>
          {selection !== undefined && <ChoiceOfAll selection={selection} all={states.flatMap(({ items }) => items)} />}
        </ListHead>
      }
    />
  );
}
