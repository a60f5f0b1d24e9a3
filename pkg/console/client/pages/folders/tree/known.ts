import { find, type Hit } from '../model/find.js';
import type { Lock } from '../model/kinds.js';

/** What the tree knows of a folder. */
export interface Node {
  readonly name: string;
  readonly title: string;
  /** The folder that it lies in. Empty at the root. */
  readonly folder: string;
  readonly isPrivate: boolean;
  /** Whether the server has said that a folder above is private. The known ones above say it better. */
  readonly isInPrivate?: boolean;
}

/** The most folders that one request asks for. */
const MOST_ASKED = 100;

/** The folders of a namespace that were loaded, by name, and the paths to them. */
export class KnownFolders {
  readonly #namespace: string;
  readonly #nodes = new Map<string, Node>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  get(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  has(name: string): boolean {
    return this.#nodes.has(name);
  }

  set(node: Node): void {
    this.#nodes.set(node.name, node);
  }

  delete(name: string): void {
    this.#nodes.delete(name);
  }

  keep(hits: readonly Hit[]): void {
    for (const { name, title, folder = '', private: isPrivate = false, inPrivate: isInPrivate = false } of hits)
      this.set({ name, title, folder, isPrivate, isInPrivate });
  }

  /**
   * A folder and those above it, the one at the root first. The path begins below a folder that the caller may not
   * view.
   */
  async pathTo(name: string): Promise<readonly Node[]> {
    const path: Node[] = [];
    for (let at = name; at !== '' && !path.some((node) => node.name === at); ) {
      const node = this.get(at) ?? (await this.#find(at));
      if (node === undefined) break;
      path.unshift(node);
      at = node.folder;
    }
    return path;
  }

  async #find(name: string): Promise<Node | undefined> {
    const { hits } = await find(this.#namespace, { type: 'folder', name, limit: 1 });
    this.keep(hits);
    return this.get(name);
  }

  /** The known folders from the root down to this one. */
  knownPath(name: string): readonly Node[] {
    const path: Node[] = [];
    for (let node = this.get(name); node !== undefined && !path.includes(node); ) {
      path.unshift(node);
      node = this.get(node.folder);
    }
    return path;
  }

  /** Why a known folder is private. Above the known folders, what the server has said counts. */
  lockOf(name: string): Lock | undefined {
    const path = this.knownPath(name);
    const own = path.at(-1);
    if (own?.isPrivate === true) return 'own';
    const [top] = path;
    const isAbove = path.some(({ isPrivate }) => isPrivate) || (top?.folder !== '' && top?.isInPrivate === true);
    return isAbove ? 'above' : undefined;
  }

  /** Loads the unknown folders of these names, and the folders above them. */
  async learn(names: Iterable<string>): Promise<void> {
    for (let unknown = this.#unknown(names); unknown.length > 0; ) {
      const asked = unknown.slice(0, MOST_ASKED);
      const query = { type: 'folder', name: asked.join(','), limit: asked.length } as const;
      const { hits } = await find(this.#namespace, query);
      this.keep(hits);
      unknown = this.#unknown([...unknown.slice(MOST_ASKED), ...hits.map(({ folder = '' }) => folder)]);
    }
  }

  #unknown(names: Iterable<string>): readonly string[] {
    return [...new Set(names)].filter((name) => name !== '' && !this.has(name));
  }
}
