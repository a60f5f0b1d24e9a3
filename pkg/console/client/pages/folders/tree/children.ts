import type { KnownFolders, Node } from './known.js';

/** The loaded folders in a folder, in the order of their titles. */
export interface Children {
  readonly names: readonly string[];
  readonly total: number;
  readonly phase: 'loading' | 'there' | 'failed';
  readonly error?: unknown;
}

/** Applies a change of one folder to the loaded lists. */
export function applyTo(
  lists: Map<string, Children>,
  known: KnownFolders,
  { before, after, isNew }: { readonly before: Node | undefined; readonly after: Node; readonly isNew: boolean },
  isGone: boolean,
): void {
  const { name } = after;
  remove(lists, name, (before ?? after).folder, before !== undefined || isGone);
  if (isGone) known.delete(name);
  else {
    known.set(after);
    insert(lists, known, after, before !== undefined || isNew);
  }
}

function remove(lists: Map<string, Children>, name: string, parent: string, isCounted: boolean): void {
  const list = lists.get(parent);
  if (list === undefined) return;
  const names = list.names.filter((one) => one !== name);
  const wasThere = names.length < list.names.length;
  const total = wasThere || (isCounted && list.total > list.names.length) ? list.total - 1 : list.total;
  lists.set(parent, { ...list, names, total });
}

/** A folder behind the loaded pages comes with its page. The total may include it already, unless it is new. */
function insert(
  lists: Map<string, Children>,
  known: KnownFolders,
  { name, title, folder }: Node,
  isNew: boolean,
): void {
  const list = lists.get(folder);
  if (list === undefined || list.phase === 'loading') return;
  const key = title.toLowerCase();
  const found = list.names.findIndex((one) => (known.get(one)?.title ?? '').toLowerCase() > key);
  const isComplete = list.names.length >= list.total;
  const names = found < 0 ? (isComplete ? [...list.names, name] : list.names) : list.names.toSpliced(found, 0, name);
  const total = isNew || names !== list.names ? list.total + 1 : list.total;
  lists.set(folder, { ...list, names, total });
}
