import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Item, ItemPage } from '../model/elements.js';
import type { KindName } from '../model/kinds.js';
import type { FolderStore } from '../tree/store.js';

/** The loaded rows of a list. */
export interface SourceState {
  readonly items: readonly Item[];
  /** How many there are. Undefined until the first page is there. */
  readonly total: number | undefined;
  readonly error?: unknown;
}

export interface Source {
  readonly id: string;
  readonly state: ReadonlySignal<SourceState>;
  /** Loads the next page, if there is one. If rows are being loaded, it comes after them. */
  more(): void;
  /** Loads the shown rows again. The old ones stay until then. */
  reload(): void;
  stop(): void;
}

/** Rows of a page. */
const PAGE = 200;

interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** A source that loads its rows in pages. */
export function pages(id: string, load: (range: Range, signal: AbortSignal) => Promise<ItemPage>): Source {
  const state = signal<SourceState>({ items: [], total: undefined });
  const controller = new AbortController();
  let work: Promise<void> | undefined;
  let isStale = false;
  /** The number of loaded rows when more were asked for last. */
  let asked = -1;

  const take = async (range: Range): Promise<void> => {
    const { items: before } = state.peek();
    try {
      const { items, total } = await load(range, controller.signal);
      const known = new Set(items.map(({ name }) => name));
      const kept = range.offset === 0 ? [] : before.filter(({ name }) => !known.has(name));
      const all = [...kept, ...items];
      state.value = { items: all, total: items.length === 0 ? all.length : Math.max(total, all.length) };
    } catch (error) {
      if (!controller.signal.aborted) state.value = { ...state.peek(), error };
    }
  };

  const start = (range: Range): void => {
    work = take(range).finally(() => {
      work = undefined;
      if (controller.signal.aborted) return;
      const { items, error } = state.peek();
      if (isStale) reload();
      // More were asked for while the loaded rows were loaded again.
      else if (items.length === asked && error === undefined) more();
    });
  };

  const more = (): void => {
    const { items, total } = state.peek();
    asked = items.length;
    if (work === undefined && (total === undefined || items.length < total))
      start({ offset: items.length, limit: PAGE });
  };

  const reload = (): void => {
    isStale = work !== undefined;
    const { length } = state.peek().items;
    if (!isStale) start({ offset: 0, limit: Math.max(1, Math.ceil(length / PAGE)) * PAGE });
  };
  return { id, state, more, reload, stop: () => controller.abort() };
}

/** The folders in a folder, from the store. */
export function foldersIn(store: FolderStore, parent: string): Source {
  const id: KindName = 'folders';
  const state = computed((): SourceState => {
    store.version.value;
    const { names, total, phase, error } = store.children(parent) ?? { names: [], total: 0, phase: 'loading' };
    const items = names.flatMap((name): readonly Item[] => {
      const node = store.node(name);
      return node === undefined
        ? []
        : [{ kind: id, name, title: node.title, folder: parent, isPrivate: node.isPrivate }];
    });
    return { items, total: phase === 'there' || total > 0 ? total : undefined, ...(phase === 'failed' && { error }) };
  });
  // The store keeps its lists current, unless they could not be loaded.
  const reload = (): void => {
    if (store.children(parent)?.phase === 'failed') store.more(parent);
  };
  return { id, state, more: () => store.more(parent), reload, stop: () => undefined };
}
