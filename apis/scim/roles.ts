import { higherRole, type OrganizationRole } from '../../pkg/identity/signon/roles.js';
import { fold } from '../../pkg/kube/meta/fold.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { groupName } from '../../registry/kinds/kind.js';
import { isEffective, isEntryEffective } from '../../registry/kinds/ready-condition.js';
import { nameOf } from '../../registry/read/reader.js';
import { LAST_ADMINISTRATOR, lastAdministrator } from '../iam/last-administrator.js';
import { BY_ROLE, type OrganizationBindingSpec } from '../iam/organizationbinding/schema.js';
import type { TeamSpec } from '../iam/team/schema.js';
import { BY_USER, type TeamBindingSpec } from '../iam/teambinding/schema.js';
import type { ScimCall, Writing } from './call.js';
import type { Member } from './member.js';

/** Whether a group with this name gives its members a role. */
export function givesRole({ services }: ScimCall, title: string): boolean {
  return services.environment.scim?.groupRoles.has(fold(title)) === true;
}

export function defaultRole({ services }: ScimCall): OrganizationRole {
  return services.environment.scim?.defaultRole ?? 'Viewer';
}

/** Throws ApiError if the organization has no other administrator. */
export function refuseLastAdministrator(
  { namespace, services }: ScimCall,
  writing: Writing,
  { binding }: Member,
): void {
  if (binding.spec.role !== 'Admin' || binding.spec.suspended === true) return;
  const { name } = binding.metadata;
  const range = { index: BY_ROLE, prefix: [namespace, 'Admin'] };
  for (const other of writing.objects('iam/OrganizationBinding').entries(range))
    if (isEntryEffective(other) && nameOf(other) !== name) return;
  const gr = { group: groupName('iam', services.environment.domain), resource: 'organizationbindings' };
  throw lastAdministrator(gr, name, 'Cannot remove last organization admin', 'active');
}

/** Gives a member whom SCIM keeps the highest role of their groups. The last administrator stays one. */
export function updateRole(call: ScimCall, writing: Writing, user: string): void {
  const bindings = writing.objects<OrganizationBindingSpec>('iam/OrganizationBinding');
  const binding = bindings.find(user);
  const role = roleOf(call, writing, user);
  if (binding?.spec?.provisioned !== true || binding.spec.role === role) return;
  try {
    bindings.update(user, (old) => ({ ...old, spec: { ...(old.spec as OrganizationBindingSpec), role } }));
  } catch (error) {
    if (!isLastAdministrator(error)) throw error;
    call.warn(`the user ${JSON.stringify(user)} stays Admin, because the organization has no other one`);
  }
}

function isLastAdministrator(error: unknown): boolean {
  return (
    error instanceof ApiError && error.details?.causes?.some(({ reason }) => reason === LAST_ADMINISTRATOR) === true
  );
}

function roleOf(call: ScimCall, writing: Writing, user: string): OrganizationRole {
  const teams = writing.objects<TeamSpec>('iam/Team');
  const { groupRoles } = call.services.environment.scim ?? { groupRoles: new Map<string, OrganizationRole>() };
  let role: OrganizationRole | undefined;
  for (const binding of writing.objects<TeamBindingSpec>('iam/TeamBinding').range({ index: BY_USER, prefix: [user] })) {
    if (binding.metadata.namespace !== call.namespace || !isEffective(binding)) continue;
    // Those whom people added did not get the role by whoever decides about the group.
    if (binding.spec?.provisioned !== true) continue;
    const spec = teams.find(binding.spec?.teamRef.name ?? '')?.spec;
    const given = spec?.provisioned === true ? groupRoles.get(fold(spec.title)) : undefined;
    if (given !== undefined) role = higherRole(given, role);
  }
  return role ?? defaultRole(call);
}
