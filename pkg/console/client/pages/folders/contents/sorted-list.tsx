import { useEffect, useMemo } from 'preact/hooks';
import { useChanges } from '../../../lib/changes.js';
import { useDesk } from '../model/desk.js';
import type { Selection } from '../model/selection.js';
import { useView } from '../search/query.js';
import { ChoiceOfAll } from './choice.js';
import { followedIn } from './followed.js';
import { ItemList } from './item-list.js';
import { ListHead } from './list-head.js';
import { servedIn } from './served.js';
import { isUsual, MOST_SORTED, pressed, pressedServed, SERVED, sorted, sortIn } from './sorting.js';
import type { Source } from './source.js';
import { useReload } from './use-reload.js';

/** What a long list cannot be sorted by, because all of it would have to be loaded. */
const TOO_MANY = `A list of more than ${MOST_SORTED.toLocaleString('en')} is sorted by title or by what was changed last.`;

interface Props {
  readonly label: string;
  /** The folder whose contents these are. Empty for the root. */
  readonly folder: string;
  readonly sources: readonly Source[];
  /** If rows can be selected. */
  readonly selection: Selection | undefined;
}

/** Rows of several sources below the names of their columns, in the order of the address. */
export function SortedList({ label, folder, sources, selection }: Props) {
  const { details } = useDesk();
  const [{ sort: text }, show] = useView();
  const states = sources.map(({ state }) => state.value);
  const isTooMany = states.reduce((sum, { total = 0 }) => sum + total, 0) > MOST_SORTED;
  const sort = sortIn(isTooMany && !SERVED.has(text) ? '' : text);
  const served = useServed(folder, sources, isTooMany && !isUsual(sort) ? text : '');
  const shown = useMemo(
    () => served ?? (isUsual(sort) ? sources : [sorted(sources, details, sort)]),
    [served, sources, sort.by, sort.isDescending],
  );
  const epoch = details.epoch.value;
  useEffect(() => {
    // Without a sort by them, only the rows in view need their details.
    if (sort.by === 'title' || isTooMany) return;
    for (const { items } of states) for (const item of items) details.ask(item);
  }, [sort.by, isTooMany, epoch, ...states]);
  const all = shown.flatMap(({ state }) => state.value.items);
  return (
    <ItemList
      label={label}
      sources={shown}
      selection={selection}
      head={
        <ListHead
          sort={sort}
          next={(column) => (isTooMany ? pressedServed(column, sort) : pressed(column, sort))}
          why={TOO_MANY}
          onSort={(next) => show({ sort: next })}
        >
          {selection !== undefined && <ChoiceOfAll selection={selection} all={all} />}
        </ListHead>
      }
    />
  );
}

/**
 * The folders and dashboards in an order of the server, before the rows of other kinds, which the server only has by
 * title. Undefined without an order.
 */
function useServed(folder: string, sources: readonly Source[], sort: string): readonly Source[] | undefined {
  const desk = useDesk();
  const kinds = sources.map(({ id }) => id).join();
  const source = useMemo(
    () => (sort === '' ? undefined : servedIn(desk, folder, kinds.split(','), sort)),
    [desk, folder, kinds, sort],
  );
  useEffect(() => () => source?.stop(), [source]);
  useReload(source);
  const followed = source === undefined ? [] : followedIn(folder, 'dashboards', desk, source);
  useChanges([followed], [source]);
  return useMemo(() => {
    if (source === undefined) return undefined;
    return [source, ...sources.filter(({ id }) => id !== 'folders' && id !== 'dashboards')];
  }, [source, sources]);
}
