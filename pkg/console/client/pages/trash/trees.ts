import { isOwnGroup, type Resource } from '../../lib/discovery.js';
import { kindIn } from '../access/kind-field.js';
import { type Deleted, keyOf } from './trash.js';

/** An object with what was deleted with it. */
export interface Tree {
  readonly key: string;
  readonly root: Deleted;
  /** What else was deleted at once with it, as by a selection of several rows. */
  readonly others: readonly Deleted[];
  /** The objects in it. Each comes after its folder. */
  readonly inside: readonly Inside[];
  /** Whether more of it may be loaded later. */
  readonly isPartial: boolean;
}

export interface Inside {
  readonly object: Deleted;
  readonly depth: number;
}

/**
 * The deletions as trees of folders, the last first. Those before the horizon are left out, and so are those that were
 * undone: the object was deleted again later.
 */
export function treesOf(deleted: readonly Deleted[], horizon: string): readonly Tree[] {
  const groups = new Map<string, Deleted[]>();
  const seen = new Set<string>();
  for (const one of deleted) {
    const object = `${one.resource.group}/${one.resource.resource}/${one.name}`;
    if (one.at < horizon || seen.has(object)) continue;
    seen.add(object);
    const group = groups.get(one.deletion);
    if (group === undefined) groups.set(one.deletion, [one]);
    else group.push(one);
  }
  return together([...groups.values()].flatMap((group) => treesIn(group, horizon)));
}

/** Trees of one operation are one entry. */
function together(trees: readonly Tree[]): readonly Tree[] {
  const entries = new Map<string, Tree[]>();
  for (const tree of trees) {
    const { operation, by } = tree.root;
    // Anybody may send the word of somebody else's operation.
    const key = operation === '' ? tree.key : `${by}/${operation}`;
    const others = entries.get(key);
    if (others === undefined) entries.set(key, [tree]);
    else others.push(tree);
  }
  return [...entries].map(([key, all]) => merged(key, all));
}

function merged(key: string, [first, ...others]: readonly Tree[]): Tree {
  if (first === undefined) throw new Error('an entry of the trash has no object');
  if (others.length === 0) return first;
  const inside = [first, ...others].flatMap((tree): readonly Inside[] => [
    { object: tree.root, depth: 1 },
    ...tree.inside.map(({ object, depth }) => ({ object, depth: depth + 1 })),
  ]);
  const isPartial = first.isPartial || others.some((tree) => tree.isPartial);
  return { key, root: first.root, others: others.map(({ root }) => root), inside, isPartial };
}

function treesIn(group: readonly Deleted[], horizon: string): readonly Tree[] {
  const folders = new Set(group.flatMap((one) => (isFolder(one) ? [one.name] : [])));
  const contents = new Map<string, Deleted[]>();
  const roots: Deleted[] = [];
  for (const one of group) {
    const others = contents.get(one.folder);
    if (!folders.has(one.folder)) roots.push(one);
    else if (others === undefined) contents.set(one.folder, [one]);
    else others.push(one);
  }
  return roots.map((root) => ({
    key: keyOf(root),
    root,
    others: [],
    inside: isFolder(root) ? insideOf(root, contents) : [],
    isPartial: root.at === horizon,
  }));
}

/** Depth first, without recursion, because trees may be deep. */
function insideOf(root: Deleted, contents: ReadonlyMap<string, readonly Deleted[]>): readonly Inside[] {
  const inside: Inside[] = [];
  const open = childrenOf(root, 1, contents);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    inside.push(next);
    if (isFolder(next.object)) open.push(...childrenOf(next.object, next.depth + 1, contents));
  }
  return inside;
}

/** Folders first, then by kind and title, but reversed, because they are taken from the end. */
function childrenOf({ name }: Deleted, depth: number, contents: ReadonlyMap<string, readonly Deleted[]>): Inside[] {
  const order = (one: Deleted): string => `${isFolder(one) ? 0 : 1}${one.resource.kind} ${one.title || one.name}`;
  return [...(contents.get(name) ?? [])]
    .sort((a, b) => order(b).localeCompare(order(a), undefined, { numeric: true }))
    .map((object) => ({ object, depth }));
}

/** Whether it is a folder of the server. Definitions may define other kinds with this name. */
export function isFolder({ resource }: Deleted): boolean {
  return resource.kind === 'Folder' && isOwnGroup(resource.group);
}

export interface TrashFilter {
  readonly text: string;
  /** The value of an option for a kind. Empty: all kinds. */
  readonly kind: string;
}

/** The trees with an object that matches both the text and the kind. */
export function matching(trees: readonly Tree[], { text, kind }: TrashFilter): readonly Tree[] {
  const words = text.trim().toLowerCase();
  if (words === '' && kind === '') return trees;
  const wanted = kind === '' ? undefined : kindIn(kind);
  return trees.filter(
    ({ root, inside }) => fits(root, words, wanted) || inside.some(({ object }) => fits(object, words, wanted)),
  );
}

function fits({ resource, title, name }: Deleted, words: string, wanted: Resource | undefined): boolean {
  if (wanted !== undefined && (resource.kind !== wanted.kind || resource.group !== wanted.group)) return false;
  return words === '' || title.toLowerCase().includes(words) || name.toLowerCase().includes(words);
}
