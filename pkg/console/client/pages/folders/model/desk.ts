import { type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import type { Dragged } from '../tree/drag.js';
import { FolderStore } from '../tree/store.js';
import { TreeView } from '../tree/view.js';
import { DetailsStore } from './details.js';
import type { Chosen } from './selection.js';
import { Stars } from './stars.js';

/** The dialog that is open. */
export type Task =
  | { readonly kind: 'create'; readonly parent: string }
  | { readonly kind: 'createDashboard'; readonly parent: string }
  /** With `onto`, the JSON replaces this dashboard. */
  | { readonly kind: 'import'; readonly parent: string; readonly onto?: string }
  | { readonly kind: 'edit'; readonly item: Pick<Dragged, 'kind' | 'name'> }
  | { readonly kind: 'move'; readonly item: Dragged; readonly to?: string }
  | { readonly kind: 'delete'; readonly item: Dragged }
  | { readonly kind: 'moveMany' | 'tagMany' | 'deleteMany'; readonly items: readonly Chosen[] };

/** The state that all parts of the page share, for one namespace. */
export interface Desk {
  readonly namespace: string;
  readonly store: FolderStore;
  readonly view: TreeView;
  readonly stars: Stars;
  readonly details: DetailsStore;
  readonly task: Signal<Task | undefined>;
  /** Counts the writes of this page. Lists load again when it changes. */
  readonly done: Signal<number>;
}

export function newDesk(namespace: string): Desk {
  const store = new FolderStore(namespace);
  return {
    namespace,
    store,
    view: new TreeView(store),
    stars: new Stars(namespace),
    details: new DetailsStore(namespace),
    task: signal(undefined),
    done: signal(0),
  };
}

export const DeskContext = createContext<Desk | undefined>(undefined);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === undefined) throw new Error('This is shown on the page of folders only.');
  return desk;
}

/** Tells whether the dialog that calls this is still open. Somebody who has closed it may be busy with another one. */
export function useIsOpen(): () => boolean {
  const { task } = useDesk();
  const begun = useRef(task.peek());
  return () => task.peek() === begun.current;
}
