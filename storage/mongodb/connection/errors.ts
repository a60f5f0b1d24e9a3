import {
  MongoError,
  MongoMissingDependencyError,
  MongoServerError,
  MongoServerSelectionError,
  type TopologyDescription,
} from 'mongodb';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { isStorageError, StorageError } from '../../errors.js';

export const NAMESPACE_EXISTS = 48;
const WRITE_CONFLICT = 112;
const NO_SUCH_TRANSACTION = 251;
const DUPLICATE_KEY = 11000;
/** BSONObjectTooLarge by three names, TransactionTooLarge, and TransactionTooLargeForCache. */
const TOO_LARGE = [10334, 17419, 17420, 257, 388];
const NOT_ALLOWED = new Set([13, 18, 8000]);

export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof MongoServerError && codes.includes(Number(error.code));
}

export function isDuplicateKey(error: unknown): boolean {
  return hasCode(error, DUPLICATE_KEY);
}

/** The transaction conflicted with a write of another server. Nothing of it is stored. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, WRITE_CONFLICT, NO_SUCH_TRANSACTION);
}

/** The command was not sent. */
export function isUnsent(error: unknown): boolean {
  return error instanceof MongoServerSelectionError;
}

/**
 * The database has refused a command of a commit as it is, and has done nothing. Any other error may come in the middle
 * of it.
 */
export function isWithoutEffect(error: unknown): boolean {
  const isFirst = !(error instanceof MongoServerError) || (error['index'] ?? 0) === 0;
  return isFirst && hasCode(error, ...NOT_ALLOWED, ...TOO_LARGE);
}

export function isNotAllowed(error: unknown): boolean {
  const cause = error instanceof MongoServerSelectionError ? error.cause : error;
  return error instanceof MongoError && (hasCode(error, ...NOT_ALLOWED) || hasCode(cause, ...NOT_ALLOWED));
}

/** The user is known, but lacks a role. */
export function isNotAuthorized(error: unknown): boolean {
  return hasCode(error, 13) && /^(?:not authorized|command \w+ requires authentication)/i.test(messageOf(error));
}

/** The database did not answer, or could not do what it was asked. It is not an answer about the data. */
export function isOutage({ code, cause }: StorageError): boolean {
  return (code === 'unavailable' || code === 'unknown') && cause instanceof MongoError && !isDuplicateKey(cause);
}

/** Turns an error of the driver into a StorageError: for this call, the database is unavailable. */
export function storageError(error: unknown, hosts?: string): StorageError {
  if (isStorageError(error)) return error;
  if (hasCode(error, ...TOO_LARGE)) {
    return new StorageError('too-large', `MongoDB cannot commit so much at once: ${reasonOf(error)}`, { cause: error });
  }
  return new StorageError('unavailable', `MongoDB is unavailable: ${reasonOf(error, hosts)}`, { cause: error });
}

/** The same items, with errors of the driver as StorageErrors. */
export async function* translated<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* source;
  } catch (error) {
    throw storageError(error);
  }
}

/** `given` names the hosts of the URI, because the driver forgets those that do not belong to the set. */
export function reasonOf(error: unknown, given = 'the hosts given'): string {
  if (error instanceof MongoServerSelectionError) return unreachable(error, given);
  if (error instanceof MongoMissingDependencyError) return missing(error);
  const message = messageOf(error);
  return message.endsWith('.') ? message : `${message}.`;
}

function unreachable(error: MongoServerSelectionError, given: string): string {
  const topology = error.reason as TopologyDescription | undefined;
  const servers = [...(topology?.servers.values() ?? [])];
  const hosts = servers.map((server) => server.address).join(', ');
  if (servers.some((server) => server.type === 'RSGhost')) {
    return `${hosts} was started with --replSet but its replica set was never initiated; run rs.initiate() in mongosh.`;
  }
  if (servers.some((server) => server.type.startsWith('RS'))) {
    return `the replica set at ${hosts} has no primary; see rs.status() in mongosh.`;
  }
  const why = servers.map((server) => server.error).find((found) => found !== undefined && found !== null);
  return `no server of a replica set answers at ${hosts || given} (${why === undefined ? wrongSet(topology, error) : closedReason(why)}).`;
}

/** The driver forgets hosts that belong to another set, or to none. */
function wrongSet(topology: TopologyDescription | undefined, { message }: MongoServerSelectionError): string {
  const name = topology?.setName;
  if (!name || (topology?.servers.size ?? 0) > 0) return message;
  return `the servers there do not belong to the replica set ${name}: they are of another set, or were started without --replSet; check replicaSet in the URI`;
}

/** MongoDB closes a connection without a word if it expects TLS, or a certificate. */
function closedReason(error: Error): string {
  if (!/connection .*closed|ECONNRESET|socket hang up|EPROTO|wrong version number/.test(messageOf(error)))
    return messageOf(error);
  return `${messageOf(error)}; perhaps only one side uses TLS, or the client certificate is missing: check tls, tlsCAFile and tlsCertificateKeyFile in the URI`;
}

/** The package has only `zlib`, which is a part of Node. */
function missing(error: MongoMissingDependencyError): string {
  const name = error.dependencyName ?? /module `?([\w@/-]+)/.exec(messageOf(error))?.[1] ?? 'a module';
  return `storage.mongodb_uri needs the module ${name}, which is not installed. If it is a compressor, use compressors=zlib.`;
}
