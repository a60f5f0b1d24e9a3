import { type Claims, isVerified, withoutAddresses } from './claims.js';
import { evaluate, textsAt } from './expression.js';
import { SignOnFailure } from './failure.js';
import { mappingsOf, type OAuthSettings } from './settings.js';

export const ORGANIZATION_ROLES = ['None', 'Viewer', 'Editor', 'Admin'] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

/** The role of the attribute path that makes somebody administrator of the server, in lower case. */
const SERVER_ADMINISTRATOR = 'grafanaadmin';
const DEFAULT_ROLE = 'Viewer';

export interface MappedMembership {
  /** Title, name or number of an organization, `*` for all, or empty for the first one. */
  readonly organization: string;
  readonly role: OrganizationRole;
}

/** The rights that the claims give. What they do not decide is undefined, and stays as it is. */
export interface MappedRights {
  readonly memberships: readonly MappedMembership[];
  /** Whether the person belongs to no other organizations. */
  readonly isComplete: boolean;
  readonly isServerAdministrator: boolean | undefined;
}

type RoleSettings = Pick<
  OAuthSettings,
  | 'roleAttributePath'
  | 'roleAttributeStrict'
  | 'allowAssignGrafanaAdmin'
  | 'skipOrgRoleSync'
  | 'orgMapping'
  | 'orgAttributePath'
>;

/**
 * Maps claims to rights. An e-mail address decides nothing if the provider says that it is not verified. It decides who
 * administers the server only if the provider says that it is verified. Throws SignOnFailure if a role is required and
 * there is none.
 */
export function mapRights(settings: RoleSettings, claims: Claims, groups: readonly string[]): MappedRights {
  const { roleAttributePath, orgMapping, allowAssignGrafanaAdmin } = settings;
  if (settings.skipOrgRoleSync) return { memberships: [], isComplete: false, isServerAdministrator: undefined };
  const verified = withoutAddresses(claims, (email) => isVerified(claims, email));
  const trusted = claims['email_verified'] === false ? verified : claims;
  const decidedRole = roleOf(settings, trusted);
  const role = decidedRole === SERVER_ADMINISTRATOR ? roleOf(settings, verified) : decidedRole;
  const direct = role === SERVER_ADMINISTRATOR ? 'Admin' : roleNamed(role);
  const mapped = mappedMemberships(settings, trusted, groups);
  if (direct === undefined && mapped.length === 0 && settings.roleAttributeStrict) {
    throw new SignOnFailure('no_role', 'role_attribute_strict is set, and the claims give no role');
  }
  const first = { organization: '', role: direct ?? DEFAULT_ROLE };
  const isDecided = roleAttributePath !== '' || orgMapping.length > 0;
  return {
    memberships: mapped.length > 0 ? mapped.map((membership) => raised(membership, direct)) : isDecided ? [first] : [],
    isComplete: orgMapping.length > 0,
    isServerAdministrator:
      allowAssignGrafanaAdmin && roleAttributePath !== '' ? role === SERVER_ADMINISTRATOR : undefined,
  };
}

const raised = ({ organization, role }: MappedMembership, direct: OrganizationRole | undefined): MappedMembership => ({
  organization,
  role: higherRole(role, direct),
});

/** In lower case; empty if there is none. If there are several roles, the highest counts. */
function roleOf({ roleAttributePath }: RoleSettings, claims: Claims): string {
  const value = evaluate(roleAttributePath, claims);
  const roles = new Set([value].flat().map((role) => (typeof role === 'string' ? role.trim().toLowerCase() : '')));
  return HIGHEST_FIRST.find((role) => roles.has(role)) ?? '';
}

const HIGHEST_FIRST = [SERVER_ADMINISTRATOR, ...ORGANIZATION_ROLES.map((role) => role.toLowerCase()).reverse()];

function roleNamed(text: string): OrganizationRole | undefined {
  return ORGANIZATION_ROLES.find((role) => role.toLowerCase() === text.toLowerCase());
}

function mappedMemberships(
  { orgMapping, orgAttributePath }: RoleSettings,
  claims: Claims,
  groups: readonly string[],
): readonly MappedMembership[] {
  if (orgMapping.length === 0) return [];
  const own = new Set(orgAttributePath === '' ? groups : textsAt(orgAttributePath, claims));
  return orgMapping.flatMap((entry): readonly MappedMembership[] => {
    const { group, membership } = mappingOf(entry) ?? {};
    return group !== undefined && membership !== undefined && (group === '*' || own.has(group)) ? [membership] : [];
  });
}

/**
 * Entries are `group:organization:role`. A colon in a name is written `\:`, and the group `*` stands for everybody.
 * Undefined for an entry that has no organization, or a role that does not exist.
 */
function mappingOf(entry: string): { readonly group: string; readonly membership: MappedMembership } | undefined {
  const [group = '', organization = '', as = DEFAULT_ROLE] = partsOf(entry);
  const role = roleNamed(as);
  return role === undefined || organization === '' ? undefined : { group, membership: { organization, role } };
}

/** The number of the first wrong entry, from 1 on. 0 if there is none. */
export function wrongMapping(orgMapping: string): number {
  return mappingsOf(orgMapping).findIndex((entry) => mappingOf(entry) === undefined) + 1;
}

function partsOf(entry: string): readonly string[] {
  return entry.split(/(?<!\\):/).map((part) => part.replaceAll('\\:', ':').trim());
}

/** The higher one of two roles. */
export function higherRole(a: OrganizationRole, b: OrganizationRole | undefined): OrganizationRole {
  return b !== undefined && ORGANIZATION_ROLES.indexOf(b) > ORGANIZATION_ROLES.indexOf(a) ? b : a;
}
