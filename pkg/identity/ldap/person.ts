import { SignOnFailure } from '../signon/failure.js';
import { identifier, line, type Person } from '../signon/person.js';
import type { MappedMembership, MappedRights } from '../signon/roles.js';
import type { GroupMapping, LdapServer } from './config.js';
import type { LdapEntry } from './connection.js';
import { foldedDn } from './dn.js';

/**
 * The attributes that identify an entry for as long as it exists, also when it is renamed or moved: of RFC 4530, Active
 * Directory, FreeIPA and 389 Directory Server.
 */
export const IDENTIFIERS = ['entryUUID', 'objectGUID', 'ipaUniqueID', 'nsUniqueId'] as const;

/** What an entry of a person is asked for. */
export function personAttributes({ attributes, config }: LdapServer): readonly string[] {
  const { group_search_filter_user_attribute: own = '' } = config;
  const names = [...Object.values(attributes), own, ...IDENTIFIERS];
  return [...new Set(names.filter((name) => name !== '' && name.toLowerCase() !== 'dn'))];
}

/** The values of an attribute that are texts. Names of attributes have no case. `dn` is the name of the entry. */
export function valuesOf(entry: LdapEntry, attribute: string): readonly string[] {
  const name = attribute.toLowerCase();
  if (name === '') return [];
  if (name === 'dn') return [entry.dn];
  const value = Object.entries(entry).find(([key]) => key.toLowerCase() === name)?.[1];
  return [value ?? []].flat().filter((one): one is string => typeof one === 'string' && one !== '');
}

export const firstOf = (entry: LdapEntry, attribute: string): string => valuesOf(entry, attribute)[0] ?? '';

/**
 * What identifies the person, best first: `entryUUID=…` and the like, and `dn=…` in any case. The best one may change
 * when an attribute becomes readable.
 */
export function subjectsOf(entry: LdapEntry): readonly string[] {
  return [...identifiersOf(entry), `dn=${foldedDn(entry.dn)}`];
}

/** Those of `subjectsOf` that are values of attributes. */
export function identifiersOf(entry: LdapEntry): readonly string[] {
  return IDENTIFIERS.flatMap((name) => {
    const value = Object.entries(entry).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
    const [first] = [value ?? []].flat();
    if (Buffer.isBuffer(first) && first.length > 0) return [`${name}=${first.toString('hex')}`];
    return typeof first === 'string' && first !== '' ? [`${name}=${first}`] : [];
  });
}

/** Throws SignOnFailure for entries without a login, and for people who are in no mapped group. */
export function ldapPerson(
  server: LdapServer,
  entry: LdapEntry,
  groups: readonly string[],
  skipsRoles: boolean,
): Person {
  const { attributes } = server;
  const login = identifier(firstOf(entry, attributes.username));
  if (login === '') throw new SignOnFailure('settings', `the entry has no attribute ${attributes.username}`);
  const rights = rightsOf(server, groups, skipsRoles);
  if (rights === undefined) throw new SignOnFailure('no_role', 'the person is in no mapped group');
  const email = identifier(firstOf(entry, attributes.email));
  const [subject = '', ...otherSubjects] = subjectsOf(entry);
  return {
    subject: identifier(subject, 255),
    otherSubjects,
    login,
    email,
    // Some directories let people write their own address.
    isEmailVerified: email !== '' && server.config.email_verified === true,
    name: line(`${firstOf(entry, attributes.name)} ${firstOf(entry, attributes.surname)}`),
    rights,
    groups: [...new Set(groups.flatMap((group) => [group, foldedDn(group)]))],
  };
}

/**
 * The roles of a person by the mappings. In each organization, the first mapping counts. Undefined: there are mappings,
 * and none is for this person.
 */
export function rightsOf(server: LdapServer, groups: readonly string[], skipsRoles: boolean): MappedRights | undefined {
  if (skipsRoles || !server.config.group_mappings?.length)
    return { memberships: [], isComplete: false, isServerAdministrator: undefined };
  const { roles, isServerAdministrator } = countingMappings(server, groups);
  if (roles.length === 0 && isServerAdministrator !== true) return undefined;
  const memberships = roles.map(({ org_role: role, org_id: id }): MappedMembership => {
    return { organization: String(id || 1), role: role || 'None' };
  });
  return { memberships, isComplete: true, isServerAdministrator };
}

/** The first mapping of each organization that fits, and whether a mapping makes an administrator of the server. */
export function countingMappings(
  { config: { group_mappings: mappings = [] } }: LdapServer,
  groups: readonly string[],
): { readonly roles: readonly GroupMapping[]; readonly isServerAdministrator: boolean | undefined } {
  const own = new Set(groups.map(foldedDn));
  const matching = mappings.filter(({ group_dn: group }) => group === '*' || own.has(foldedDn(group)));
  const roles = new Map<string, GroupMapping>();
  for (const mapping of matching) {
    const organization = String(mapping.org_id || 1);
    if (mapping.org_role && !roles.has(organization)) roles.set(organization, mapping);
  }
  const isAdministrator = matching.some(({ grafana_admin: administrator }) => administrator === true);
  // A mapping that makes administrators also says who is none.
  const decides = mappings.some(({ grafana_admin: administrator }) => administrator !== undefined);
  return { roles: [...roles.values()], isServerAdministrator: decides ? isAdministrator : undefined };
}
