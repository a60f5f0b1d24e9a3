import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { wordsOf } from '../../../lib/api.js';
import { useAgain } from '../../../lib/connection.js';
import { VirtualRows } from '../../../ui/virtual-rows.js';
import type { Item } from '../model/elements.js';
import type { Selection } from '../model/selection.js';
import { isNarrow } from '../narrow.js';
import { ItemLine } from './item-line.js';
import type { Source } from './source.js';

/** Pixels. On a narrow page, a row has a second line. */
const [ROW, NARROW_ROW] = [36, 48];

type Row =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'rest'; readonly source: Source; readonly loaded: number; readonly error: unknown };

interface Props {
  readonly label: string;
  readonly sources: readonly Source[];
  /** Whether each row says in which folder it lies. */
  readonly hasPlaces?: boolean;
  /** What was searched for, which is marked in the titles. */
  readonly words?: readonly string[];
  /** If rows can be selected. */
  readonly selection?: Selection | undefined;
  /** Stays above the rows. */
  readonly head?: ComponentChildren;
}

/** Rows of one or several sources below each other. Arrow keys go from one to the next. */
export function ItemList({ label, sources, hasPlaces = false, words, selection, head }: Props) {
  const states = sources.map(({ state }) => state.value);
  const rows = useMemo(
    () =>
      sources.flatMap((source, index): readonly Row[] => {
        const { items, total, error } = states[index] ?? { items: [], total: undefined };
        const shown = items.map((item): Row => ({ kind: 'item', item }));
        const isWhole = total !== undefined && items.length >= total && error === undefined;
        return isWhole ? shown : [...shown, { kind: 'rest', source, loaded: items.length, error }];
      }),
    [sources, ...states],
  );
  const choosing = selection && { selection, all: states.flatMap(({ items }) => items) };
  const box = useBarWidth();
  return (
    <div class={`items ${selection === undefined ? '' : 'choosing'} ${hasPlaces ? 'found' : ''}`} ref={box}>
      {head}
      <VirtualRows<Row>
        rows={rows}
        height={isNarrow.value ? NARROW_ROW : ROW}
        role="list"
        label={label}
        class="item-list"
        attributes={{ onKeyDown: goByArrows, tabIndex: -1 }}
        render={(row) =>
          row.kind === 'item' ? (
            <ItemLine
              key={`${row.item.kind} ${row.item.name}`}
              item={row.item}
              hasPlace={hasPlaces}
              words={words}
              choosing={choosing}
            />
          ) : (
            <Rest key={`rest ${row.source.id}`} {...row} />
          )
        }
      />
    </div>
  );
}

/** Tells the style how wide the scroll bar is, so that the head has the columns of the rows. */
function useBarWidth(): RefObject<HTMLDivElement> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const list = box.current?.querySelector<HTMLElement>('.item-list');
    if (list == null) return;
    const observer = new ResizeObserver(() =>
      box.current?.style.setProperty('--bar', `${list.offsetWidth - list.clientWidth}px`),
    );
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  return box;
}

/** Stands for the next page, which is loaded when this is seen. */
function Rest({
  source,
  loaded,
  error,
}: {
  readonly source: Source;
  readonly loaded: number;
  readonly error: unknown;
}) {
  useEffect(() => {
    if (error === undefined) source.more();
  }, [source, loaded, error]);
  useAgain(
    () => error,
    () => source.reload(),
  );
  return (
    <div class="item-line rest" role="listitem">
      {error === undefined ? (
        <span class="skeleton-row grow" />
      ) : (
        <>
          <span class="cut grow">{wordsOf(error)}</span>
          <button type="button" class="button" onClick={() => source.reload()}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}

/** Arrow keys move between the links of the rows, and from the first one up to the search field. */
export const ROW_LINK = 'a[data-row]';

function goByArrows(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const list = event.currentTarget as HTMLElement;
  const links = [...list.querySelectorAll<HTMLElement>(ROW_LINK)];
  const at = links.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next !== undefined) next.focus();
  else if (event.key === 'ArrowUp') document.getElementById('folder-search')?.focus();
}
