import { type ReadonlySignal, signal } from '@preact/signals';
import type { Dragged } from '../tree/drag.js';
import type { Item } from './elements.js';

/** What is selected in a list. */
export interface Chosen extends Dragged {
  readonly tags: readonly string[];
}

/** The most that is changed at once, because each object is one request. */
export const MOST_CHOSEN = 100;

const keyOf = ({ kind, name }: Pick<Item, 'kind' | 'name'>): string => `${kind}/${name}`;

/** Folders and dashboards of a list that are to be changed together. */
export class Selection {
  readonly #chosen = signal<ReadonlyMap<string, Chosen>>(new Map());
  #last: string | undefined;

  get chosen(): ReadonlySignal<ReadonlyMap<string, Chosen>> {
    return this.#chosen;
  }

  has(item: Item): boolean {
    return this.#chosen.value.has(keyOf(item));
  }

  /** With `all`, everything between this item and the one that was pressed last, too. Returns whether all fit. */
  set(item: Item, isOn: boolean, all?: readonly Item[]): boolean {
    const before = all?.findIndex((one) => keyOf(one) === this.#last) ?? -1;
    const now = all?.indexOf(item) ?? -1;
    const range = before < 0 || now < 0 ? [item] : (all ?? []).slice(Math.min(before, now), Math.max(before, now) + 1);
    this.#last = keyOf(item);
    return this.setAll(range, isOn);
  }

  setAll(items: readonly Item[], isOn: boolean): boolean {
    const next = new Map(this.#chosen.peek());
    const wanted = items.filter(isChoosable);
    for (const item of wanted)
      if (!isOn) next.delete(keyOf(item));
      else if (next.size < MOST_CHOSEN) next.set(keyOf(item), chosenOf(item));
    this.#chosen.value = next;
    return !isOn || wanted.every((item) => next.has(keyOf(item)));
  }

  clear(): void {
    this.#chosen.value = new Map();
  }
}

/** Only these can be moved and deleted here. */
export function isChoosable(item: Item): item is Item & { readonly kind: Dragged['kind'] } {
  return item.kind === 'folders' || item.kind === 'dashboards';
}

function chosenOf({ kind, name, title, tags = [] }: Item & { readonly kind: Dragged['kind'] }): Chosen {
  return { kind, name, title, tags };
}
