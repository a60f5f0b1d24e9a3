import { computed } from '@preact/signals';
import type { DetailsStore } from '../model/details.js';
import type { Item } from '../model/elements.js';
import type { Details } from '../model/find.js';
import type { Source } from './source.js';

/** What a list can be sorted by. */
export const COLUMNS = [
  ['title', 'Title'],
  ['contents', 'Contents'],
  ['changed', 'Changed'],
  ['by', 'By'],
] as const;
export type Column = (typeof COLUMNS)[number][0];

export interface Sort {
  readonly by: Column;
  readonly isDescending: boolean;
}

/** The order that the server gives. */
export const USUAL: Sort = { by: 'title', isDescending: false };

/** The most rows that are sorted, because all of them are loaded for it, with their details. */
export const MOST_SORTED = 1000;

/** What the server can sort by, so that a list may have any length. */
export const SERVED: ReadonlySet<string> = new Set(['-title', '-changed']);

/** `-changed` in an address is the newest first. */
export function sortIn(text: string): Sort {
  const by = COLUMNS.find(([column]) => column === text.replace(/^-/, ''))?.[0];
  return by === undefined ? USUAL : { by, isDescending: text.startsWith('-') };
}

/** The order after a press on a column of a list that only the server sorts. Undefined if it cannot sort by it. */
export function pressedServed(column: Column, { by, isDescending }: Sort): string | undefined {
  if (column === 'title') return by === 'title' && !isDescending ? '-title' : '';
  return SERVED.has(`-${column}`) ? `-${column}` : undefined;
}

/** The order after a press on a column: what is newest or most first, then the other way. */
export function pressed(column: Column, { by, isDescending }: Sort): string {
  const isFirstDown = column === 'contents' || column === 'changed';
  const isDown = by === column ? !isDescending : isFirstDown;
  if (column === 'title' && !isDown) return '';
  return isDown ? `-${column}` : column;
}

export function isUsual({ by, isDescending }: Sort): boolean {
  return by === 'title' && !isDescending;
}

/** All rows of several sources in one order. Rows that are not loaded come after the others. */
export function sorted(sources: readonly Source[], details: DetailsStore, { by, isDescending }: Sort): Source {
  const state = computed(() => {
    const states = sources.map((source) => source.state.value);
    const items = states.flatMap((one) => one.items);
    const keys = new Map(items.map((item) => [item, keyOf(by, item, details.of(item))]));
    const compare = (one: Item, other: Item): number => {
      const order = compareKeys(keys.get(one), keys.get(other));
      return (isDescending ? -order : order) || one.title.localeCompare(other.title);
    };
    const error = states.find((one) => one.error !== undefined)?.error;
    const total = states.reduce((sum, one) => sum + (one.total ?? 0), 0);
    return { items: items.sort(compare), total, ...(error !== undefined && { error }) };
  });
  const all = (run: (source: Source) => void) => (): void => sources.forEach(run);
  return {
    id: 'sorted',
    state,
    more: all((source) => source.more()),
    reload: all((source) => source.reload()),
    stop: () => undefined,
  };
}

type Key = string | number | undefined;

function keyOf(by: Column, { title }: Item, { updated, updatedBy, contents }: Details = {}): Key {
  if (by === 'title') return title.toLowerCase();
  if (by === 'changed') return updated;
  if (by === 'by') return updatedBy?.name.toLowerCase();
  return contents === undefined ? undefined : Object.values(contents).reduce((sum, count) => sum + count, 0);
}

/** What is unknown comes before everything. */
function compareKeys(one: Key, other: Key): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  return String(one).localeCompare(String(other));
}
