import type { FolderRow } from './rows.js';
import type { TreeView } from './view.js';

/** Letters within so many milliseconds belong to one word. */
const WORD = 700;
let typed = '';
let typedAt = 0;

/** Handles a key in a tree (WAI-ARIA, tree view). Returns whether the key has a meaning. */
export function treeKey(view: TreeView, event: KeyboardEvent, choose: (name: string) => void): boolean {
  const rows = view.folders.peek();
  const at = rows.findIndex(({ node }) => node.name === view.active.peek());
  const row = rows[at];
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const to = targetOf(event.key, rows, at);
  if (to !== undefined) {
    view.active.value = to.node.name;
    return true;
  }
  switch (event.key) {
    case 'ArrowUp':
    case 'ArrowDown':
      return true;
    case 'ArrowRight':
      if (row !== undefined) view.setOpen(row.node.name, true);
      return true;
    case 'ArrowLeft':
      if (row?.isOpen === true) view.setOpen(row.node.name, false);
      return true;
    case '*':
      for (const one of rows) if (one.parent === row?.parent) view.setOpen(one.node.name, true);
      return true;
    case 'Enter':
    case ' ':
      if (row !== undefined) choose(row.node.name);
      return true;
    default:
      return event.key.length === 1 && event.key !== '/' && typeAhead(view, event.key);
  }
}

/** The row that a key leads to, if it leads to another one. */
function targetOf(key: string, rows: readonly FolderRow[], at: number): FolderRow | undefined {
  const row = rows[at];
  if (row === undefined) return key.startsWith('Arrow') || key === 'Home' || key === 'End' ? rows[0] : undefined;
  const below = rows[at + 1];
  if (key === 'ArrowDown') return below;
  if (key === 'ArrowUp') return rows[at - 1];
  if (key === 'Home') return rows[0];
  if (key === 'End') return rows.at(-1);
  if (key === 'ArrowRight' && row.isOpen) return below?.parent === row.node.name ? below : row;
  if (key === 'ArrowLeft' && !row.isOpen) return rows.find(({ node }) => node.name === row.parent) ?? row;
  return undefined;
}

/** Goes to the next folder whose title begins with what was typed. */
function typeAhead(view: TreeView, key: string): boolean {
  const now = Date.now();
  typed = (now - typedAt < WORD ? typed : '') + key.toLowerCase();
  typedAt = now;
  const rows = view.folders.peek();
  const at = rows.findIndex(({ node }) => node.name === view.active.peek());
  const from = typed.length === 1 ? at + 1 : Math.max(0, at);
  const begins = ({ node }: FolderRow): boolean => node.title.toLowerCase().startsWith(typed);
  const found = rows.slice(from).find(begins) ?? rows.slice(0, from).find(begins);
  if (found !== undefined) view.active.value = found.node.name;
  return true;
}
