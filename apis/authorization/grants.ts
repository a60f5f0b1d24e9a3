import { LRUCache } from 'lru-cache';
import { ANONYMOUS, type UserInfo } from '../../pkg/identity/authn/user.js';
import { type Grants, grantsOf, NO_GRANTS, type Permission } from '../../pkg/identity/authz/grants.js';
import { type GrantSource, isMaster, type ResolvedGrants } from '../../registry/kinds/authorizer.js';
import type { Reader } from '../../registry/read/reader.js';
import type { BuiltInAccess } from '../access.js';
import { SERVICE_ACCOUNT_PREFIX } from '../iam/names.js';
import { ORGANIZATION_SETS } from '../iam/organization/access.js';
import type { RoleBindingSpec } from '../iam/rolebinding/schema.js';
import { TEAM_SETS } from '../iam/team/access.js';
import { accessIn } from './defined.js';
import { isOfServer } from './escalation.js';
import {
  type Assignment,
  type GrantInputs,
  type GrantOptions,
  grantInputs,
  type OrganizationInputs,
  sourcesOf,
} from './grant-inputs.js';
import { actionsOn, boundPermissions, rolePermissions } from './permissions.js';

/** Callers whose grants are remembered. */
const REMEMBERED = 10_000;

interface Remembered {
  readonly resolved: ResolvedGrants;
  /** What the built-in roles may do. It changes with the definitions of custom kinds. */
  readonly access: BuiltInAccess;
}

/**
 * The grants of users and service accounts, from their memberships, teams and role bindings. They are resolved again
 * only when these change.
 */
export function grantSource(options: GrantOptions): GrantSource {
  const sources = sourcesOf(options.domain);
  const known = new LRUCache<string, Remembered>({ max: REMEMBERED });
  return {
    resolve: (user, reader) => {
      const caller = callerOf(user);
      const remembered = known.get(caller);
      const access = accessIn(reader, options);
      if (remembered?.access === access && remembered.resolved.isCurrent(reader)) return remembered.resolved;
      const resolved = resolve(user, reader, sources, options);
      // A transaction may be taken back, and its revisions given to other content.
      if (reader.published !== undefined) known.set(caller, { resolved, access });
      return resolved;
    },
  };
}

/**
 * Identifies a caller. A server administrator needs no grants, so the same user without that group is another caller.
 */
function callerOf(user: UserInfo): string {
  const { name, uid } = user;
  const isNamed = name.startsWith(SERVICE_ACCOUNT_PREFIX) || name === ANONYMOUS.name || uid === '';
  const id = isNamed ? `name:${name}` : `uid:${uid}`;
  return isMaster(user) ? `master:${id}` : id;
}

function resolve(user: UserInfo, first: Reader, sources: readonly string[], options: GrantOptions): ResolvedGrants {
  const inputs = grantInputs(user, first, options);
  const grants = new Map<string, Grants>();
  let versions = sources.map((source) => first.version(source));
  const isSeen = (reader: Reader): boolean =>
    versions.every((version, i) => version === reader.version(sources[i] ?? ''));
  // Weak, because a state is large.
  const seen = new WeakSet<object>();
  const remember = (reader: Reader): true => {
    if (reader.published !== undefined) seen.add(reader.published);
    return true;
  };
  return {
    grants: (namespace) => {
      let grant = grants.get(namespace);
      if (grant === undefined) {
        grant = namespace === '' ? clusterGrants(inputs) : memberGrants(inputs, namespace);
        if (namespace === '' || inputs.organizations.has(namespace)) grants.set(namespace, grant);
      }
      return grant;
    },
    isMember: (namespace) => namespace === '' || inputs.organizations.has(namespace),
    isCurrent: (reader) => {
      if (reader.published !== undefined && seen.has(reader.published)) return true;
      if (isSeen(reader)) return remember(reader);
      if (grantInputs(user, reader, options).fingerprint !== inputs.fingerprint) return false;
      versions = sources.map((source) => reader.version(source));
      return remember(reader);
    },
  };
}

function memberGrants({ organizations, access }: GrantInputs, namespace: string): Grants {
  const inputs = organizations.get(namespace);
  if (inputs === undefined) return NO_GRANTS;
  const { role, teams, assignments } = inputs;
  return grantsOf([
    ...rolePermissions(role, access),
    ...teams.flatMap(({ teamRef, permission }) => actionsOn(TEAM_SETS[permission], `teams:uid:${teamRef.name}`)),
    ...assignments.flatMap(({ binding, role: custom }) => boundPermissions(binding, custom, access)),
  ]);
}

/** The grants outside of organizations: those of members on the organizations themselves, and those on the server. */
function clusterGrants({ organizations, access }: GrantInputs): Grants {
  const permissions = [...organizations].flatMap(([namespace, { role, assignments }]) => [
    ...actionsOn(ORGANIZATION_SETS[role === 'Admin' ? 'admin' : 'member'], `orgs:uid:${namespace}`),
    ...assignments.flatMap((assignment) => serverPermissions(assignment, access)),
  ]);
  return grantsOf(permissions);
}

/**
 * Custom roles may grant actions on the server as a whole, whatever organization they are in. Nobody can grant more
 * than they have, so these roles come from administrators of the server. No other action counts outside of its
 * organization.
 */
function serverPermissions({ binding, role }: Assignment, access: BuiltInAccess): readonly Permission[] {
  return binding.scope === undefined ? boundPermissions(binding, role, access).filter(isOfServer) : [];
}

/** Exactly one thing that gives rights. */
export interface GrantReason {
  readonly serverAdministrator?: true;
  readonly own?: true;
  readonly role?: string;
  readonly team?: string;
  readonly binding?: RoleBindingSpec;
}

/**
 * The things that give rights to a caller in a namespace, each with the grants that it gives alone. `own` is what every
 * member has without the others.
 */
export function* partsOfGrants(
  user: UserInfo,
  reader: Reader,
  options: GrantOptions,
  namespace: string,
): Generator<{ readonly why: GrantReason; readonly resolved: ResolvedGrants }, void, undefined> {
  const { organizations, access, fingerprint } = grantInputs(user, reader, options);
  const alone = (part: Partial<OrganizationInputs>): ResolvedGrants => {
    const only = new Map([[namespace, { role: 'None' as const, teams: [], assignments: [], ...part }]]);
    const inputs = { organizations: only, access, fingerprint };
    return {
      grants: (where) => (where === '' ? clusterGrants(inputs) : memberGrants(inputs, where)),
      isMember: (where) => where === '' || where === namespace,
      isCurrent: () => true,
    };
  };
  if (isMaster(user)) yield { why: { serverAdministrator: true }, resolved: alone({}) };
  const inputs = organizations.get(namespace);
  if (isMaster(user) || inputs === undefined) return;
  yield { why: { own: true }, resolved: alone({}) };
  yield { why: { role: inputs.role }, resolved: alone({ role: inputs.role }) };
  for (const team of inputs.teams) yield { why: { team: team.teamRef.name }, resolved: alone({ teams: [team] }) };
  for (const assignment of inputs.assignments)
    yield { why: { binding: assignment.binding }, resolved: alone({ assignments: [assignment] }) };
}
