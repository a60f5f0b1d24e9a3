import { ANONYMOUS, type UserInfo } from '../../pkg/identity/authn/user.js';
import { isMaster } from '../../registry/kinds/authorizer.js';
import { type ResourceName, resourceName } from '../../registry/kinds/names.js';
import { isEntryEffective } from '../../registry/kinds/ready-condition.js';
import { type Entry, objectOf, type Reader } from '../../registry/read/reader.js';
import type { BuiltInAccess } from '../access.js';
import type { AccessEnvironment } from '../environment.js';
import { DEFAULT_ORGANIZATION, SERVICE_ACCOUNT_PREFIX } from '../iam/names.js';
import type { OrganizationRole } from '../iam/organization-role.js';
import {
  isSuspended,
  BY_USER as MEMBERSHIPS_BY_USER,
  type OrganizationBindingSpec,
} from '../iam/organizationbinding/schema.js';
import type { RoleSpec } from '../iam/role/schema.js';
import { BY_SUBJECT, type RoleBindingSpec, roleNamespace } from '../iam/rolebinding/schema.js';
import type { ServiceAccountSpec } from '../iam/serviceaccount/schema.js';
import { BY_USER as TEAMS_BY_USER, type TeamBindingSpec } from '../iam/teambinding/schema.js';
import type { UserSpec } from '../iam/user/schema.js';
import { accessIn } from './defined.js';

/** A role binding of a caller, with the custom role that it names. */
export interface Assignment {
  readonly binding: RoleBindingSpec;
  readonly role: RoleSpec | undefined;
}

export interface OrganizationInputs {
  readonly role: OrganizationRole;
  readonly teams: readonly TeamBindingSpec[];
  readonly assignments: readonly Assignment[];
}

/** Everything from which the grants of a caller are computed. */
export interface GrantInputs {
  /** Two fingerprints are equal if and only if all inputs are equal. */
  readonly fingerprint: string;
  /** By namespace: the organizations to which the caller belongs. */
  readonly organizations: ReadonlyMap<string, OrganizationInputs>;
  /**
   * What the built-in roles may do. It is no part of the fingerprint: a watch ends anyway if the definition of its own
   * kind changes.
   */
  readonly access: BuiltInAccess;
}

export interface GrantOptions extends AccessEnvironment {
  /** The role of callers without credentials in the first organization. */
  readonly anonymousRole: OrganizationRole;
}

const SOURCES = [
  'iam/users',
  'iam/serviceaccounts',
  'iam/organizations',
  'iam/organizationbindings',
  'iam/teambindings',
  'iam/rolebindings',
  'iam/roles',
] as const;

/** The resources from which grants are computed. */
export function sourcesOf(domain: string): readonly string[] {
  return SOURCES.map((name) => resourceName(name, domain));
}

function specOf<Spec>(entry: Entry): Spec {
  return (objectOf(entry).spec ?? {}) as Spec;
}

const namespaceInKey = ({ key }: Entry): string => key.split('/')[1] ?? '';

/**
 * Reads at one state, and notes what it has read. It finds neither terminating objects nor objects that wait for
 * others, because these grant nothing. The bindings of a terminating team are terminating, too: the commit that deletes
 * an object deletes what references it.
 */
class NotingReader {
  readonly #reader: Reader;
  readonly #domain: string;
  readonly #facts: string[] = [];

  constructor(reader: Reader, domain: string) {
    this.#reader = reader;
    this.#domain = domain;
  }

  get fingerprint(): string {
    return this.#facts.join('\n');
  }

  note(fact: string): void {
    this.#facts.push(fact);
  }

  user(uid: string): UserSpec | undefined {
    const entry = this.#entry('iam/users', '', uid);
    return entry && specOf<UserSpec>(entry);
  }

  account(namespace: string, name: string): ServiceAccountSpec | undefined {
    const entry = this.#entry('iam/serviceaccounts', namespace, name);
    return entry && specOf<ServiceAccountSpec>(entry);
  }

  /** Whether the organization is being deleted. Nobody has rights in it then, so nobody can delay its end. */
  isEnding(namespace: string): boolean {
    const entry = this.#reader.entry(resourceName('iam/organizations', this.#domain), '', namespace);
    const isEnding = entry?.attributes.isTerminating === true;
    if (isEnding) this.note(`${namespace} ends`);
    return isEnding;
  }

  /** The memberships of a user in organizations that are not being deleted, without those that are suspended. */
  memberships(uid: string): readonly Entry[] {
    const all = this.#entries('iam/organizationbindings', MEMBERSHIPS_BY_USER, [uid]);
    return all.filter((entry) => !isSuspended(objectOf(entry)) && !this.isEnding(namespaceInKey(entry)));
  }

  teams(uid: string, namespace: string): readonly TeamBindingSpec[] {
    return this.#entries('iam/teambindings', TEAMS_BY_USER, [uid])
      .filter((entry) => namespaceInKey(entry) === namespace)
      .map((entry) => this.#read<TeamBindingSpec>(entry));
  }

  assignments(namespace: string, kind: string, name: string): readonly Assignment[] {
    return this.#entries('iam/rolebindings', BY_SUBJECT, [namespace, kind, name]).map((entry) => {
      const binding = this.#read<RoleBindingSpec>(entry);
      return { binding, role: this.#role(namespace, binding) };
    });
  }

  #role(namespace: string, { roleRef }: RoleBindingSpec): RoleSpec | undefined {
    if (roleRef.kind === 'BuiltIn') return undefined;
    const entry = this.#entry('iam/roles', roleNamespace(roleRef, namespace), roleRef.name);
    return entry && this.#read<RoleSpec>(entry);
  }

  #entry(resource: ResourceName, namespace: string, name: string): Entry | undefined {
    const entry = this.#reader.entry(resourceName(resource, this.#domain), namespace, name);
    return entry?.attributes.isTerminating === true ? undefined : entry;
  }

  #entries(resource: ResourceName, index: string, prefix: readonly string[]): readonly Entry[] {
    return this.#reader.entries(resourceName(resource, this.#domain), index, prefix).filter(isEntryEffective);
  }

  #read<Spec>(entry: Entry): Spec {
    this.note(`${entry.key}@${entry.revision}`);
    return specOf<Spec>(entry);
  }
}

const NONE: ReadonlyMap<string, OrganizationInputs> = new Map();

export function grantInputs(user: UserInfo, reader: Reader, options: GrantOptions): GrantInputs {
  const notes = new NotingReader(reader, options.domain);
  const organizations = organizationsOf(user, notes, options);
  const access = accessIn(reader, options);
  return { fingerprint: notes.fingerprint, organizations, access };
}

function organizationsOf(
  user: UserInfo,
  reader: NotingReader,
  options: GrantOptions,
): ReadonlyMap<string, OrganizationInputs> {
  if (user.name.startsWith(SERVICE_ACCOUNT_PREFIX)) return accountInputs(user, reader);
  if (user.name === ANONYMOUS.name) return anonymousInputs(reader, options);
  if (user.uid === '') return NONE;
  const spec = reader.user(user.uid);
  reader.note(`user: ${spec?.disabled ?? 'none'} ${spec?.grafanaAdmin ?? 'none'}`);
  if (spec === undefined || spec.disabled || isMaster(user)) return NONE;
  const entries = reader.memberships(user.uid);
  return new Map(entries.map((entry) => [namespaceInKey(entry), memberInputs(user.uid, entry, reader)]));
}

function memberInputs(uid: string, entry: Entry, reader: NotingReader): OrganizationInputs {
  const namespace = namespaceInKey(entry);
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

function accountInputs({ name: caller }: UserInfo, reader: NotingReader): ReadonlyMap<string, OrganizationInputs> {
  const [namespace = '', ...rest] = caller.slice(SERVICE_ACCOUNT_PREFIX.length).split(':');
  const name = rest.join(':');
  const account = reader.account(namespace, name);
  reader.note(`account: ${account?.disabled ?? 'none'} ${account?.role ?? 'none'}`);
  if (account === undefined || account.disabled || reader.isEnding(namespace)) return NONE;
  const { role } = account;
  const assignments = [
    ...reader.assignments(namespace, 'ServiceAccount', name),
    ...reader.assignments(namespace, 'BasicRole', role),
  ];
  return new Map([[namespace, { role, teams: [], assignments }]]);
}

function anonymousInputs(
  reader: NotingReader,
  { anonymousRole: role }: GrantOptions,
): ReadonlyMap<string, OrganizationInputs> {
  if (role === 'None' || reader.isEnding(DEFAULT_ORGANIZATION)) return NONE;
  const assignments = reader.assignments(DEFAULT_ORGANIZATION, 'BasicRole', role);
  return new Map([[DEFAULT_ORGANIZATION, { role, teams: [], assignments }]]);
}
