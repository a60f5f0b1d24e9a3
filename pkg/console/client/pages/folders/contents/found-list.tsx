import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { ChoiceOfAll } from './choice.js';
import { ItemList } from './item-list.js';
import { SelectionBar } from './selection-bar.js';
import { COLUMNS } from './sorting.js';
import type { Source } from './source.js';
import { useSelection } from './use-selection.js';

interface Props {
  readonly label: string;
  readonly source: Source;
  /** What was searched for, which is marked in the titles. */
  readonly words?: readonly string[];
  /** Filters, in place of which the actions on selected rows are shown. */
  readonly children?: ComponentChildren;
}

/** Folders and dashboards from many folders, in the order of their source, to be opened or changed together. */
export function FoundList({ label, source, words, children }: Props) {
  const selection = useSelection([source]);
  const sources = useMemo(() => [source], [source]);
  return (
    <>
      <SelectionBar selection={selection} />
      {(selection === undefined || selection.chosen.value.size === 0) && children}
      <ItemList
        label={label}
        sources={sources}
        hasPlaces
        {...(words && { words })}
        selection={selection}
        head={
          <div class="item-head">
            {selection !== undefined && <ChoiceOfAll selection={selection} all={source.state.value.items} />}
            {COLUMNS.map(([column, name]) => (
              <span key={column} class={`column-name in-${column}`} aria-hidden="true">
                {name}
              </span>
            ))}
          </div>
        }
      />
    </>
  );
}
