import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type FolderRow, rowsOf, type TreeRow } from './rows.js';
import type { FolderStore } from './store.js';

/** The state of one tree: which folders are open, and which one is active. */
export class TreeView {
  readonly store: FolderStore;
  readonly open: Signal<ReadonlySet<string>>;
  /** The name of the folder that keys act on. */
  readonly active = signal('');
  readonly rows: ReadonlySignal<readonly TreeRow[]>;
  readonly folders: ReadonlySignal<readonly FolderRow[]>;
  /** The number of the active row among all rows, or -1. */
  readonly at: ReadonlySignal<number>;

  /** The folder `without` and all below it are left out. */
  constructor(store: FolderStore, without = '') {
    this.store = store;
    this.open = signal(new Set<string>());
    this.rows = computed(() => {
      store.version.value;
      return rowsOf(store, this.open.value, without);
    });
    this.folders = computed(() => this.rows.value.filter((row): row is FolderRow => row.kind === 'folder'));
    this.at = computed(() =>
      this.rows.value.findIndex((row) => row.kind === 'folder' && row.node.name === this.active.value),
    );
    store.open('');
  }

  setOpen(name: string, isOpen: boolean): void {
    const open = new Set(this.open.peek());
    if (isOpen) open.add(name);
    else open.delete(name);
    if (isOpen) this.store.open(name);
    this.open.value = open;
  }

  /** Opens the folders above a folder, and makes it the active one. */
  async reveal(name: string): Promise<void> {
    const path = await this.store.pathTo(name);
    for (const { name: above } of path.slice(0, -1)) this.setOpen(above, true);
    this.active.value = name;
  }
}
