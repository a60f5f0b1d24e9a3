import { report } from '../../../ui/toasts.js';
import type { Item } from '../model/elements.js';
import { isChoosable, MOST_CHOSEN, type Selection } from '../model/selection.js';
import { quoted } from '../model/words.js';

export interface Choosing {
  readonly selection: Selection;
  /** All loaded rows, in their order. */
  readonly all: readonly Item[];
}

const tellLimit = (areAllIn: boolean): void => {
  if (!areAllIn) report(`At most ${MOST_CHOSEN} can be selected.`);
};

/** Selects a row. With Shift, all rows between it and the last one. */
export function Choice({ item, selection, all }: Choosing & { readonly item: Item }) {
  if (!isChoosable(item)) return <span class="item-choice" />;
  return (
    <span class="item-choice">
      <input
        type="checkbox"
        aria-label={`Select ${quoted(item.title)}`}
        checked={selection.has(item)}
        onClick={(event) =>
          tellLimit(selection.set(item, event.currentTarget.checked, event.shiftKey ? all : undefined))
        }
      />
    </span>
  );
}

/** Selects all loaded rows. */
export function ChoiceOfAll({ selection, all }: Choosing) {
  const choosable = all.filter(isChoosable);
  const isAll = choosable.length > 0 && choosable.every((item) => selection.has(item));
  return (
    <span class="item-choice">
      <input
        type="checkbox"
        aria-label="Select all"
        checked={isAll}
        disabled={choosable.length === 0}
        onClick={(event) => tellLimit(selection.setAll(choosable, event.currentTarget.checked))}
      />
    </span>
  );
}
