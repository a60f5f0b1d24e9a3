import { ResultCodeError } from 'ldapts';
import { lifetime } from '../../system/time/lifetime.js';
import { SignOnFailure } from '../signon/failure.js';
import type { Person } from '../signon/person.js';
import type { LdapServer } from './config.js';
import { DirectoryError, isBusy, type LdapConnection, withConnection } from './connection.js';
import { bindReader, findSubjects, groupsOf } from './directory.js';
import { isOwnBind } from './dn.js';
import { hiddenPeople, type KnownPerson, showsGroups, showsPeople } from './hidden.js';
import { ldapPerson } from './person.js';
import type { LdapDirectories } from './provider.js';
import { reasonOf } from './reasons.js';

/** What the directories say about people whom they have named before, by their subjects. */
export interface RollCall {
  readonly people: ReadonlyMap<string, Person>;
  /** Who is there, but in no mapped group. */
  readonly unmapped: ReadonlySet<string>;
  /** Who is there, but cannot be understood, and why. */
  readonly unclear: ReadonlyMap<string, string>;
  /** Why a directory could not be asked. Then nobody else is known to have left. */
  readonly failures: readonly DirectoryError[];
}

/** People in one search. */
const AT_ONCE = 100;
/** Milliseconds for these people, with their groups. */
const LONGEST = 120_000;

/** Asks all directories about people. */
export async function rollCall(
  directories: LdapDirectories,
  known: readonly KnownPerson[],
  signal: AbortSignal,
): Promise<RollCall> {
  const found: Found = { people: new Map(), unmapped: new Set(), unclear: new Map() };
  const failures: DirectoryError[] = [];
  let isEmpty = true;
  for (const server of directories.servers) {
    const asking = new Asking(server, directories, found, signal);
    try {
      await asking.ask(known.filter((one) => !isFound(found, one)));
      isEmpty &&= await asking.isEmpty();
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error;
      failures.push(error);
    }
  }
  if (isEmpty && failures.length === 0 && known.length > 0) failures.push(new DirectoryError(NOBODY, undefined));
  return { ...found, failures };
}

const NOBODY = 'search_filter finds nobody, so bind_dn may have lost its rights, and nobody is known to have left';
const NO_GROUPS = 'no group of anybody is found, so bind_dn may have lost the right to read groups';

interface Found {
  readonly people: Map<string, Person>;
  readonly unmapped: Set<string>;
  readonly unclear: Map<string, string>;
}

const isFound = ({ people, unmapped, unclear }: Found, { subject }: KnownPerson): boolean =>
  people.has(subject) || unmapped.has(subject) || unclear.has(subject);

/** Asks one directory. */
class Asking {
  readonly #server: LdapServer;
  readonly #directories: LdapDirectories;
  readonly #found: Found;
  readonly #signal: AbortSignal;
  /** Logins of people who are there, but show nothing that identifies them. */
  readonly #hidden = new Set<string>();
  readonly #unmapped = new Set<string>();
  #entries = 0;
  #hasGroups = false;

  constructor(server: LdapServer, directories: LdapDirectories, found: Found, signal: AbortSignal) {
    this.#server = server;
    this.#directories = directories;
    this.#found = found;
    this.#signal = signal;
  }

  async ask(people: readonly KnownPerson[]): Promise<void> {
    if (isOwnBind(this.#server.config.bind_dn))
      throw new DirectoryError('bind_dn has %s, so only people themselves can search', undefined);
    for (let from = 0; from < people.length; from += AT_ONCE) {
      const some = people.slice(from, from + AT_ONCE);
      await this.#connected((connection) => this.#askAbout(connection, some));
    }
    if (!(await this.#mayReadGroups())) {
      for (const subject of this.#unmapped) {
        this.#found.unmapped.delete(subject);
        this.#found.unclear.set(subject, NO_GROUPS);
      }
    }
    if (this.#hidden.size > 0) throw new DirectoryError(hiddenMessage([...this.#hidden]), undefined);
  }

  /** Whether the directory shows nobody at all. */
  async isEmpty(): Promise<boolean> {
    if (this.#entries > 0) return false;
    return !(await this.#connected((connection) => showsPeople(connection, this.#server)));
  }

  /** Nobody is known to be in no mapped group while no groups can be read. */
  async #mayReadGroups(): Promise<boolean> {
    if (this.#unmapped.size === 0 || this.#hasGroups) return true;
    return this.#connected((connection) => showsGroups(connection, this.#server));
  }

  async #connected<T>(work: (connection: LdapConnection) => Promise<T>): Promise<T> {
    const { signal, end } = lifetime(this.#signal, LONGEST);
    try {
      return await withConnection(this.#server, this.#directories.guard, signal, async (connection) => {
        await bindReader(connection, this.#server);
        return work(connection);
      });
    } finally {
      end();
    }
  }

  async #askAbout(connection: LdapConnection, people: readonly KnownPerson[]): Promise<void> {
    const subjects = people.map(({ subject }) => subject);
    const entries = await findSubjects(connection, this.#server, subjects);
    this.#entries += entries.size;
    for (const [subject, entry] of entries) await this.#note(subject, () => this.#personAt(connection, entry));
    const missing = people.filter(({ subject }) => !entries.has(subject));
    for (const login of await hiddenPeople(connection, this.#server, missing)) this.#hidden.add(login);
  }

  async #personAt(connection: LdapConnection, entry: Entry): Promise<Person> {
    const groups = await groupsOf(connection, this.#server, entry).catch(asPersonal);
    this.#hasGroups ||= groups.length > 0;
    return ldapPerson(this.#server, entry, groups, this.#directories.skipsRoles);
  }

  async #note(subject: string, read: () => Promise<Person>): Promise<void> {
    const { people, unmapped, unclear } = this.#found;
    try {
      people.set(subject, await read());
    } catch (error) {
      if (!(error instanceof SignOnFailure)) throw error;
      if (error.code !== 'no_role') unclear.set(subject, error.message);
      else {
        unmapped.add(subject);
        this.#unmapped.add(subject);
      }
    }
  }
}

type Entry = Parameters<typeof groupsOf>[2];

/** An answer that is an error concerns the groups of one person, unless the directory cannot answer now. */
function asPersonal(error: unknown): never {
  if (error instanceof ResultCodeError && !isBusy(error)) throw new SignOnFailure('provider', reasonOf(error));
  throw error;
}

/** Logins in a message. */
const MOST_NAMED = 3;

function hiddenMessage(logins: readonly string[]): string {
  const named = logins.slice(0, MOST_NAMED).join(', ');
  const more = logins.length > MOST_NAMED ? ` and ${logins.length - MOST_NAMED} more` : '';
  return `entryUUID or what else identifies people cannot be read (${named}${more}): give bind_dn the right to read it`;
}
