import { lifetime } from '../../system/time/lifetime.js';
import { SignOnFailure } from '../signon/failure.js';
import type { GroupMapping, LdapServer } from './config.js';
import { DirectoryError, type LdapEntry, withConnection } from './connection.js';
import { bindReader, findPerson, groupsOf } from './directory.js';
import { foldedDn, isOwnBind } from './dn.js';
import { countingMappings, ldapPerson } from './person.js';
import type { LdapDirectories } from './provider.js';

/** What a directory says about a login, and what a sign-in would make of it. */
export interface FoundPerson {
  readonly server: LdapServer;
  readonly entry: LdapEntry;
  readonly groups: readonly FoundGroup[];
  readonly isServerAdministrator: boolean | undefined;
  /** Why a sign-in would be refused, with the right password. */
  readonly refusal: string | undefined;
}

export interface FoundGroup {
  /** `*` for a mapping for everybody. */
  readonly name: string;
  /** The mapping that counts in its organization because of this group. */
  readonly mapping: GroupMapping | undefined;
}

/** Milliseconds for all servers together. */
const LONGEST = 20_000;

/**
 * Looks for the entry of a login as a sign-in does, but without a password. Undefined: no directory has it. Throws
 * DirectoryError if one that may have it cannot be asked.
 */
export async function lookUpPerson(
  directories: LdapDirectories,
  login: string,
  outer: AbortSignal,
): Promise<FoundPerson | undefined> {
  if (login === '' || /\p{Cc}/u.test(login)) return undefined;
  const { signal, end } = lifetime(outer, LONGEST);
  let failure: DirectoryError | undefined;
  try {
    for (const server of directories.servers) {
      const found = await lookUpAt(server, directories, login, signal).catch((error: unknown) => {
        if (!(error instanceof DirectoryError)) throw error;
        failure ??= error;
      });
      if (found !== undefined) return found;
    }
  } finally {
    end();
  }
  if (failure !== undefined) throw failure;
  return undefined;
}

async function lookUpAt(
  server: LdapServer,
  { guard, skipsRoles }: LdapDirectories,
  login: string,
  signal: AbortSignal,
): Promise<FoundPerson | undefined> {
  if (isOwnBind(server.config.bind_dn))
    throw new DirectoryError('bind_dn has %s, so only people themselves can search', undefined);
  return withConnection(server, guard, signal, async (connection) => {
    await bindReader(connection, server);
    const entry = await findPerson(connection, server, login);
    if (entry === undefined) return undefined;
    const person = async () => {
      const groups = await groupsOf(connection, server, entry);
      return { groups, refusal: refusalOf(() => ldapPerson(server, entry, groups, skipsRoles)) };
    };
    const { groups, refusal } = await person().catch(asRefusal);
    return { server, entry, refusal, ...rolesOf(server, groups, skipsRoles) };
  });
}

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return asRefusal(error).refusal;
  }
}

function asRefusal(error: unknown): { readonly groups: readonly string[]; readonly refusal: string } {
  if (!(error instanceof SignOnFailure)) throw error;
  return { groups: [], refusal: error.message };
}

function rolesOf(server: LdapServer, groups: readonly string[], skipsRoles: boolean) {
  if (skipsRoles)
    return { groups: groups.map((name) => ({ name, mapping: undefined })), isServerAdministrator: undefined };
  const { roles, isServerAdministrator } = countingMappings(server, groups);
  const own = new Map(groups.map((name) => [foldedDn(name), name]));
  const mapped = roles.map((mapping) => ({ name: own.get(foldedDn(mapping.group_dn)) ?? mapping.group_dn, mapping }));
  const names = new Set(mapped.map(({ name }) => name));
  const others = groups.filter((name) => !names.has(name)).map((name) => ({ name, mapping: undefined }));
  return { groups: [...mapped, ...others], isServerAdministrator };
}
