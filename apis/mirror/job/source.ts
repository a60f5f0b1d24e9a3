import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { isEntryEffective } from '../../../registry/kinds/ready-condition.js';
import { CONTAINER_INDEX, containerTuple } from '../../../registry/kinds/registry.js';
import { nameOf } from '../../../registry/read/reader.js';
import type { DashboardSpec } from '../../dashboard/dashboard/schema.js';
import type { LibraryElementSpec } from '../../dashboard/libraryelement/schema.js';
import { withoutBasicRoles } from '../../folder/basic-roles.js';
import { BY_DASHBOARD } from '../../iam/rolebinding/schema.js';
import { type Access, isSame, isWithin, rolesOf, USUAL, union, withoutRoles } from './access.js';
import { Folders, type SourceOptions } from './folders.js';
import { hashOf } from './memory.js';
import { Preferences } from './preferences-source.js';
import { CONTENTS, type ContentWord, type Key, KINDS, keyOf, partsOf } from './resources.js';
import { Teams } from './teams.js';

/** A dashboard, as the other server is to have it. */
export interface DashboardNode {
  readonly name: string;
  readonly folder: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly hash: string;
  /** The list of its permissions there. Absent: those that a new dashboard has there are right. */
  readonly access: Access | undefined;
}

/** A library element, as the other server is to have it. What its folder allows holds for it. */
export interface ElementNode {
  readonly name: string;
  readonly folder: string;
  readonly content: Pick<LibraryElementSpec, 'name' | 'kind' | 'model'>;
  readonly hash: string;
}

/** It cannot be there as it is here, so it must not be there at all. */
export interface Impossible {
  readonly impossible: string;
}

const CANNOT_CLOSE =
  'it is private here, but not its folder, and the other server cannot make a dashboard private in a folder that is not';

/** What a mirror is to send, at one state. */
export class Source {
  readonly folders: Folders;
  readonly teams: Teams;
  readonly preferences: Preferences;
  readonly #options: SourceOptions;
  readonly #isPrivate: (object: KubeObject) => boolean;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.folders = new Folders(options);
    this.teams = new Teams(options, this.folders);
    this.preferences = new Preferences(options, this.teams);
    this.#isPrivate = withoutBasicRoles(options.domain);
  }

  /**
   * The folder of a content. Empty: it lies at the root. Absent: there is no such object, or it is not selected. The
   * folder may wait.
   */
  folderOf(word: ContentWord, name: string): string | undefined {
    const { reader, namespace, spec } = this.#options;
    const entry = reader.entry(this.#resourceOf(word), namespace, name);
    if (entry === undefined || !isEntryEffective(entry) || spec.kinds?.includes(KINDS[word]) === false)
      return undefined;
    const folder = entry.attributes.container ?? '';
    return this.#isSelected(folder) ? folder : undefined;
  }

  #resourceOf(word: ContentWord): string {
    const { resources } = this.#options;
    return word === 'dashboard' ? resources.dashboards : resources.elements;
  }

  #isSelected(folder: string): boolean {
    if (folder === '') return this.folders.hasRoot;
    return this.folders.node(folder) !== undefined || this.folders.isWaiting(folder);
  }

  get hasTeams(): boolean {
    return this.#options.spec.teams;
  }

  /** Whether there is no such object, or it is not selected. */
  isGone(key: Key): boolean {
    const { kind, name } = partsOf(key);
    if (kind === 'folder') return this.folders.node(name) === undefined && !this.folders.isWaiting(name);
    if (kind === 'team') return this.teams.node(name) === undefined;
    if (kind === 'preferences') return this.preferences.node(name) === undefined;
    return this.folderOf(kind, name) === undefined;
  }

  /** Absent: there is no such element, or it is not selected. */
  element(name: string): ElementNode | undefined {
    const { reader, resources, namespace } = this.#options;
    const folder = this.folderOf('element', name);
    const spec = reader.get<LibraryElementSpec>(resources.elements, namespace, name)?.spec;
    if (folder === undefined || spec === undefined) return undefined;
    const content = { name: spec.name, kind: spec.kind, model: spec.model };
    return { name, folder, content, hash: hashOf([folder, content]) };
  }

  /** Absent: there is no such dashboard, or it is not selected. */
  dashboard(name: string): DashboardNode | Impossible | undefined {
    const { reader, resources, namespace } = this.#options;
    const folder = this.folderOf('dashboard', name);
    const object = reader.get<DashboardSpec>(resources.dashboards, namespace, name);
    if (folder === undefined || object === undefined) return undefined;
    const access = this.#access(object, folder);
    if (access === 'impossible') return { impossible: CANNOT_CLOSE };
    const content = this.#content(object.spec);
    return { name, folder, content, hash: hashOf([folder, content]), access };
  }

  /** Everything that is selected, folders before what lies in them. */
  *keys(): Generator<Key, void> {
    yield* this.teams.keys();
    yield* this.preferences.keys();
    yield* this.#folderKeys();
    for (const word of CONTENTS)
      if (this.#options.spec.kinds?.includes(KINDS[word]) !== false) yield* this.#contentKeys(word);
  }

  /** What lies directly in a folder here. */
  *keysIn(folder: string): Generator<Key, void> {
    const { reader, resources, namespace } = this.#options;
    const inside = containerTuple(namespace, folder);
    for (const entry of reader.walk(resources.folders, CONTAINER_INDEX, inside)) yield keyOf('folder', nameOf(entry));
    for (const word of CONTENTS)
      for (const entry of reader.walk(this.#resourceOf(word), CONTAINER_INDEX, inside))
        yield keyOf(word, nameOf(entry));
  }

  *#folderKeys(): Generator<Key, void> {
    const { reader, resources, namespace } = this.#options;
    for (const entry of reader.inNamespace(resources.folders, namespace)) {
      const name = nameOf(entry);
      if (this.folders.node(name) !== undefined) yield keyOf('folder', name);
    }
  }

  *#contentKeys(word: ContentWord): Generator<Key, void> {
    const { reader, namespace } = this.#options;
    for (const entry of reader.inNamespace(this.#resourceOf(word), namespace))
      if (this.#isSelected(entry.attributes.container ?? '')) yield keyOf(word, nameOf(entry));
  }

  #content(spec: DashboardSpec | undefined): Readonly<Record<string, unknown>> {
    const tag = this.#options.spec.provenance?.tag;
    if (tag === undefined) return { ...spec };
    return { ...spec, tags: [...new Set([...(spec?.tags ?? []), tag])] };
  }

  #access(dashboard: KubeObject, folder: string): Access | undefined | 'impossible' {
    const own = this.folders.bound(BY_DASHBOARD, dashboard.metadata.name);
    const above = this.folders.rolesIn(folder);
    const roles = this.#isPrivate(dashboard) ? rolesOf(own) : union(rolesOf(own), above);
    if (folder !== '') {
      if (!isWithin(above, roles)) return 'impossible';
      return own.size === 0 ? undefined : own;
    }
    const list = union(withoutRoles(own), roles);
    return isSame(list, USUAL) ? undefined : list;
  }
}
