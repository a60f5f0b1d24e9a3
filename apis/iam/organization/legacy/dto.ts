import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import { accessControlOf } from '../../../../registry/legacy/access-control.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { LastSeenSpec } from '../../../internal/lastseen/schema.js';
import type { User } from '../../legacy/people.js';
import type { OrganizationBindingSpec } from '../../organizationbinding/schema.js';
import { userItem } from '../../user/legacy/dto.js';
import type { OrganizationSpec } from '../schema.js';

/** What answers have of an organization or a member, and callers send back. */
export const ORGANIZATION_ANSWERED: readonly string[] = [
  'id',
  'orgId',
  'name',
  'address',
  'accessControl',
  'userId',
  'uid',
  'email',
  'login',
  'avatarUrl',
  'role',
  'lastSeenAt',
  'lastSeenAtAge',
  'isDisabled',
  'authLabels',
  'isExternallySynced',
  'isProvisioned',
  'created',
];

export type Organization = KubeObject<OrganizationSpec>;
export type OrganizationMember = KubeObject<OrganizationBindingSpec>;

const NO_ADDRESS = { address1: '', address2: '', city: '', zipCode: '', state: '', country: '' };

export function organizationItem(call: LegacyCall, organization: Organization): Readonly<Record<string, unknown>> {
  const id = call.objects('iam/Organization').idOf(organization);
  return { id, name: organization.spec?.title ?? organization.metadata.name };
}

const ACTIONS = ['orgs:read', 'orgs:write', 'orgs:delete'];

export function organizationDto(call: LegacyCall, organization: Organization): Readonly<Record<string, unknown>> {
  return {
    ...organizationItem(call, organization),
    address: { ...NO_ADDRESS, ...organization.spec?.address },
    ...accessControlOf(call, 'iam/Organization', organization, ACTIONS),
  };
}

/** undefined for a member whose user is being deleted. */
export function memberDto(call: LegacyCall, orgId: number, { metadata, spec }: OrganizationMember): unknown {
  const user = call.objects('iam/User').find(metadata.name) as User | undefined;
  if (user === undefined || spec === undefined) return undefined;
  const { id, uid, isAdmin: _, ...item } = userItem(call, user, seenAt(call, metadata.name));
  const isDisabled = item.isDisabled || spec.suspended === true;
  return { orgId, userId: id, uid, ...item, isDisabled, role: spec.role };
}

function seenAt(call: LegacyCall, user: string): number | undefined {
  if (!call.hasKind('internal/LastSeen')) return undefined;
  const seen = call.objects<LastSeenSpec>('internal/LastSeen').find(user)?.spec;
  return seen === undefined ? undefined : Date.parse(seen.at);
}
