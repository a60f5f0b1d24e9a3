import { AndFilter, EqualityFilter, type Filter, OrFilter } from 'ldapts';
import { SignOnFailure } from '../signon/failure.js';
import type { LdapServer } from './config.js';
import { DirectoryError, type LdapConnection, type LdapEntry, TooManyEntries } from './connection.js';
import { isOwnBind } from './dn.js';
import { filterFor, filterForAny } from './filter.js';
import { firstOf, personAttributes, subjectsOf, valuesOf } from './person.js';

/** The most groups of one person. Who has more does not sign in. */
const MOST_GROUPS = 2000;

/** Binds as the account that searches. Without one, searches are anonymous. Throws DirectoryError. */
export async function bindReader(connection: LdapConnection, { config }: LdapServer): Promise<void> {
  const { bind_dn: dn = '', bind_password: password = '' } = config;
  if (dn === '' || isOwnBind(dn)) return;
  if (!(await connection.bind(dn, password))) throw new DirectoryError('bind_dn or bind_password is wrong', undefined);
}

/** The entry of a login; undefined if there is none. Throws DirectoryError if there are several. */
export async function findPerson(
  connection: LdapConnection,
  server: LdapServer,
  login: string,
): Promise<LdapEntry | undefined> {
  const filter = (): Filter => filterFor(server.config.search_filter ?? '', login);
  const found = new Map<string, LdapEntry>();
  for (const base of server.config.search_base_dns ?? []) {
    const attributes = personAttributes(server);
    // Bases may overlap.
    for (const entry of await connection.search(base, { filter: filter(), attributes, most: 2 }))
      found.set(subjectsOf(entry)[0] ?? '', entry);
  }
  if (found.size > 1) throw new DirectoryError('search_filter finds several people for a login', undefined);
  return [...found.values()][0];
}

/** The groups of a person: those that the entry names, or those that a search finds. */
export async function groupsOf(
  connection: LdapConnection,
  server: LdapServer,
  entry: LdapEntry,
): Promise<readonly string[]> {
  const { attributes, config } = server;
  const { group_search_filter: template = '', group_search_filter_user_attribute: own = '' } = config;
  if (template === '') return ownGroups(entry, attributes.member_of);
  const value = firstOf(entry, own === '' ? attributes.username : own);
  if (value === '') return [];
  // With the name of this attribute that people have, the names of groups are meant.
  const name = ['', 'memberof'].includes(attributes.member_of.toLowerCase()) ? 'dn' : attributes.member_of;
  const bases = config.group_search_base_dns?.length ? config.group_search_base_dns : (config.search_base_dns ?? []);
  const groups: string[] = [];
  for (const base of bases) {
    const search = {
      filter: filterFor(template, value),
      attributes: name === 'dn' ? ['1.1'] : [name],
      most: MOST_GROUPS,
    };
    const found = await connection.search(base, search).catch(asTooMany);
    groups.push(...found.map((group) => firstOf(group, name)));
  }
  return groups.filter((group) => group !== '');
}

/** Active Directory answers the first 1500 values of an attribute, under another name (`memberOf;range=0-1499`). */
function ownGroups(entry: LdapEntry, attribute: string): readonly string[] {
  const range = `${attribute};range=`.toLowerCase();
  if (!Object.keys(entry).some((key) => key.toLowerCase().startsWith(range))) return valuesOf(entry, attribute);
  throw new SignOnFailure('settings', `${attribute} has only a part of the groups: set group_search_filter`);
}

function asTooMany(error: unknown): never {
  if (error instanceof TooManyEntries)
    throw new SignOnFailure('settings', `the person is in more than ${MOST_GROUPS} groups`, error);
  throw error;
}

/**
 * Of these subjects, the entries that `search_filter` would still find. Whoever is missing in the answer about all is
 * asked for alone.
 */
export async function findSubjects(
  connection: LdapConnection,
  server: LdapServer,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, LdapEntry>> {
  const found = new Map<string, LdapEntry>();
  const identified = subjects.filter((subject) => identity(subject) !== undefined);
  if (identified.length > 1) await findIdentified(connection, server, identified, found);
  for (const subject of identified.filter((one) => !found.has(one)))
    await findIdentified(connection, server, [subject], found);
  for (const subject of subjects.filter((text) => text.startsWith(BY_NAME))) {
    const search = { filter: condition(server), attributes: personAttributes(server), most: 1, scope: 'base' } as const;
    const [entry] = await connection.search(subject.slice(BY_NAME.length), search);
    if (entry !== undefined) found.set(subject, entry);
  }
  return found;
}

const BY_NAME = 'dn=';

const condition = ({ config }: LdapServer): Filter => filterForAny(config.search_filter ?? '');

async function findIdentified(
  connection: LdapConnection,
  server: LdapServer,
  subjects: readonly string[],
  found: Map<string, LdapEntry>,
): Promise<void> {
  const attributes = personAttributes(server);
  for (const base of server.config.search_base_dns ?? []) {
    const filters = subjects.flatMap((subject) => identity(subject) ?? []);
    const filter = new AndFilter({ filters: [new OrFilter({ filters }), condition(server)] });
    for (const entry of await connection.search(base, { filter, attributes, most: subjects.length })) {
      const own = new Set(subjectsOf(entry));
      for (const subject of subjects) if (own.has(subject)) found.set(subject, entry);
    }
  }
}

/** The filter of a subject that is the value of an attribute. */
function identity(subject: string): Filter | undefined {
  const [attribute = '', value = ''] = subject.split(/=(.*)/s);
  if (attribute === 'dn') return undefined;
  return new EqualityFilter({ attribute, value: attribute === 'objectGUID' ? Buffer.from(value, 'hex') : value });
}
