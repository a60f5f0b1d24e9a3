import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { immutable } from '../../pkg/scim/errors.js';
import { BY_USER, type OrganizationBindingSpec } from '../iam/organizationbinding/schema.js';
import { withoutProvisioner } from '../iam/provisioned.js';
import type { UserSpec } from '../iam/user/schema.js';
import type { Objects, ScimCall, Writing } from './call.js';
import type { Member } from './member.js';

/**
 * Whether an organization decides about an account, and not only about the membership: its SCIM made the account, or
 * the person belongs to no other organization. Nobody decides so about administrators of the server (docs/adr/0068).
 */
export function ownsAccount({ namespace }: ScimCall, objects: Objects, { user }: Member): boolean {
  const { grafanaAdmin, provisionedBy } = user.spec;
  if (grafanaAdmin) return false;
  return provisionedBy === namespace || isOnlyHere(namespace, objects, user.metadata.name);
}

/** Whether SCIM may disable or delete the account: nobody else has the person. */
export function mayEndAccount(call: ScimCall, objects: Objects, member: Member): boolean {
  return ownsAccount(call, objects, member) && isOnlyHere(call.namespace, objects, member.user.metadata.name);
}

export function isOnlyHere(namespace: string, objects: Objects, user: string): boolean {
  for (const binding of objects
    .objects<OrganizationBindingSpec>('iam/OrganizationBinding')
    .range({ index: BY_USER, prefix: [user] }))
    if (binding.metadata.namespace !== namespace && !isTerminating(binding)) return false;
  return true;
}

/** The members that make an account one that this organization keeps. */
export const owned = ({ namespace }: ScimCall): Pick<UserSpec, 'provisioned' | 'provisionedBy'> => ({
  provisioned: true,
  provisionedBy: namespace,
});

/** Ends the ownership of this organization. */
export function disown({ namespace }: ScimCall, writing: Writing, { metadata, spec }: KubeObject<UserSpec>): void {
  if (spec?.provisionedBy !== namespace) return;
  writing
    .objects<UserSpec>('iam/User')
    .update(metadata.name, (old) => ({ ...old, spec: withoutProvisioner(old.spec as UserSpec) }));
}

/** Throws ScimError for what opens the account, if another organization has the person, too. */
export function refuseShared(call: ScimCall, objects: Objects, member: Member, what: string): void {
  if (isOnlyHere(call.namespace, objects, member.user.metadata.name)) return;
  throw immutable(`${what} cannot be changed: another organization has the person, too`);
}

export function refuseForeign(call: ScimCall, objects: Objects, member: Member, what: string): void {
  if (ownsAccount(call, objects, member)) return;
  throw immutable(`${what} cannot be changed: the account is one of a server administrator or of another organization`);
}
