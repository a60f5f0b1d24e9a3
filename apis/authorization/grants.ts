import { LRUCache } from 'lru-cache';
import { ANONYMOUS, type UserInfo } from '../../pkg/authn/user.js';
import { type Grants, grantsOf, NO_GRANTS } from '../../pkg/authz/grants.js';
import { isMaster } from '../../registry/access/masters.js';
import type { AccessView, GrantSource, Standing } from '../../registry/access.js';
import { SERVICE_ACCOUNT_PREFIX } from '../iam/names.js';
import { type Basis, type BasisOptions, basisOf, type Membership, sourcesOf } from './grant-inputs.js';
import { on, permissionsOf } from './permissions.js';
import { ORGANIZATION_SETS, ROLE_SETS, TEAM_SETS } from './roles.js';

/** Callers whose grants are remembered. */
const REMEMBERED = 10_000;

/** The grants of users and service accounts, from their memberships, teams and role bindings; worked out again only when those change. */
export function grantSource(options: BasisOptions): GrantSource {
  const sources = sourcesOf(options.domain);
  const known = new LRUCache<string, Standing>({ max: REMEMBERED });
  return {
    standingOf: (user, view) => {
      const caller = callerOf(user);
      const remembered = known.get(caller);
      if (remembered?.holds(view) === true) return remembered;
      const standing = standingOf(user, view, sources, options);
      known.set(caller, standing);
      return standing;
    },
  };
}

/** The same person has other grants as a server administrator, who needs none. */
function callerOf(user: UserInfo): string {
  const { name, uid } = user;
  const isNamed = name.startsWith(SERVICE_ACCOUNT_PREFIX) || name === ANONYMOUS.name || uid === '';
  const id = isNamed ? `name:${name}` : `uid:${uid}`;
  return isMaster(user) ? `master:${id}` : id;
}

function standingOf(user: UserInfo, first: AccessView, sources: readonly string[], options: BasisOptions): Standing {
  const basis = basisOf(user, first, options);
  const grants = new Map<string, Grants>();
  let versions = sources.map((source) => first.version(source));
  const isSeen = (view: AccessView): boolean =>
    versions.every((version, i) => version === view.version(sources[i] ?? ''));
  // Weak: a state is large.
  const fixed = new WeakSet<AccessView>();
  const remember = (view: AccessView): true => {
    if (view.isFixed === true) fixed.add(view);
    return true;
  };
  return {
    grants: (namespace) => {
      let found = grants.get(namespace);
      if (found === undefined) {
        found = namespace === '' ? clusterGrants(basis) : memberGrants(basis.memberships.get(namespace));
        if (namespace === '' || basis.memberships.has(namespace)) grants.set(namespace, found);
      }
      return found;
    },
    belongs: (namespace) => namespace === '' || basis.memberships.has(namespace),
    holds: (view) => {
      if (fixed.has(view)) return true;
      if (isSeen(view)) return remember(view);
      if (basisOf(user, view, options).fingerprint !== basis.fingerprint) return false;
      versions = sources.map((source) => view.version(source));
      return remember(view);
    },
  };
}

function memberGrants(membership: Membership | undefined): Grants {
  if (membership === undefined) return NO_GRANTS;
  const { role, teams, assignments } = membership;
  return grantsOf([
    ...(ROLE_SETS[role] ?? []),
    ...teams.flatMap(({ teamRef, permission }) => on(TEAM_SETS[permission], `teams:uid:${teamRef.name}`)),
    ...assignments.flatMap(({ binding, role: custom }) => permissionsOf(binding, custom)),
  ]);
}

/** What members may do with the organizations themselves. */
function clusterGrants({ memberships }: Basis): Grants {
  const permissions = [...memberships].flatMap(([namespace, { role }]) =>
    on(ORGANIZATION_SETS[role === 'Admin' ? 'admin' : 'member'], `orgs:uid:${namespace}`),
  );
  return grantsOf(permissions);
}
