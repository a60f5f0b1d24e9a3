import { fold } from '../../../pkg/kube/meta/fold.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { isEffective } from '../../../registry/kinds/ready-condition.js';
import { nameOf } from '../../../registry/read/reader.js';
import { folderOf } from '../../folder/placement.js';
import { BY_SUBJECT, type RoleBindingSpec } from '../../iam/rolebinding/schema.js';
import { BY_TITLE, type TeamSpec } from '../../iam/team/schema.js';
import { BY_TEAM, type TeamBindingSpec } from '../../iam/teambinding/schema.js';
import type { UserSpec } from '../../iam/user/schema.js';
import type { Access } from './access.js';
import type { Folders, SourceOptions } from './folders.js';
import { hashOf } from './memory.js';
import { loginOf } from './people.js';
import { type Key, keyOf } from './resources.js';

/** What members and admins of a team have in its list. Groups have 1. */
export const MEMBER = 1;
export const ADMIN = 4;

/** A team here, as the other server is to have it. */
export interface TeamNode {
  readonly name: string;
  readonly title: string;
  readonly email: string;
  /** Who is in it: `user:login` with MEMBER or ADMIN, and the groups of providers: `group:name`. */
  readonly members: Access;
  /** Of title and address. */
  readonly hash: string;
}

/** The teams of a namespace at one state: which are selected, and who is in them. */
export class Teams {
  readonly #options: SourceOptions;
  readonly #folders: Folders;
  readonly #nodes = new Map<string, TeamNode | undefined>();
  #above: ReadonlySet<string> | undefined;

  constructor(options: SourceOptions, folders: Folders) {
    this.#options = options;
    this.#folders = folders;
  }

  /** Absent: there is no such team, or it is not selected. */
  node(name: string): TeamNode | undefined {
    if (!this.#nodes.has(name)) this.#nodes.set(name, this.#options.spec.teams ? this.#nodeOf(name) : undefined);
    return this.#nodes.get(name);
  }

  /** Whether something of it may go along, if teams do: everything, or what has to do with the folders. */
  isSelected(name: string): boolean {
    return this.#folders.hasRoot || [...this.#scopes(name)].some((scope) => this.#isSelectedPlace(scope));
  }

  titleOf(name: string): string | undefined {
    return this.#get(name)?.spec?.title;
  }

  /** The team that has a title. */
  named(title: string): string | undefined {
    const { reader, resources, namespace } = this.#options;
    const [entry] = reader.entries(resources.teams, BY_TITLE, [namespace, fold(title)], 1);
    return entry && nameOf(entry);
  }

  /** All that are selected. */
  *keys(): Generator<Key, void> {
    const { reader, resources, namespace, spec } = this.#options;
    if (!spec.teams) return;
    for (const entry of reader.inNamespace(resources.teams, namespace))
      if (this.node(nameOf(entry)) !== undefined) yield keyOf('team', nameOf(entry));
  }

  /** The folders and dashboards on which it has something by itself. */
  *places(name: string): Generator<Key, void> {
    for (const { folder, dashboard } of this.#scopes(name)) {
      if (folder !== undefined) yield keyOf('folder', folder);
      if (dashboard !== undefined) yield keyOf('dashboard', dashboard);
    }
  }

  *#scopes(name: string): Generator<NonNullable<RoleBindingSpec['scope']>, void> {
    const { reader, resources, namespace } = this.#options;
    const subject = [namespace, 'Team', name];
    for (const binding of reader.range<RoleBindingSpec>(resources.bindings, BY_SUBJECT, subject))
      if (binding.spec?.scope !== undefined && isEffective(binding)) yield binding.spec.scope;
  }

  #isSelectedPlace({ folder, dashboard }: NonNullable<RoleBindingSpec['scope']>): boolean {
    const { reader, resources, namespace } = this.#options;
    if (dashboard !== undefined) {
      const place = reader.entry(resources.dashboards, namespace, dashboard)?.attributes.container;
      return place !== undefined && this.#folders.node(place) !== undefined;
    }
    if (folder === undefined) return false;
    // What it has on a folder above a selected one holds in that, too.
    return this.#folders.node(folder) !== undefined || this.#aboveSelected().has(folder);
  }

  #aboveSelected(): ReadonlySet<string> {
    this.#above ??= new Set(this.#findAbove());
    return this.#above;
  }

  *#findAbove(): Generator<string, void> {
    const { reader, resources, namespace, domain } = this.#options;
    for (const entry of reader.inNamespace(resources.folders, namespace)) {
      if (this.#folders.node(nameOf(entry))?.parent !== '') continue;
      for (let at: string | undefined = nameOf(entry); at !== undefined; ) {
        const folder: KubeObject | undefined = reader.get(resources.folders, namespace, at);
        at = folder && folderOf(folder, domain);
        if (at !== undefined) yield at;
      }
    }
  }

  #get(name: string): KubeObject<TeamSpec> | undefined {
    const { reader, resources, namespace } = this.#options;
    const team = reader.get<TeamSpec>(resources.teams, namespace, name);
    return team !== undefined && isEffective(team) ? team : undefined;
  }

  #nodeOf(name: string): TeamNode | undefined {
    const { title, email = '', groups = [] } = this.#get(name)?.spec ?? {};
    if (title === undefined || !this.isSelected(name)) return undefined;
    const members = new Map(this.#members(name));
    for (const group of groups) members.set(`group:${group}`, MEMBER);
    return { name, title, email, members, hash: hashOf([title, email]) };
  }

  *#members(name: string): Generator<readonly [string, number], void> {
    const { reader, resources, namespace } = this.#options;
    for (const binding of reader.range<TeamBindingSpec>(resources.members, BY_TEAM, [namespace, name])) {
      const { userRef, permission } = binding.spec ?? {};
      const login = userRef && loginOf(reader.get<UserSpec>(resources.users, '', userRef.name)?.spec);
      if (login && isEffective(binding)) yield [`user:${login}`, permission === 'admin' ? ADMIN : MEMBER];
    }
  }
}
