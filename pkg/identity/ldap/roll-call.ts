import { lifetime } from '../../system/time/lifetime.js';
import { SignOnFailure } from '../signon/failure.js';
import type { Person } from '../signon/person.js';
import type { LdapServer } from './config.js';
import { DirectoryError, type LdapConnection, withConnection } from './connection.js';
import { bindReader, findSubjects, groupsOf } from './directory.js';
import { isOwnBind } from './dn.js';
import { ldapPerson } from './person.js';
import type { LdapDirectories } from './provider.js';

/** What the directories say about people whom they have named before. */
export interface RollCall {
  readonly people: ReadonlyMap<string, Person>;
  /** Who is there, but in no mapped group. */
  readonly unmapped: ReadonlySet<string>;
  /** Who is there, but has attributes that cannot be read. */
  readonly unclear: ReadonlySet<string>;
  /** Why a directory could not be asked. Then nobody else is known to have left. */
  readonly failures: readonly DirectoryError[];
}

/** People in one search. */
const AT_ONCE = 100;
/** Milliseconds for these people, with their groups. */
const LONGEST = 120_000;

/** Asks all directories about people by their subjects. */
export async function rollCall(
  directories: LdapDirectories,
  subjects: readonly string[],
  signal: AbortSignal,
): Promise<RollCall> {
  const [people, unmapped, unclear] = [new Map<string, Person>(), new Set<string>(), new Set<string>()];
  const failures: DirectoryError[] = [];
  for (const server of directories.servers) {
    const missing = subjects.filter((one) => !people.has(one) && !unmapped.has(one) && !unclear.has(one));
    try {
      for (let from = 0; from < missing.length; from += AT_ONCE)
        await askServer(server, directories, missing.slice(from, from + AT_ONCE), signal, {
          people,
          unmapped,
          unclear,
        });
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error;
      failures.push(error);
    }
  }
  return { people, unmapped, unclear, failures };
}

interface Found {
  readonly people: Map<string, Person>;
  readonly unmapped: Set<string>;
  readonly unclear: Set<string>;
}

async function askServer(
  server: LdapServer,
  { guard, skipsRoles }: LdapDirectories,
  subjects: readonly string[],
  outer: AbortSignal,
  found: Found,
): Promise<void> {
  if (isOwnBind(server.config.bind_dn))
    throw new DirectoryError('bind_dn has %s, so only people themselves can search', undefined);
  const { signal, end } = lifetime(outer, LONGEST);
  try {
    await withConnection(server, guard, signal, async (connection) => {
      await bindReader(connection, server);
      for (const [subject, entry] of await findSubjects(connection, server, subjects))
        await note(subject, found, async () => personAt(connection, server, entry, skipsRoles));
    });
  } finally {
    end();
  }
}

type Entry = Parameters<typeof groupsOf>[2];

async function personAt(connection: LdapConnection, server: LdapServer, entry: Entry, skipsRoles: boolean) {
  return ldapPerson(server, entry, await groupsOf(connection, server, entry), skipsRoles);
}

async function note(subject: string, found: Found, read: () => Promise<Person>): Promise<void> {
  try {
    found.people.set(subject, await read());
  } catch (error) {
    if (!(error instanceof SignOnFailure)) throw error;
    (error.code === 'no_role' ? found.unmapped : found.unclear).add(subject);
  }
}
