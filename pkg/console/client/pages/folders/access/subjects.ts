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

export interface SearchResult {
  readonly people: readonly Person[];
  /** The errors of searches that failed. */
  readonly problems: readonly unknown[];
}

/** How the subjects of a kind are found. Each of the first two shows names also to those who give permissions only. */
const SEARCHES: readonly [
  kind: Subject['kind'],
  find: (namespace: string, text: string, signal?: AbortSignal) => Promise<readonly Person[]>,
][] = [
  ['User', findUsers],
  ['Team', findTeams],
  ['ServiceAccount', findServiceAccounts],
];

/**
 * The subjects whose name or login contains the text, and the e-mail address if the caller may know it. Kinds that the
 * caller may not search are in `problems`.
 */
export async function searchPeople(
  namespace: string,
  text: string,
  kinds: readonly Subject['kind'][],
  signal?: AbortSignal,
): Promise<SearchResult> {
  const wanted = text.trim();
  const searches = SEARCHES.filter(([kind]) => kinds.includes(kind));
  const answers = await Promise.allSettled(searches.map(([, find]) => find(namespace, wanted, signal)));
  const has = ({ title }: Person): boolean => title.toLowerCase().includes(wanted.toLowerCase());
  const roles = kinds.includes('BasicRole') ? BASIC_ROLES.filter(has) : [];
  return {
    people: [...roles, ...answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))],
    problems: answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
  };
}

interface Named {
  readonly uid: string;
  readonly name: string;
}

async function findUsers(namespace: string, query: string, signal?: AbortSignal): Promise<readonly Person[]> {
  const wanted = { query, limit: MOST_FOUND };
  const found = await getIn<readonly (Named & { login: string })[]>(namespace, '/api/org/users/lookup', wanted, signal);
  return found.map(({ uid, name, login }) => ({
    kind: 'User',
    name: uid,
    title: name || login,
    detail: login,
    username: login,
  }));
}

async function findTeams(namespace: string, query: string, signal?: AbortSignal): Promise<readonly Person[]> {
  const wanted = { query, limit: MOST_FOUND };
  const found = await getIn<readonly Named[]>(namespace, '/api/teams/lookup', wanted, signal);
  return found.map(({ uid, name }) => ({ kind: 'Team', name: uid, title: name }));
}

async function findServiceAccounts(namespace: string, query: string, signal?: AbortSignal): Promise<readonly Person[]> {
  const wanted = { query, perpage: MOST_FOUND };
  const path = '/api/serviceaccounts/search';
  const { serviceAccounts } = await getIn<{ serviceAccounts: readonly Named[] }>(namespace, path, wanted, signal);
  return serviceAccounts.map(({ uid, name }) => ({
    kind: 'ServiceAccount',
    name: uid,
    title: name,
    username: `system:serviceaccount:${namespace}:${uid}`,
  }));
}
