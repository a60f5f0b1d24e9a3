import { z } from 'zod';
import type { GroupMapping } from '../../../../pkg/identity/ldap/config.js';
import type { FoundGroup, FoundPerson } from '../../../../pkg/identity/ldap/lookup.js';
import { firstOf } from '../../../../pkg/identity/ldap/person.js';
import { answer } from '../../../../registry/legacy/answers.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { OrganizationSpec } from '../../organization/schema.js';

const ATTRIBUTE = z.object({
  cfgAttrValue: z.string().describe('The name of the attribute.'),
  ldapValue: z.string(),
});

/** Somebody in a directory, with the members that other servers answer. `dn` and `refusal` are those of this server. */
export const LDAP_USER = answer('LdapUser', 'What a directory says about a login.', () => ({
  dn: z.string().describe('The distinguished name of the entry.'),
  name: ATTRIBUTE,
  surname: ATTRIBUTE,
  email: ATTRIBUTE,
  login: ATTRIBUTE,
  isGrafanaAdmin: z.boolean().nullable().describe('null: the mappings do not decide it.'),
  isDisabled: z.boolean().describe('A sign-in would be refused.'),
  roles: z
    .array(
      z.object({
        orgId: z.int().describe('0: the group gives no role that counts.'),
        orgName: z.string().describe('Empty: there is no such organization.'),
        orgRole: z.string(),
        groupDN: z.string().describe('`*`: a mapping for everybody.'),
      }),
    )
    .describe('Roles by groups, and then the other groups.'),
  teams: z.null(),
  refusal: z.string().optional().describe('Why a sign-in would be refused, also with the right password.'),
}));

export function ldapUser(call: LegacyCall, { server, entry, groups, isServerAdministrator, refusal }: FoundPerson) {
  const attribute = (name: string) => ({
    cfgAttrValue: name,
    // No setting makes this server show what people sign in by.
    ldapValue: /passw|secret|hash/i.test(name) ? '' : firstOf(entry, name),
  });
  const { username, name, surname, email } = server.attributes;
  return {
    dn: entry.dn,
    name: attribute(name),
    surname: attribute(surname),
    email: attribute(email),
    login: attribute(username),
    isGrafanaAdmin: isServerAdministrator ?? null,
    isDisabled: refusal !== undefined,
    roles: groups.map((group) => roleOf(call, group)),
    teams: null,
    ...(refusal !== undefined && { refusal }),
  };
}

const NO_ROLE = { orgId: 0, orgName: '', orgRole: '' };

function roleOf(call: LegacyCall, { name, mapping }: FoundGroup) {
  return { ...(mapping === undefined ? NO_ROLE : roleIn(call, mapping)), groupDN: name };
}

function roleIn(call: LegacyCall, { org_id: id, org_role: role = '' }: GroupMapping) {
  const orgId = id || 1;
  const organization = call.objects<OrganizationSpec>('iam/Organization').findById(orgId);
  return { orgId, orgName: organization?.spec?.title ?? '', orgRole: role };
}
