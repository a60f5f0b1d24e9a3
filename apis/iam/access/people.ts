import type { Steps } from '../../../pkg/system/yielding/steps.js';
import { type ResourceName, resourceName } from '../../../registry/kinds/names.js';
import { isEntryEffective } from '../../../registry/kinds/ready-condition.js';
import { type Entry, nameOf, objectOf, placeOf } from '../../../registry/read/reader.js';
import { BY_ROLE, type OrganizationBindingSpec } from '../organizationbinding/schema.js';
import type { BindingSubject } from '../rolebinding/schema.js';
import type { ServiceAccountSpec } from '../serviceaccount/schema.js';
import { BY_PAIR, BY_TEAM, BY_USER, type TeamBindingSpec } from '../teambinding/schema.js';
import { isAdministrator, type UserSpec } from '../user/schema.js';
import type { AccessContext } from './place.js';

/** A user or a service account, with all subjects by which they have rights in the organization. */
export interface Person {
  readonly kind: 'User' | 'ServiceAccount';
  readonly name: string;
  readonly subjects: readonly BindingSubject[];
  /** Whether they have all rights, whatever is bound. */
  readonly isAdministrator: boolean;
}

/** The people behind subjects. Those who are disabled have no rights, and are left out. */
export interface People {
  /** How many rows there are to look at: at least as many as there are people. */
  sizeOf(subject: BindingSubject): number;
  behind(subject: BindingSubject): Iterable<Person>;
}

/** The most service accounts that are looked at for their role. */
const MOST_ACCOUNTS = 1000;

/** With `among`, the subjects of people have only these teams: somebody may belong to hundreds. */
export function peopleIn(
  { reader, namespace, environment: { domain } }: AccessContext,
  among?: () => readonly string[],
): People {
  const named = (resource: ResourceName): string => resourceName(resource, domain);
  const entryOf = (resource: ResourceName, where: string, name: string): Entry | undefined => {
    const entry = reader.entry(named(resource), where, name);
    return entry !== undefined && isEntryEffective(entry) ? entry : undefined;
  };
  const bindings = (index: string, prefix: readonly string[]): readonly Entry[] =>
    reader.entries(named('iam/teambindings'), index, prefix).filter(isEntryEffective);
  const teamsOf = (user: string): readonly string[] => {
    if (among !== undefined) return among().filter((team) => bindings(BY_PAIR, [namespace, team, user]).length > 0);
    const own = bindings(BY_USER, [user]).filter((entry) => placeOf(entry)[0] === namespace);
    return own.map((entry) => memberIn(entry).team);
  };
  const user = (name: string): readonly Person[] => {
    const [account, member] = [entryOf('iam/users', '', name), entryOf('iam/organizationbindings', namespace, name)];
    if (account === undefined || member === undefined) return [];
    const object = objectOf<UserSpec>(account);
    if (object.spec?.disabled === true) return [];
    const { role, suspended } = objectOf<OrganizationBindingSpec>(member).spec as OrganizationBindingSpec;
    if (suspended === true) return [];
    const teams = teamsOf(name).map((team) => ({ kind: 'Team' as const, name: team }));
    const subjects = [{ kind: 'User' as const, name }, { kind: 'BasicRole' as const, name: role }, ...teams];
    return [{ kind: 'User', name, subjects, isAdministrator: isAdministrator(object) }];
  };
  const account = (entry: Entry | undefined): readonly Person[] => {
    const { spec } = entry === undefined ? {} : objectOf<ServiceAccountSpec>(entry);
    if (entry === undefined || spec === undefined || spec.disabled) return [];
    const [kind, name] = ['ServiceAccount', nameOf(entry)] as const;
    return [
      {
        kind,
        name,
        subjects: [
          { kind, name },
          { kind: 'BasicRole', name: spec.role },
        ],
        isAdministrator: false,
      },
    ];
  };
  let accounts: readonly Person[] | undefined;
  const accountsWith = (role: string): readonly Person[] => {
    accounts ??= firstOf(reader.inNamespace(named('iam/serviceaccounts'), namespace), MOST_ACCOUNTS)
      .filter(isEntryEffective)
      .flatMap(account);
    return accounts.filter(({ subjects }) => subjects.some(({ kind, name }) => kind === 'BasicRole' && name === role));
  };
  const counted = (resource: ResourceName, index: string, name: string): number =>
    [...reader.counts(named(resource), index, [namespace, name], 2)].reduce((sum, { count }) => sum + count, 0);
  return {
    sizeOf: ({ kind, name }) => {
      if (kind === 'Team') return counted('iam/teambindings', BY_TEAM, name);
      if (kind !== 'BasicRole') return 1;
      return counted('iam/organizationbindings', BY_ROLE, name) + accountsWith(name).length;
    },
    *behind({ kind, name }) {
      if (kind === 'User') yield* user(name);
      if (kind === 'ServiceAccount') yield* account(entryOf('iam/serviceaccounts', namespace, name));
      if (kind === 'Team')
        for (const entry of reader.walk(named('iam/teambindings'), BY_TEAM, [namespace, name]))
          if (isEntryEffective(entry)) yield* user(memberIn(entry).user);
      if (kind !== 'BasicRole') return;
      for (const entry of reader.walk(named('iam/organizationbindings'), BY_ROLE, [namespace, name]))
        yield* user(nameOf(entry));
      yield* accountsWith(name);
    },
  };
}

/** How many are behind a team or a basic role. */
export interface Crowd {
  readonly people: number;
  readonly accounts: number;
  /** There are too many to look at each, so that some of these may be disabled or service accounts. */
  readonly isMost: boolean;
}

/** Counts those whom `behind` names, if the group is not too large. */
export function* crowdBehind(subject: BindingSubject, people: People, most: number): Steps<Crowd> {
  const size = people.sizeOf(subject);
  if (size > most) return { people: size, accounts: 0, isMost: true };
  const count = { User: 0, ServiceAccount: 0 };
  for (const { kind } of people.behind(subject)) {
    yield;
    count[kind]++;
  }
  return { people: count.User, accounts: count.ServiceAccount, isMost: false };
}

/** The team and the user of a binding, which need not be parsed for it. */
function memberIn(entry: Entry): { readonly team: string; readonly user: string } {
  const { 'spec.teamRef.name': team, 'spec.userRef.name': user } = entry.attributes.fields ?? {};
  if (team !== undefined && user !== undefined) return { team, user };
  const { teamRef, userRef } = objectOf(entry).spec as TeamBindingSpec;
  return { team: teamRef.name, user: userRef.name };
}

function firstOf<One>(all: Iterable<One>, most: number): readonly One[] {
  const first: One[] = [];
  for (const one of all) {
    if (first.length >= most) break;
    first.push(one);
  }
  return first;
}
