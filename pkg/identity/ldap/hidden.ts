import { AndFilter, type Filter, OrFilter, PresenceFilter } from 'ldapts';
import type { LdapServer } from './config.js';
import type { LdapConnection, LdapEntry } from './connection.js';
import { filterFor, filterForAny } from './filter.js';
import { firstOf, IDENTIFIERS, identifiersOf } from './person.js';

/** Somebody whom the directory has named before. */
export interface KnownPerson {
  readonly subject: string;
  readonly login: string;
}

/**
 * Of people whom their subjects do not find, those whose entries are there, but show nothing that identifies them: the
 * account that searches may not read it any more. An entry that shows another identity is somebody else.
 */
export async function hiddenPeople(
  connection: LdapConnection,
  server: LdapServer,
  missing: readonly KnownPerson[],
): Promise<readonly string[]> {
  const identified = missing.filter(({ subject }) => kindOf(subject) !== 'dn');
  if (identified.length === 0) return [];
  const kinds = new Set(identified.map(({ subject }) => kindOf(subject)));
  const template = server.config.search_filter ?? '';
  const attributes = [server.attributes.username, ...IDENTIFIERS];
  const hidden: string[] = [];
  for (const base of server.config.search_base_dns ?? []) {
    const filter = new OrFilter({ filters: identified.map(({ login }) => filterFor(template, login)) });
    const search = { filter, attributes, most: 2 * identified.length, isSample: true };
    for (const entry of await connection.search(base, search))
      if (hidesIdentity(entry, kinds)) hidden.push(firstOf(entry, server.attributes.username) || entry.dn);
  }
  return hidden;
}

const kindOf = (subject: string): string => subject.slice(0, subject.indexOf('='));

/** Active Directory has identifiers that no other directory has, and the other way round. */
const OF_ACTIVE_DIRECTORY = 'objectGUID';

function hidesIdentity(entry: LdapEntry, kinds: ReadonlySet<string>): boolean {
  const own = identifiersOf(entry).map(kindOf);
  if (own.length === 0) return true;
  if (own.includes(OF_ACTIVE_DIRECTORY) || own.some((kind) => kinds.has(kind))) return false;
  return [...kinds].some((kind) => kind !== OF_ACTIVE_DIRECTORY);
}

/** Whether any person is found. If not, the account that searches may have lost its rights. */
export function showsPeople(connection: LdapConnection, { config }: LdapServer): Promise<boolean> {
  const filter = () => filterForAny(config.search_filter ?? '');
  return findsAny(connection, config.search_base_dns, filter);
}

/** Whether any group of any person is found, in the same sense. */
export function showsGroups(connection: LdapConnection, { config, attributes }: LdapServer): Promise<boolean> {
  const { group_search_filter: template = '', group_search_base_dns: own = [] } = config;
  if (template !== '')
    return findsAny(connection, own.length > 0 ? own : config.search_base_dns, () => filterForAny(template));
  const isMember = () => new PresenceFilter({ attribute: attributes.member_of });
  const filter = () => new AndFilter({ filters: [filterForAny(config.search_filter ?? ''), isMember()] });
  return findsAny(connection, config.search_base_dns, filter);
}

async function findsAny(
  connection: LdapConnection,
  bases: readonly string[] = [],
  filter: () => Filter,
): Promise<boolean> {
  for (const base of bases) {
    const found = await connection.search(base, { filter: filter(), attributes: ['1.1'], most: 2, isSample: true });
    if (found.length > 0) return true;
  }
  return false;
}
