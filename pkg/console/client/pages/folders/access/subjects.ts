import { getIn } from '../../../lib/organization.js';

/** The subject of a role binding. */
export interface Subject {
  readonly kind: 'User' | 'Team' | 'ServiceAccount' | 'BasicRole';
  /** metadata.name, or the basic role. */
  readonly name: string;
}

/** A subject with its names for people. */
export interface Person extends Subject {
  readonly title: string;
  /** Distinguishes subjects with the same title: a login, or an e-mail address. */
  readonly detail?: string;
  /** The number of people behind a team or a basic role, and of service accounts. */
  readonly people?: number;
  readonly accounts?: number;
  /** Whether there are at most as many. */
  readonly isMost?: boolean;
  /** The username as a caller, by which reviews name them. Only users and service accounts have one. */
  readonly username?: string;
}

export const KINDS: Readonly<Record<Subject['kind'], string>> = {
  User: 'User',
  Team: 'Team',
  ServiceAccount: 'Service account',
  BasicRole: 'Basic role',
};

export const BASIC_ROLES: readonly Person[] = [
  { kind: 'BasicRole', name: 'Viewer', title: 'Viewer', detail: 'Everybody with this role in the organization' },
  { kind: 'BasicRole', name: 'Editor', title: 'Editor', detail: 'Everybody with this role in the organization' },
  { kind: 'BasicRole', name: 'Admin', title: 'Admin', detail: 'Everybody with this role in the organization' },
];

export const subjectKey = ({ kind, name }: Subject): string => `${kind}/${name}`;

/** The most results of each kind. */
const MOST_FOUND = 20;

interface Found {
  readonly orgUsers?: readonly { readonly uid: string; readonly name: string; readonly login: string }[];
  readonly teams?: readonly { readonly uid: string; readonly name: string; readonly email?: string }[];
  readonly serviceAccounts?: readonly { readonly uid: string; readonly name: string; readonly login: string }[];
}

export interface SearchResult {
  readonly people: readonly Person[];
  /** The errors of searches that failed. */
  readonly problems: readonly unknown[];
}

/**
 * The subjects whose name, login or e-mail address contains the text. Kinds that the caller may not search are in
 * `problems`.
 */
export async function searchPeople(
  namespace: string,
  text: string,
  kinds: readonly Subject['kind'][],
  signal?: AbortSignal,
): Promise<SearchResult> {
  const query = { query: text.trim(), perpage: MOST_FOUND };
  const search = (kind: Subject['kind'], path: string): Promise<readonly Person[]> =>
    kinds.includes(kind)
      ? getIn<Found>(namespace, path, query, signal).then((found) => peopleOf(found, namespace))
      : Promise.resolve([]);
  const answers = await Promise.allSettled([
    search('User', '/api/org/users/search'),
    search('Team', '/api/teams/search'),
    search('ServiceAccount', '/api/serviceaccounts/search'),
  ]);
  const has = ({ title }: Person): boolean => title.toLowerCase().includes(query.query.toLowerCase());
  const roles = kinds.includes('BasicRole') ? BASIC_ROLES.filter(has) : [];
  return {
    people: [...roles, ...answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))],
    problems: answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
  };
}

function peopleOf({ orgUsers = [], teams = [], serviceAccounts = [] }: Found, namespace: string): readonly Person[] {
  return [
    ...orgUsers.map(
      ({ uid, name, login }): Person => ({
        kind: 'User',
        name: uid,
        title: name || login,
        detail: login,
        username: login,
      }),
    ),
    ...teams.map(
      ({ uid, name, email }): Person => ({
        kind: 'Team',
        name: uid,
        title: name,
        ...(email && { detail: email }),
      }),
    ),
    ...serviceAccounts.map(
      ({ uid, name }): Person => ({
        kind: 'ServiceAccount',
        name: uid,
        title: name,
        username: `system:serviceaccount:${namespace}:${uid}`,
      }),
    ),
  ];
}
