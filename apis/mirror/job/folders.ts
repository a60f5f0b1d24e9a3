import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import { parseLabelSelector } from '../../../pkg/kube/selectors/labels.js';
import { isEffective } from '../../../registry/kinds/ready-condition.js';
import type { Reader } from '../../../registry/read/reader.js';
import { withoutBasicRoles } from '../../folder/basic-roles.js';
import type { FolderSpec } from '../../folder/folder/schema.js';
import { folderOf } from '../../folder/placement.js';
import { type BY_DASHBOARD, BY_FOLDER, type RoleBindingSpec } from '../../iam/rolebinding/schema.js';
import type { TeamSpec } from '../../iam/team/schema.js';
import type { UserSpec } from '../../iam/user/schema.js';
import type { MirrorSpec } from '../mirror/schema.js';
import { type Access, LEVELS, NOBODY, rolesOf, USUAL, union, withoutRoles } from './access.js';
import { loginOf } from './people.js';
import type { Resources } from './resources.js';

/** A folder here, as the other server is to have it. */
export interface FolderNode {
  readonly name: string;
  readonly title: string;
  /** The selected folder that it lies in. Empty: it lies at the root there. */
  readonly parent: string;
  /** What the basic roles have on it, by itself and by what it lies in. */
  readonly roles: Access;
  /** The list of its permissions there. Absent: those that a new folder has there are right. */
  readonly access: Access | undefined;
}

/** What mirrors read, at one state. */
export interface SourceOptions {
  readonly reader: Reader;
  readonly resources: Resources;
  readonly domain: string;
  readonly namespace: string;
  readonly spec: MirrorSpec;
}

interface Placed {
  readonly folder: KubeObject<FolderSpec>;
  readonly parent: Placed | undefined;
  readonly isSelected: boolean;
}

/** The folders of a namespace at one state: which are selected, and who has what on them. */
export class Folders {
  readonly #options: SourceOptions;
  readonly #placed = new Map<string, Placed | undefined>();
  readonly #nodes = new Map<string, FolderNode | undefined>();
  readonly #isChosen: (folder: KubeObject) => boolean;
  readonly #isPrivate: (object: KubeObject) => boolean;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#isPrivate = withoutBasicRoles(options.domain);
    const { names, labels } = options.spec.folders ?? {};
    const chosen = new Set(names);
    const selector = labels === undefined ? undefined : parseLabelSelector(labels);
    this.#isChosen = ({ metadata }) => chosen.has(metadata.name) || selector?.matches(metadata.labels ?? {}) === true;
  }

  /** Whether what lies at the root goes along. */
  get hasRoot(): boolean {
    return this.#options.spec.folders === undefined;
  }

  /** Absent: there is no such folder, or it is not selected. */
  node(name: string): FolderNode | undefined {
    if (!this.#nodes.has(name)) this.#nodes.set(name, this.#nodeOf(this.#at(name)));
    return this.#nodes.get(name);
  }

  /** Whether a folder, or one above it, waits for what it names. Nobody sees it here meanwhile (docs/adr/0047). */
  isWaiting(name: string): boolean {
    const { reader, resources, namespace, domain } = this.#options;
    const folder = reader.get<FolderSpec>(resources.folders, namespace, name);
    if (folder === undefined || isTerminating(folder)) return false;
    const above = folderOf(folder, domain);
    return !isEffective(folder) || (above !== undefined && this.isWaiting(above));
  }

  /** What the basic roles have on what lies in a folder. Empty name: at the root. */
  rolesIn(folder: string): Access {
    return folder === '' ? USUAL : (this.node(folder)?.roles ?? NOBODY);
  }

  /** What bindings on a folder or a dashboard give, if permissions go along. */
  bound(index: typeof BY_FOLDER | typeof BY_DASHBOARD, name: string): Access {
    const { reader, resources, namespace, spec } = this.#options;
    if (!spec.permissions) return NOBODY;
    let access = NOBODY;
    for (const binding of reader.range<RoleBindingSpec>(resources.bindings, index, [namespace, name])) {
      const given = this.#given(binding);
      if (given !== undefined) access = union(access, new Map([given]));
    }
    return access;
  }

  /** Custom roles and service accounts are not known there, so what they have stays here. */
  #given(binding: KubeObject<RoleBindingSpec>): readonly [string, number] | undefined {
    const { subject, roleRef } = binding.spec ?? {};
    const level = roleRef?.kind === 'BuiltIn' ? LEVELS[roleRef.name] : undefined;
    const who = subject && this.#subject(subject);
    return level === undefined || who === undefined || !isEffective(binding) ? undefined : [who, level];
  }

  #subject({ kind, name }: RoleBindingSpec['subject']): string | undefined {
    const { reader, resources, namespace } = this.#options;
    if (kind === 'BasicRole') return name === 'Admin' ? undefined : `role:${name}`;
    if (kind === 'Team') return prefixed('team', reader.get<TeamSpec>(resources.teams, namespace, name)?.spec?.title);
    if (kind === 'User') return prefixed('user', loginOf(reader.get<UserSpec>(resources.users, '', name)?.spec));
    return undefined;
  }

  #at(name: string): Placed | undefined {
    if (this.#placed.has(name)) return this.#placed.get(name);
    const placed = this.#find(name);
    this.#placed.set(name, placed);
    return placed;
  }

  #find(name: string): Placed | undefined {
    const { reader, resources, namespace, domain } = this.#options;
    const folder = reader.get<FolderSpec>(resources.folders, namespace, name);
    if (folder === undefined || isTerminating(folder) || !isEffective(folder)) return undefined;
    const above = folderOf(folder, domain);
    const parent = above === undefined ? undefined : this.#at(above);
    if (above !== undefined && parent === undefined) return undefined;
    const isSelected = this.hasRoot || parent?.isSelected === true || this.#isChosen(folder);
    return { folder, parent, isSelected };
  }

  #nodeOf(placed: Placed | undefined): FolderNode | undefined {
    if (placed?.isSelected !== true) return undefined;
    const { folder, parent } = placed;
    const { name } = folder.metadata;
    const isBelow = parent?.isSelected === true;
    const roles = this.#roles(placed);
    const title = folder.spec?.title ?? name;
    return {
      name,
      title,
      parent: isBelow ? parent.folder.metadata.name : '',
      roles,
      access: this.#access(placed, roles),
    };
  }

  /** What the basic roles have ends at the first private folder. */
  #roles({ folder, parent }: Placed): Access {
    const own = rolesOf(this.bound(BY_FOLDER, folder.metadata.name));
    if (this.#isPrivate(folder)) return own;
    return union(own, parent === undefined ? USUAL : this.#roles(parent));
  }

  /**
   * A selected folder below one that is not lies at the root there, so it has by itself what others have on it by its
   * parents here.
   */
  #access(placed: Placed, roles: Access): Access | undefined {
    const { folder, parent } = placed;
    const own = this.bound(BY_FOLDER, folder.metadata.name);
    if (parent?.isSelected === true) {
      return own.size === 0 && !this.#isPrivate(folder) ? undefined : union(withoutRoles(own), roles);
    }
    let all = withoutRoles(own);
    for (let at = parent; at !== undefined; at = at.parent)
      all = union(all, withoutRoles(this.bound(BY_FOLDER, at.folder.metadata.name)));
    const list = union(all, roles);
    return list.size === USUAL.size && all.size === 0 && [...roles].every(([who, level]) => USUAL.get(who) === level)
      ? undefined
      : list;
  }
}

function prefixed(prefix: string, text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : `${prefix}:${text}`;
}
