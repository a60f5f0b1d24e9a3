import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { tagOf } from '../../pkg/scim/etag.js';
import type { Resource } from '../../pkg/scim/match.js';
import { USER } from '../../pkg/scim/schema.js';
import { isEffective } from '../../registry/kinds/ready-condition.js';
import type { OrganizationBindingSpec } from '../iam/organizationbinding/schema.js';
import type { TeamSpec } from '../iam/team/schema.js';
import { BY_USER as TEAMS_BY_USER, type TeamBindingSpec } from '../iam/teambinding/schema.js';
import type { UserSpec } from '../iam/user/schema.js';
import type { Objects, ScimCall } from './call.js';

/** A member of the organization: the user with the membership. */
export interface Member {
  readonly user: KubeObject<UserSpec> & { readonly spec: UserSpec };
  readonly binding: KubeObject<OrganizationBindingSpec> & { readonly spec: OrganizationBindingSpec };
}

/** The member of this id; undefined for people of other organizations, too. */
export function memberNamed(objects: Objects, id: string): Member | undefined {
  const binding = objects.objects<OrganizationBindingSpec>('iam/OrganizationBinding').find(id);
  return binding && memberOf(objects, binding);
}

export function memberOf(objects: Objects, binding: KubeObject<OrganizationBindingSpec>): Member | undefined {
  if (!isEffective(binding) || binding.spec === undefined) return undefined;
  const user = objects.objects<UserSpec>('iam/User').find(binding.spec.userRef.name);
  if (user?.spec === undefined || isTerminating(user)) return undefined;
  return { user, binding } as Member;
}

export const isActive = ({ user, binding }: Member): boolean => !user.spec.disabled && binding.spec.suspended !== true;

/** What clients can write of a member, without the password. */
export function writableOf(member: Member): Resource {
  const { login, email, name, givenName, familyName } = member.user.spec;
  const { externalUID } = member.binding.spec;
  // A user without an address has the login in its place.
  const hasEmail = email !== login || email.includes('@');
  return {
    ...(externalUID !== undefined && { externalId: externalUID }),
    userName: login,
    ...((givenName ?? familyName) !== undefined && {
      name: { ...(familyName !== undefined && { familyName }), ...(givenName !== undefined && { givenName }) },
    }),
    ...(name !== '' && { displayName: name }),
    active: isActive(member),
    ...(hasEmail && { emails: [{ value: email, type: 'work', primary: true }] }),
  };
}

/** The resource as it is answered. A filter looks at thousands, so what `has` denies is left out. */
export function userResource(
  call: ScimCall,
  objects: Objects,
  member: Member,
  has: (attribute: string) => boolean = () => true,
): Resource {
  const { user, binding } = member;
  const writable = writableOf(member);
  const id = user.metadata.name;
  const groups = has('groups') ? groupsOf(call, objects, id) : [];
  const resource = {
    schemas: [USER.urn],
    id,
    ...writable,
    ...(groups.length > 0 && { groups }),
  };
  if (!has('meta')) return resource;
  return { ...resource, meta: metaOf(call, `/Users/${id}`, 'User', [user, binding], tagOf(resource)) };
}

/** The teams of a person, which are few. */
function groupsOf({ base, namespace }: ScimCall, objects: Objects, user: string): readonly Resource[] {
  const teams = objects.objects<TeamSpec>('iam/Team');
  const bindings = objects.objects<TeamBindingSpec>('iam/TeamBinding');
  return [...bindings.range({ index: TEAMS_BY_USER, prefix: [user] })].flatMap((binding): readonly Resource[] => {
    const value = binding.spec?.teamRef.name ?? '';
    const team = binding.metadata.namespace === namespace && isEffective(binding) ? teams.find(value) : undefined;
    if (team?.spec === undefined || isTerminating(team)) return [];
    return [{ value, $ref: `${base}/Groups/${value}`, display: team.spec.title }];
  });
}

/** The times of objects that make one resource. */
export function metaOf(
  { base, services }: ScimCall,
  path: string,
  resourceType: 'User' | 'Group',
  objects: readonly KubeObject[],
  version?: string,
): Resource {
  const { updatedTimestamp } = services.registry.compiled.get(
    `iam/${resourceType === 'User' ? 'User' : 'Team'}`,
  ).ownedKeys;
  const times = objects.map(
    ({ metadata }) => metadata.annotations?.[updatedTimestamp] ?? metadata.creationTimestamp ?? '',
  );
  const created = objects[0]?.metadata.creationTimestamp;
  return {
    resourceType,
    ...(created !== undefined && { created }),
    lastModified: times.sort().at(-1),
    location: `${base}${path}`,
    ...(version !== undefined && { version }),
  };
}
