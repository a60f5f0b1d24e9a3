import { randomBytes } from 'node:crypto';
import { lifetime } from '../../system/time/lifetime.js';
import type { Person } from '../signon/person.js';
import type { LdapServer } from './config.js';
import { DirectoryError, type LdapConnection, withConnection } from './connection.js';
import { bindReader, findPerson, groupsOf } from './directory.js';
import { dnFor, isOwnBind } from './dn.js';
import { ldapPerson } from './person.js';
import type { LdapDirectories } from './provider.js';

export interface LdapAttempt {
  readonly login: string;
  readonly password: string;
}

/** Milliseconds for all servers of one sign-in together. */
const LONGEST = 20_000;
/** Milliseconds for which a server is not asked after it did not answer. Local passwords are not delayed meanwhile. */
const PAUSE = 10_000;

/** Checks passwords with directories. Directories that do not answer delay few sign-ins, and only for some time. */
export class LdapSignIns {
  readonly #pausedUntil = new WeakMap<object, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The person with this login and password; undefined if no directory has one. Throws DirectoryError if one that may
   * have the person does not answer, and SignOnFailure for people who may not sign in, but whose password is right.
   */
  async authenticate(directories: LdapDirectories, attempt: LdapAttempt): Promise<Person | undefined> {
    const { login, password } = attempt;
    if (login === '' || password === '' || /\p{Cc}/u.test(login)) return undefined;
    const { signal, end } = lifetime(new AbortController().signal, LONGEST);
    try {
      return await this.#ask(directories, attempt, signal);
    } finally {
      end();
    }
  }

  async #ask(directories: LdapDirectories, attempt: LdapAttempt, signal: AbortSignal): Promise<Person | undefined> {
    let failure: DirectoryError | undefined;
    for (const server of directories.servers) {
      try {
        const person = await this.#unlessPaused(server, () => signInAt(server, directories, attempt, signal));
        if (person !== undefined) return person;
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error;
        failure = error;
      }
    }
    if (failure !== undefined) throw failure;
    return undefined;
  }

  async #unlessPaused<T>({ config }: LdapServer, work: () => Promise<T>): Promise<T> {
    const until = this.#pausedUntil.get(config) ?? 0;
    if (this.#now() < until && until - this.#now() <= PAUSE)
      throw new DirectoryError('the directory did not answer a moment ago', undefined);
    try {
      return await work();
    } catch (error) {
      if (error instanceof DirectoryError && error.isUnanswered) this.#pausedUntil.set(config, this.#now() + PAUSE);
      throw error;
    }
  }
}

function signInAt(
  server: LdapServer,
  { guard, skipsRoles }: LdapDirectories,
  { login, password }: LdapAttempt,
  signal: AbortSignal,
): Promise<Person | undefined> {
  const isOwn = isOwnBind(server.config.bind_dn);
  return withConnection(server, guard, signal, async (connection) => {
    if (isOwn && !(await connection.bind(dnFor(server.config.bind_dn ?? '', login), password))) return undefined;
    await bindReader(connection, server);
    const entry = await findPerson(connection, server, login);
    if (entry === undefined) {
      if (!isOwn) await bindNobody(connection, server);
      return undefined;
    }
    if (!(await connection.bind(entry.dn, password))) return undefined;
    // People often may not read groups, so the account that searches does it.
    await bindReader(connection, server);
    return ldapPerson(server, entry, await groupsOf(connection, server, entry), skipsRoles);
  });
}

/** Takes as long as a wrong password, so that the time does not tell which logins exist. No password is sent. */
async function bindNobody(connection: LdapConnection, { config }: LdapServer): Promise<void> {
  const [nobody, secret] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')];
  await connection.bind(`cn=${nobody},${config.search_base_dns?.[0] ?? ''}`, secret);
}
