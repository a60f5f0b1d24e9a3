import { ROOT } from '../../../apis/folder/placement.js';
import type { FoundFolder, Place } from './found.js';
import { uidOfPath } from './walk.js';

/** A folder of the tree, with the uid that it gets. */
export interface Folder {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parent: string | undefined;
  readonly origin: string;
}

/** The folders of a tree: those that have files, and those that only the paths of other files name. */
export class Folders {
  readonly #folders: Folder[] = [];
  readonly #parents = new Map<string, string | undefined>();
  readonly #byPath = new Map<string, string>();
  readonly #byId = new Map<number, string>();
  readonly #bySlug = new Map<string, string>();
  readonly #root: string | undefined;
  readonly #uids: ReadonlyMap<string, string>;

  /** `root` is the folder for what lies in none. `uids` are known by the slugs of the paths. */
  constructor(found: readonly FoundFolder[], root: string | undefined, uids: ReadonlyMap<string, string> = new Map()) {
    this.#root = root;
    this.#uids = uids;
    const named = found.map((folder) => ({ folder, name: folder.uid || uidOfFile(folder.origin) }));
    for (const { folder, name } of named) {
      if (folder.id !== undefined) this.#byId.set(folder.id, name);
      if (folder.path !== undefined) this.#know(folder.path, name);
    }
    for (const { folder, name } of named) {
      const { title, description, origin } = folder;
      const parent = this.nameAt(parentOf(folder), origin);
      this.#add({ name, title: title || name, description, parent, origin });
    }
  }

  /** The folder that a folder of the tree lies in. */
  parentOf(name: string): string | undefined {
    return this.#parents.get(name);
  }

  has(name: string): boolean {
    return this.#parents.has(name);
  }

  get all(): readonly Folder[] {
    return this.#folders;
  }

  /** The folder of a place. `undefined` at the root. Throws if the tree does not say which one it is. */
  nameAt({ uid, id, title, path }: Place, origin: string): string | undefined {
    if (uid === ROOT) return this.#root;
    if (uid && (path === undefined || this.has(uid))) return uid;
    if (path !== undefined) return this.#nameOf(path);
    if (id === undefined) return this.#root;
    const found = this.#byId.get(id) ?? this.#titled(title);
    if (found !== undefined) return found;
    throw new Error(
      `${origin}: its folder ${JSON.stringify(title ?? '')} has only the number ${id}, and no file of the tree is of this folder. Add its file, or set folderUid.`,
    );
  }

  /** The folder whose path makes the name of a file, as gdg names files of permissions. */
  withSlug(slug: string): string | undefined {
    return this.#bySlug.get(slug);
  }

  #titled(title: string | undefined): string | undefined {
    const [only, ...others] = this.#folders.filter((folder) => folder.title === title);
    return others.length === 0 ? only?.name : undefined;
  }

  #nameOf(path: readonly string[]): string | undefined {
    const known = this.#byPath.get(keyOf(path));
    if (known !== undefined) return known;
    const title = path.at(-1);
    if (title === undefined || (path.length === 1 && title.toLowerCase() === ROOT)) return this.#root;
    const parent = this.#nameOf(path.slice(0, -1));
    const name = this.#uids.get(slugOf(path)) ?? uidOfPath(path.map(withoutSlash).join('/'));
    this.#know(path, name);
    this.#add({ name, title, description: '', parent, origin: `the folder ${path.join('/')}` });
    return name;
  }

  #know(path: readonly string[], name: string): void {
    this.#byPath.set(keyOf(path), name);
    this.#bySlug.set(slugOf(path), name);
  }

  #add(folder: Folder): void {
    this.#folders.push(folder);
    this.#parents.set(folder.name, folder.parent);
  }
}

/** A folder that has no parent in its file, but a path, lies where the path says. */
function parentOf({ parent, path }: FoundFolder): Place {
  return parent.uid === undefined && path !== undefined ? { path: path.slice(0, -1) } : parent;
}

/** A title may have a slash, which is no end of a folder. */
const withoutSlash = (title: string): string => title.replaceAll('%', '%25').replaceAll('/', '%2F');

const keyOf = (path: readonly string[]): string => path.join('\0');

function slugOf(path: readonly string[]): string {
  const encoded = path.map((title) => encodeURIComponent(title).replaceAll('%20', '+')).join('/');
  return (
    encoded
      .toLowerCase()
      .match(/[a-z0-9_]+/g)
      ?.join('-') ?? ''
  );
}

/** The uid of an object whose file has none: it is made of the path of the file. */
export function uidOfFile(origin: string): string {
  return uidOfPath(origin.replace(/\.(?:json|ya?ml|[a-z_]+)(?=,|$)/i, ''));
}
