import type { Node } from './known.js';
import type { FolderStore } from './store.js';

interface Placed {
  /** 1 for folders at the root. */
  readonly level: number;
  readonly parent: string;
}

export interface FolderRow extends Placed {
  readonly kind: 'folder';
  readonly node: Node;
  readonly isOpen: boolean;
  /** Whether there are folders in it, if that is known. */
  readonly hasFolders: boolean | undefined;
  /** Its position among its siblings, from 1 on, and their number. */
  readonly at: number;
  readonly of: number;
}

/** Stands for folders that are not loaded yet, or cannot be loaded. */
export interface RestRow extends Placed {
  readonly kind: 'rest';
  readonly count: number;
  readonly error?: unknown;
}

export type TreeRow = FolderRow | RestRow;

/** The rows of a tree in which these folders are open. The folder `without` is left out, with all below it. */
export function rowsOf(store: FolderStore, open: ReadonlySet<string>, without = ''): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (parent: string, level: number): void => {
    const { names, total, phase, error } = store.children(parent) ?? { names: [], total: 0, phase: 'loading' };
    const shown = parent === '' ? [...names, ...store.shared] : names;
    for (const [index, name] of shown.entries()) {
      const node = store.node(name);
      if (node === undefined || name === without) continue;
      const below = store.children(name);
      const isKnown = below !== undefined && (below.phase === 'there' || below.total > 0);
      const hasFolders = isKnown ? below.total > 0 : undefined;
      const isOpen = open.has(name) && hasFolders !== false;
      rows.push({
        kind: 'folder',
        node,
        level,
        parent,
        isOpen,
        hasFolders,
        at: index + 1,
        of: Math.max(total, shown.length),
      });
      if (isOpen) add(name, level + 1);
    }
    if (phase !== 'there' || names.length < total)
      rows.push({ kind: 'rest', level, parent, count: total - names.length, ...(phase === 'failed' && { error }) });
  };
  add('', 1);
  return rows;
}
