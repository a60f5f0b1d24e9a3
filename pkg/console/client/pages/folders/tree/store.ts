import { signal } from '@preact/signals';
import { withoutOverrides } from '../../../lib/without-overrides.js';
import { find, type Hit } from '../model/find.js';
import { type Folder, isPrivateFolder, type Lock, parentOf } from '../model/kinds.js';
import { applyTo, type Children } from './children.js';
import { KnownFolders, type Node } from './known.js';

/** Folders on the first page, which must come quickly, and on later pages. */
const [FIRST, PAGE] = [200, 2000];
/** The most closed folders that one request asks about, and the most folders in its answer. */
const [MOST_ASKED, MOST_FOUND] = [100, 500];
/** The most requests of one `peek`. */
const MOST_ROUNDS = 5;
const NOTHING: Children = { names: [], total: 0, phase: 'loading' };

/** The folders of a namespace that were looked at. Changes from the server touch only loaded lists. */
export class FolderStore {
  readonly namespace: string;
  /** Changes whenever the store does. */
  readonly version = signal(0);
  /** Changes when `peek` must ask again. */
  readonly epoch = signal(0);
  /** The last change from the server. */
  readonly change = signal<{ readonly isGone: boolean; readonly folder: Folder } | undefined>(undefined);
  readonly #known: KnownFolders;
  readonly #lists = new Map<string, Children>();
  /** The lists that somebody has opened. Others were only loaded by `peek`. */
  readonly #opened = new Set<string>();
  #shared: readonly string[] = [];
  readonly #pending = new Map<string, Promise<void>>();
  #looking: Promise<void> | undefined;
  /** Whether the revision of the watch is known. Lists are loaded after that, so that no change is missed. */
  #isReady = false;

  constructor(namespace: string) {
    this.namespace = namespace;
    this.#known = new KnownFolders(namespace);
  }

  node(name: string): Node | undefined {
    return this.#known.get(name);
  }

  children(parent: string): Children | undefined {
    return this.#lists.get(parent);
  }

  /** Folders that the caller may view below folders that they may not. The tree shows them at the root. */
  get shared(): readonly string[] {
    return this.#shared.filter((name) => {
      const node = this.#known.get(name);
      return node !== undefined && node.folder !== '' && !this.#known.has(node.folder);
    });
  }

  /** Reads one page, because callers who may view only a part of the folders mostly see few of them. */
  async #lookForShared(): Promise<void> {
    const { hits, totalHits } = await find(this.namespace, { type: 'folder', limit: MOST_FOUND });
    if (totalHits > hits.length) return;
    this.#shared = hits.map(({ name }) => name);
    // These are all folders, so that nothing is left to ask about closed ones.
    this.#keepLists(this.#shared, hits);
  }

  /** Loads the open lists, for the first time or after changes were missed. */
  async begin(): Promise<void> {
    this.#isReady = true;
    for (const parent of [...this.#lists.keys()]) if (!this.#opened.has(parent)) this.#lists.delete(parent);
    this.epoch.value++;
    const pages = [...this.#opened].map((parent) => this.#page(parent, true));
    // If this fails, the search still finds shared folders.
    this.#looking = this.#lookForShared().catch(() => undefined);
    await Promise.all([...pages, this.#looking]);
  }

  /** Marks all open lists as failed. */
  fail(error: unknown): void {
    for (const parent of this.#opened) this.#set(parent, { ...NOTHING, phase: 'failed', error });
  }

  /** Loads the folders in a folder, unless they are loaded. */
  open(parent: string): void {
    this.#opened.add(parent);
    if (this.#lists.has(parent)) return;
    this.#set(parent, NOTHING);
    if (this.#isReady) void this.#page(parent, false);
  }

  /** Loads the next page. */
  more(parent: string): void {
    const list = this.#lists.get(parent);
    if (list === undefined || !this.#isReady || (list.names.length >= list.total && list.phase === 'there')) return;
    void this.#page(parent, false);
  }

  #page(parent: string, isAnew: boolean): Promise<void> {
    const known = this.#pending.get(parent);
    if (known !== undefined) return known;
    const work = this.#load(parent, isAnew).finally(() => this.#pending.delete(parent));
    this.#pending.set(parent, work);
    return work;
  }

  async #load(parent: string, isAnew: boolean): Promise<void> {
    const before = this.#lists.get(parent) ?? NOTHING;
    const offset = isAnew ? 0 : before.names.length;
    const limit = isAnew ? Math.max(FIRST, before.names.length) : offset === 0 ? FIRST : PAGE;
    try {
      const { hits, totalHits } = await find(this.namespace, {
        type: 'folder',
        folder: parent === '' ? 'general' : parent,
        offset,
        limit: Math.min(limit, 5000),
      });
      this.#known.keep(hits);
      const names = isAnew ? [] : (this.#lists.get(parent)?.names ?? []);
      const all = [...new Set([...names, ...hits.map(({ name }) => name)])];
      const total = hits.length === 0 ? all.length : Math.max(totalHits, all.length);
      this.#set(parent, { names: all, total, phase: 'there' });
    } catch (error) {
      const { names, total } = this.#lists.get(parent) ?? NOTHING;
      this.#set(parent, { names, total, phase: 'failed', error });
    }
  }

  /**
   * Loads what is in several closed folders, so that empty ones look empty, and the others open at once. If the answer
   * is incomplete, it asks again without the folders that have something in the answer.
   */
  async peek(names: readonly string[]): Promise<void> {
    await this.#looking;
    let asked = names.filter((name) => !this.#lists.has(name)).slice(0, MOST_ASKED);
    for (let round = 0; round < MOST_ROUNDS && asked.length > 0 && this.#isReady; round++) {
      const query = { type: 'folder', folder: asked.join(','), limit: MOST_FOUND } as const;
      const { hits, totalHits } = await find(this.namespace, query);
      if (totalHits <= hits.length) {
        this.#keepLists(asked, hits);
        return;
      }
      const found = new Set(hits.map(({ folder }) => folder));
      asked = asked.filter((name) => !found.has(name));
    }
  }

  #keepLists(parents: readonly string[], hits: readonly Hit[]): void {
    this.#known.keep(hits);
    for (const parent of parents) {
      if (this.#lists.has(parent)) continue;
      const names = hits.filter(({ folder }) => folder === parent).map(({ name }) => name);
      this.#lists.set(parent, { names, total: names.length, phase: 'there' });
    }
    this.version.value++;
  }

  /**
   * A folder and those above it, the one at the root first. The path begins below a folder that the caller may not
   * view.
   */
  pathTo(name: string): Promise<readonly Node[]> {
    return this.#known.pathTo(name);
  }

  /** The known folders from the root down to this one. */
  knownPath(name: string): readonly Node[] {
    return this.#known.knownPath(name);
  }

  /** Why a known folder is private. Components that call it are rendered again when that changes. */
  lockOf(name: string): Lock | undefined {
    this.version.value;
    return this.#known.lockOf(name);
  }

  /** Loads folders by their names, for example those of found dashboards. */
  async learn(names: Iterable<string>): Promise<void> {
    await this.#known.learn(names);
    this.version.value++;
  }

  #set(parent: string, list: Children): void {
    this.#lists.set(parent, list);
    this.version.value++;
  }

  /** Applies a change from the server. */
  apply(folder: Folder, type: 'ADDED' | 'MODIFIED' | 'DELETED'): void {
    const isGone = type === 'DELETED';
    const { name } = folder.metadata;
    const before = this.#known.get(name);
    const after: Node = {
      name,
      title: withoutOverrides(folder.spec?.title ?? ''),
      folder: parentOf(folder),
      isPrivate: isPrivateFolder(folder),
      isInPrivate: before?.folder === parentOf(folder) && before.isInPrivate === true,
    };
    if (isGone || before === undefined || !isSame(before, after))
      applyTo(this.#lists, this.#known, { before, after, isNew: type === 'ADDED' }, isGone);
    this.change.value = { isGone, folder };
    this.version.value++;
  }
}

const isSame = (a: Node, b: Node): boolean =>
  a.folder === b.folder && a.title === b.title && a.isPrivate === b.isPrivate;
