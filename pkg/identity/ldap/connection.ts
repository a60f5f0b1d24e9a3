import { lookup } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client, type Filter, NoSuchObjectError, ResultCodeError } from 'ldapts';
import type { AddressGuard } from '../../system/net/address-guard.js';
import { SignOnFailure } from '../signon/failure.js';
import type { LdapServer } from './config.js';
import { type Incoming, type MessageParser, readInTurn } from './parser.js';
import { reasonOf } from './reasons.js';
import { tlsOptions } from './tls.js';

export interface Search {
  readonly filter: Filter;
  readonly attributes: readonly string[];
  /** The most entries. One more is an error. */
  readonly most: number;
  /** Asks for no more entries than that. Without it, a directory that sends only a part is an error. */
  readonly isSample?: boolean;
  readonly scope?: 'base' | 'sub';
}

/** The distinguished name as `dn`, and the values of attributes, as the directory writes their names. */
export type LdapEntry = Awaited<ReturnType<Client['search']>>['searchEntries'][number];

export interface LdapConnection {
  /** Returns false if the name or the password is wrong. */
  bind(dn: string, password: string): Promise<boolean>;
  /** The entries below `base`. Referrals are not followed. Throws DirectoryError if there is no such base. */
  search(base: string, search: Search): Promise<readonly LdapEntry[]>;
}

/** The directory cannot be asked: it does not answer, or its answer is an error that says nothing of a person. */
export class DirectoryError extends Error {
  /** The host that was asked; undefined for an error of the settings. */
  readonly host: string | undefined;

  /** No answer came, so that asking again at once only costs time. */
  get isUnanswered(): boolean {
    return this.host !== undefined && isUnanswered(this.cause);
  }

  constructor(message: string, host: string | undefined, cause?: unknown) {
    super(message, { cause });
    this.host = host;
  }
}

export class TooManyEntries extends DirectoryError {}

/** Undefined: this server may connect to any address, because its operator chose them. */
export type LdapGuard = AddressGuard | undefined;

/** All answers on one connection together have no more bytes. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Of the addresses that a host has, no more are tried. */
const MOST_ADDRESSES = 3;

/**
 * Runs `work` on a connection to the first host that answers. It may run again on the next host if a connection breaks
 * or the host answers with an error. Throws DirectoryError if no host is left, and SignOnFailure from `work`.
 */
export async function withConnection<T>(
  server: LdapServer,
  guard: LdapGuard,
  signal: AbortSignal,
  work: (connection: LdapConnection) => Promise<T>,
): Promise<T> {
  let failure: DirectoryError | undefined;
  for (const host of server.hosts) {
    try {
      return await onHost(host, server, guard, signal, work);
    } catch (error) {
      if (isFinal(error)) throw error;
      failure = new DirectoryError(reasonOf(error), host, error);
    }
    if (signal.aborted) break;
  }
  throw failure ?? new DirectoryError('no host is set', undefined);
}

async function onHost<T>(
  host: string,
  server: LdapServer,
  guard: LdapGuard,
  signal: AbortSignal,
  work: (connection: LdapConnection) => Promise<T>,
): Promise<T> {
  const options = server.tls === 'none' ? undefined : await tlsOptions(server.config, host);
  const addresses = await addressesOf(host, guard);
  let failure: unknown;
  for (const address of addresses.slice(0, MOST_ADDRESSES)) {
    const client = new Client({
      // The library cannot read all addresses of IPv6 in a URL, so `internals` names the host.
      url: `${server.tls === 'always' ? 'ldaps' : 'ldap'}://directory:${server.port}`,
      timeout: server.timeout,
      connectTimeout: server.timeout,
      ...(server.tls === 'always' && { tlsOptions: options ?? {} }),
    });
    const internals = client as unknown as Internals;
    internals.host = address;
    const incoming = readInTurn(internals.messageParser, () => internals.socket, MOST_BYTES);
    const end = (): void => void internals.socket?.destroy();
    try {
      return await untilAborted(signal, end, async () => {
        await internals._connect();
        if (server.tls === 'start') await within(server.timeout, end, startTls(client, incoming, options));
        countBytes(internals.socket);
        return work(connectionOf(client));
      });
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      failure = error;
    } finally {
      void client.unbind().catch(() => undefined);
      end();
    }
    if (signal.aborted) break;
  }
  throw failure;
}

/** What the library has no options for. Its version is pinned. */
interface Internals {
  host: string;
  readonly socket?: Socket;
  readonly messageParser: MessageParser;
  _connect(): Promise<void>;
}

async function startTls(client: Client, incoming: Incoming, options?: ConnectionOptions): Promise<void> {
  await client.startTLS(options);
  // Somebody in between could have sent it, and it would be the beginning of the first answer by TLS.
  if (!incoming.isEmpty) throw new Error('the directory sent something before TLS');
}

function connectionOf(client: Client): LdapConnection {
  return {
    bind: async (dn, password) => {
      // A bind without a password succeeds for everybody (RFC 4513 §5.1.2), and a bind without a name is anonymous.
      // The library takes the names of SASL mechanisms for more than names.
      // Some directories end a password at its first NUL.
      if (password === '' || password.includes('\0') || !/[=@\\]/.test(dn)) return false;
      try {
        await client.bind(dn, password);
        return true;
      } catch (error) {
        if (error instanceof ResultCodeError && WRONG.has(error.code)) return false;
        throw error;
      }
    },
    search: async (base, { filter, attributes, most, isSample, scope = 'sub' }) => {
      const options: ClientSearch = { filter, scope, attributes: [...attributes], explicitBufferAttributes: BINARY };
      const found: LdapEntry[] = [];
      try {
        // A few entries need no pages, which not all directories have.
        const pages =
          most < PAGE
            ? [await client.search(base, isSample ? sample(options, most) : options)]
            : paged(client, base, options);
        for await (const { searchEntries } of pages) {
          found.push(...searchEntries);
          if (found.length > most && !isSample)
            throw new TooManyEntries(`a search finds more than ${most} entries`, undefined);
        }
      } catch (error) {
        if (!(error instanceof ResultCodeError) || error.code !== NO_SUCH_OBJECT) throw error;
        if (scope === 'base') return [];
        throw new DirectoryError(`there is no search base ${base}`, undefined);
      }
      return found;
    },
  };
}

const PAGE = 500;
/** The attributes whose values are no texts. */
const BINARY = ['objectGUID'];
const NO_SUCH_OBJECT = new NoSuchObjectError().code;
/** The codes of RFC 4511 for a wrong name or password. Accounts that may not bind, and wrong names, have them, too. */
const WRONG: ReadonlySet<number> = new Set([19, 32, 34, 48, 49, 50, 53]);

type ClientSearch = NonNullable<Parameters<Client['search']>[1]>;

/** With a limit of the client, the library takes a part of the entries for all of them. */
const sample = (options: ClientSearch, most: number): ClientSearch => ({ ...options, sizeLimit: most });

const paged = (client: Client, base: string, options: ClientSearch) =>
  client.searchPaginated(base, { ...options, paged: { pageSize: PAGE } });

/** Whether another host would say the same. */
const isFinal = (error: unknown): boolean => error instanceof DirectoryError || error instanceof SignOnFailure;

/** Whether the other side has not answered. */
function isUnanswered(error: unknown): boolean {
  return !isFinal(error) && (!(error instanceof ResultCodeError) || isBusy(error));
}

/** Whether the directory cannot answer now. */
export const isBusy = (error: ResultCodeError): boolean => BUSY.has(error.code);

/** The codes of RFC 4511 for a server that cannot answer now: busy, and unavailable. */
const BUSY: ReadonlySet<number> = new Set([51, 52]);

function countBytes(socket: Socket | undefined): void {
  let bytes = 0;
  socket?.on('data', (data: Buffer) => {
    bytes += data.length;
    if (bytes > MOST_BYTES) socket.destroy(new Error('the directory sends too much'));
  });
}

/** Runs `work` until the signal aborts. `end` ends what it waits for. */
async function untilAborted<T>(signal: AbortSignal, end: () => void, work: () => Promise<T>): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      end();
      reject(new Error('the directory does not answer in time'));
    };
    signal.addEventListener('abort', onAbort);
  });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The library has no time limit for the handshake of StartTLS. */
async function within<T>(milliseconds: number, end: () => void, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      end();
      reject(new Error('StartTLS takes too long'));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Throws ForbiddenAddress. */
async function addressesOf(host: string, guard: LdapGuard): Promise<readonly string[]> {
  if (isIP(host) !== 0) {
    guard?.checkHost(`ldap://${isIP(host) === 6 ? `[${host}]` : host}`);
    return [host];
  }
  const find = (guard?.lookup ?? lookup) as LookupFunction;
  return new Promise((resolve, reject) => {
    find(host, { all: true }, (error, found) => {
      if (error !== null) reject(error);
      else resolve((found as unknown as readonly { readonly address: string }[]).map(({ address }) => address));
    });
  });
}
