import { ON_DASHBOARD, ON_FOLDER } from '../../../apis/iam/creator.js';
import type { RoleLevels } from '../../../apis/iam/rolebinding/legacy/role-levels.js';
import { lazy } from '../../../pkg/system/object/lazy.js';
import type { Folders } from './folders.js';
import { type FoundPermissions, type LeftOut, leftOut } from './found.js';
import type { People } from './people.js';
import { type Access, AT_ROOT, accessOf, type Teams } from './permissions.js';

interface Who {
  readonly people: People;
  readonly teams: Teams;
}

interface Binding {
  readonly name: string;
  readonly origin: string;
  readonly spec: object;
}

const OPEN: Omit<Access, 'levels'> = { permissions: [], isPrivate: false, unknown: [] };

/** The permissions of a tree: who has what on which folder or dashboard, and which of them are private. */
export class AccessRules {
  readonly bindings: Binding[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #lists: readonly FoundPermissions[];
  readonly #used = new Set<FoundPermissions>();
  readonly #folders: Folders;
  readonly #who: Who;
  readonly #done = new Map<string, Access>();

  constructor(lists: readonly FoundPermissions[], folders: Folders, who: Who) {
    this.#folders = folders;
    this.#who = who;
    this.#lists = lists;
  }

  hasList(folder: string): boolean {
    return this.#folderLists().has(folder);
  }

  /** Lists of what has no file in the tree. */
  get unused(): readonly LeftOut[] {
    const others = this.#lists.filter((list) => !this.#used.has(list));
    return others.map(({ origin, on, uid }) => leftOut(origin, `the tree has no file of the ${on} ${uid}`));
  }

  // When they are asked for, all folders are known, also those that only paths name.
  readonly #folderLists = lazy(() => this.#byName('folder', (list) => this.#folderOf(list)));
  readonly #dashboardLists = lazy(() => this.#byName('dashboard', ({ uid }) => uid));

  /** The folder of a list: an empty one names none, and a folder that only a path names has another uid. */
  #folderOf({ uid, slug, origin }: FoundPermissions): string {
    const name = this.#folders.has(uid) ? uid : (this.#folders.withSlug(slug) ?? uid);
    if (name !== '') return name;
    throw new Error(`${origin}: the list is empty, and no folder of the tree has the path ${slug}.`);
  }

  #byName(
    on: FoundPermissions['on'],
    nameOf: (list: FoundPermissions) => string,
  ): ReadonlyMap<string, FoundPermissions> {
    const all = new Map<string, FoundPermissions>();
    for (const list of this.#lists.filter((one) => one.on === on)) {
      const name = nameOf(list);
      const other = all.get(name);
      if (other !== undefined)
        throw new Error(
          `${other.origin} and ${list.origin} are permissions of the same ${on} ${name}. Remove one of them.`,
        );
      all.set(name, list);
    }
    return all;
  }

  /** A folder has what its parent has, unless its list says something else. */
  ofFolder(name: string): Access {
    const known = this.#done.get(name);
    if (known !== undefined) return known;
    // A folder that lies in itself is refused by the server. It must not keep this from ending.
    this.#done.set(name, { ...OPEN, levels: AT_ROOT });
    const access = this.#accessOf(this.#folderLists().get(name), this.#above(name), (subject) => ({
      name: ON_FOLDER.bindingName(name, subject),
      scope: ON_FOLDER.scope(name),
    }));
    this.#done.set(name, access);
    return access;
  }

  ofDashboard(name: string, folder: string | undefined): Access {
    const above = folder === undefined ? AT_ROOT : this.ofFolder(folder).levels;
    return this.#accessOf(this.#dashboardLists().get(name), above, (subject) => ({
      name: ON_DASHBOARD.bindingName(name, subject),
      scope: ON_DASHBOARD.scope(name),
    }));
  }

  #above(name: string): RoleLevels {
    const parent = this.#folders.parentOf(name);
    return parent === undefined ? AT_ROOT : this.ofFolder(parent).levels;
  }

  #accessOf(
    list: FoundPermissions | undefined,
    above: RoleLevels,
    place: (subject: Access['permissions'][number]['subject']) => { readonly name: string; readonly scope: unknown },
  ): Access {
    if (list === undefined) return { ...OPEN, levels: above };
    this.#used.add(list);
    const access = accessOf(list, above, this.#who.people, this.#who.teams);
    for (const { subject, level } of access.permissions) {
      const { name, scope } = place(subject);
      const spec = { subject, roleRef: { kind: 'BuiltIn', name: level }, scope };
      this.bindings.push({ name, origin: list.origin, spec });
    }
    this.leftOut.push(...access.unknown.map((reason) => leftOut(list.origin, reason)));
    return access;
  }
}
