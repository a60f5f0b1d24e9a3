import { ResultCodeError } from 'ldapts';
import { messageOf } from '../../system/errors/message.js';
import { ForbiddenAddress } from '../../system/net/address-guard.js';
import { lifetime } from '../../system/time/lifetime.js';
import { unreachable } from '../signon/unreachable.js';
import type { LdapServer } from './config.js';
import { DirectoryError, type LdapConnection, type LdapGuard, withConnection } from './connection.js';
import { bindReader } from './directory.js';
import { isOwnBind } from './dn.js';
import { filterForAny } from './filter.js';
import { IDENTIFIERS, identifiersOf } from './person.js';
import { reasonOf } from './reasons.js';

/** Whether one host of a directory, or one of its settings, suffices for sign-ins. */
export interface DirectoryCheck {
  /** `config.servers[0].host`. */
  readonly name: string;
  readonly host: string;
  readonly ok: boolean;
  /** For people. It contains no text of the directory. */
  readonly message: string;
}

/** Milliseconds for each host. */
const PATIENCE = 10_000;

/**
 * Connects to every host of the directories as a sign-in does, binds as the account that searches, and looks for the
 * search bases. No person signs in.
 */
export async function checkDirectories(
  servers: readonly LdapServer[],
  guard: LdapGuard,
  outer: AbortSignal,
): Promise<readonly DirectoryCheck[]> {
  const hosts = servers.flatMap((server, index) => server.hosts.map((host) => ({ server, index, host })));
  const checks = hosts.map(({ server, index, host }) => checkHost({ ...server, hosts: [host] }, index, guard, outer));
  const all = (await Promise.all(checks)).flat();
  outer.throwIfAborted();
  return all.length > 0 ? all : [{ name: 'config', host: '', ok: false, message: 'No server is set.' }];
}

async function checkHost(
  server: LdapServer,
  index: number,
  guard: LdapGuard,
  outer: AbortSignal,
): Promise<readonly DirectoryCheck[]> {
  const host = `${server.hosts[0]}:${server.port}`;
  const check = (key: string, ok: boolean, message: string): DirectoryCheck => ({
    name: `config.servers[${index}].${key}`,
    host,
    ok,
    message,
  });
  const { signal, end } = lifetime(outer, PATIENCE);
  try {
    return await withConnection(server, guard, signal, async (connection) => {
      const answers = check('host', true, `It answers${WAYS[server.tls]}.${unchecked(server)}`);
      const { bind_dn: dn = '' } = server.config;
      if (isOwnBind(dn))
        return [answers, check('bind_dn', true, 'People search themselves, so nothing else is asked.')];
      const refused = await bindReader(connection, server).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof DirectoryError)
            return check('bind_password', false, 'bind_dn or bind_password is wrong.');
          throw error;
        },
      );
      if (refused !== undefined) return [answers, refused];
      const bases = (server.config.search_base_dns ?? []).map(async (base, number) => {
        return check(`search_base_dns[${number}]`, ...(await lookBelow(connection, server, base)));
      });
      return [answers, ...(await Promise.all(bases))];
    });
  } catch (error) {
    return [check('host', false, wordsOf(error))];
  } finally {
    end();
  }
}

const WAYS = { none: ', without encryption', start: ' by StartTLS', always: ' by TLS' } as const;

const unchecked = ({ tls, config }: LdapServer): string =>
  tls !== 'none' && config.ssl_skip_verify === true
    ? ' Its certificate is not checked, because ssl_skip_verify is set.'
    : '';

async function lookBelow(
  connection: LdapConnection,
  server: LdapServer,
  base: string,
): Promise<readonly [ok: boolean, message: string]> {
  const filter = filterForAny(server.config.search_filter ?? '(objectClass=*)');
  try {
    const found = await connection.search(base, { filter, attributes: IDENTIFIERS, most: SAMPLE, isSample: true });
    if (found.length === 0) return [false, 'search_filter finds nobody below it.'];
    const isIdentified = found.every((entry) => identifiersOf(entry).length > 0);
    return [true, isIdentified ? 'People are found below it.' : `People are found below it. ${UNIDENTIFIED}`];
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    return [false, 'There is no such entry, or it may not be read.'];
  }
}

/** Entries that are looked at below a search base. */
const SAMPLE = 5;
const UNIDENTIFIED =
  'bind_dn cannot read entryUUID or the like of all: who gets the distinguished name of somebody who left would be taken for them.';

/** Why a directory cannot be asked, for callers: without addresses and texts of the directory. */
export function whyNotAsked(error: DirectoryError): string {
  return error.host === undefined ? `${error.message}.` : wordsOf(error);
}

function wordsOf(error: unknown): string {
  const { cause } = error instanceof DirectoryError ? error : { cause: error };
  if (cause instanceof ForbiddenAddress || hasCode(cause)) {
    return unreachable(cause)
      .replace('tlsClientCa, tlsClientCert or tlsClientKey', 'A certificate, a key or a file')
      .replace('tlsClientCa', 'root_ca_cert_value');
  }
  if (cause instanceof ResultCodeError) return `It answers, but ${reasonOf(cause)}.`;
  if (/time/i.test(messageOf(cause))) return 'It did not answer in time.';
  return 'The connection was closed, or something else than a directory answers.';
}

const hasCode = (error: unknown): boolean =>
  typeof (error as { readonly code?: unknown } | undefined)?.code === 'string';
