import { ANONYMOUS, type UserInfo } from '../../pkg/authn/user.js';
import { isMaster } from '../../registry/access/masters.js';
import { entriesUnder, entryNamed } from '../../registry/access/views.js';
import type { AccessView, Entry } from '../../registry/access.js';
import { objectOfEntry } from '../../registry/view.js';
import type { OrganizationRole } from '../iam/fields.js';
import { DEFAULT_ORGANIZATION, resourceName, SERVICE_ACCOUNT_PREFIX } from '../iam/names.js';
import { BY_USER as MEMBERSHIPS_BY_USER, type OrganizationBindingSpec } from '../iam/organizationbinding/schema.js';
import type { RoleSpec } from '../iam/role/schema.js';
import { BY_SUBJECT, type RoleBindingSpec } from '../iam/rolebinding/schema.js';
import type { ServiceAccountSpec } from '../iam/serviceaccount/schema.js';
import { BY_USER as TEAMS_BY_USER, type TeamBindingSpec } from '../iam/teambinding/schema.js';
import type { UserSpec } from '../iam/user/schema.js';

/** A role binding of a caller, with the custom role that it names. */
export interface Assignment {
  readonly binding: RoleBindingSpec;
  readonly role: RoleSpec | undefined;
}

/** A caller in one organization. */
export interface Membership {
  readonly role: OrganizationRole;
  readonly teams: readonly TeamBindingSpec[];
  readonly assignments: readonly Assignment[];
}

/** What the grants of a caller follow from. */
export interface Basis {
  /** Equal if and only if everything read is equal. */
  readonly fingerprint: string;
  readonly memberships: ReadonlyMap<string, Membership>;
}

export interface BasisOptions {
  readonly domain: string;
  /** The role in the first organization of callers without credentials, where those are let in. */
  readonly anonymousRole: OrganizationRole;
}

/** The resources that grants follow from. */
export function sourcesOf(domain: string): readonly string[] {
  const names = ['users', 'serviceaccounts', 'organizationbindings', 'teambindings', 'rolebindings', 'roles'] as const;
  return names.map((name) => resourceName(name, domain));
}

const specs = new WeakMap<Entry, unknown>();

/** Entries stay the same from state to state: each is read once. */
function specOf<Spec>(entry: Entry): Spec {
  let spec = specs.get(entry);
  if (spec === undefined) {
    spec = objectOfEntry(entry).spec ?? {};
    specs.set(entry, spec);
  }
  return spec as Spec;
}

const namespaceOf = ({ key }: Entry): string => key.split('/')[1] ?? '';

/** Reads on one state, and notes what it has read. */
class Reader {
  readonly #view: AccessView;
  readonly #domain: string;
  readonly #facts: string[] = [];

  constructor(view: AccessView, domain: string) {
    this.#view = view;
    this.#domain = domain;
  }

  get fingerprint(): string {
    return this.#facts.join('\n');
  }

  note(fact: string): void {
    this.#facts.push(fact);
  }

  user(uid: string): UserSpec | undefined {
    const entry = entryNamed(this.#view, resourceName('users', this.#domain), '', uid);
    return entry && specOf<UserSpec>(entry);
  }

  account(namespace: string, name: string): ServiceAccountSpec | undefined {
    const entry = entryNamed(this.#view, resourceName('serviceaccounts', this.#domain), namespace, name);
    return entry && specOf<ServiceAccountSpec>(entry);
  }

  memberships(uid: string): readonly Entry[] {
    return entriesUnder(this.#view, resourceName('organizationbindings', this.#domain), MEMBERSHIPS_BY_USER, [uid]);
  }

  teams(uid: string, namespace: string): readonly TeamBindingSpec[] {
    const all = entriesUnder(this.#view, resourceName('teambindings', this.#domain), TEAMS_BY_USER, [uid]);
    return all.filter((entry) => namespaceOf(entry) === namespace).map((entry) => this.#read<TeamBindingSpec>(entry));
  }

  assignments(namespace: string, kind: string, name: string): readonly Assignment[] {
    const bindings = resourceName('rolebindings', this.#domain);
    return entriesUnder(this.#view, bindings, BY_SUBJECT, [namespace, kind, name]).map((entry) => {
      const binding = this.#read<RoleBindingSpec>(entry);
      return { binding, role: this.#role(namespace, binding) };
    });
  }

  #role(namespace: string, { roleRef }: RoleBindingSpec): RoleSpec | undefined {
    if (roleRef.kind !== 'Role') return undefined;
    const entry = entryNamed(this.#view, resourceName('roles', this.#domain), namespace, roleRef.name);
    return entry && this.#read<RoleSpec>(entry);
  }

  #read<Spec>(entry: Entry): Spec {
    this.note(`${entry.key}@${entry.revision}`);
    return specOf<Spec>(entry);
  }
}

const NOBODY: ReadonlyMap<string, Membership> = new Map();

export function basisOf(user: UserInfo, view: AccessView, options: BasisOptions): Basis {
  const reader = new Reader(view, options.domain);
  const memberships = membershipsOf(user, reader, options);
  return { fingerprint: reader.fingerprint, memberships };
}

function membershipsOf(user: UserInfo, reader: Reader, options: BasisOptions): ReadonlyMap<string, Membership> {
  if (user.name.startsWith(SERVICE_ACCOUNT_PREFIX)) return accountMembership(user, reader);
  if (user.name === ANONYMOUS.name) return anonymousMembership(reader, options);
  if (user.uid === '') return NOBODY;
  const spec = reader.user(user.uid);
  reader.note(`user: ${spec?.disabled ?? 'none'} ${spec?.grafanaAdmin ?? 'none'}`);
  if (spec === undefined || spec.disabled || isMaster(user)) return NOBODY;
  const entries = reader.memberships(user.uid);
  return new Map(entries.map((entry) => [namespaceOf(entry), memberOf(user.uid, entry, reader)]));
}

function memberOf(uid: string, entry: Entry, reader: Reader): Membership {
  const namespace = namespaceOf(entry);
  const { role } = specOf<OrganizationBindingSpec>(entry);
  reader.note(`${namespace}: ${role}`);
  const teams = reader.teams(uid, namespace);
  const assignments = [
    ...reader.assignments(namespace, 'User', uid),
    ...teams.flatMap(({ teamRef }) => reader.assignments(namespace, 'Team', teamRef.name)),
    ...reader.assignments(namespace, 'BasicRole', role),
  ];
  return { role, teams, assignments };
}

function accountMembership({ name: caller }: UserInfo, reader: Reader): ReadonlyMap<string, Membership> {
  const [namespace = '', ...rest] = caller.slice(SERVICE_ACCOUNT_PREFIX.length).split(':');
  const name = rest.join(':');
  const account = reader.account(namespace, name);
  reader.note(`account: ${account?.disabled ?? 'none'} ${account?.role ?? 'none'}`);
  if (account === undefined || account.disabled) return NOBODY;
  const { role } = account;
  const assignments = [
    ...reader.assignments(namespace, 'ServiceAccount', name),
    ...reader.assignments(namespace, 'BasicRole', role),
  ];
  return new Map([[namespace, { role, teams: [], assignments }]]);
}

function anonymousMembership(reader: Reader, { anonymousRole: role }: BasisOptions): ReadonlyMap<string, Membership> {
  if (role === 'None') return NOBODY;
  const assignments = reader.assignments(DEFAULT_ORGANIZATION, 'BasicRole', role);
  return new Map([[DEFAULT_ORGANIZATION, { role, teams: [], assignments }]]);
}
