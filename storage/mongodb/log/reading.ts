import type { ClientSession, ReadConcernLike } from 'mongodb';

/** Through which session documents are read. */
export interface Reading {
  readonly session: ClientSession;
  /** True for a session of a snapshot: documents are read as they were when it began. */
  readonly isSnapshot?: boolean;
}

/**
 * The options of such a read. The level must be given in a snapshot, because that of the connection would be used,
 * which MongoDB refuses there.
 */
export function optionsOf({ session, isSnapshot = false }: Reading): {
  readonly session: ClientSession;
  readonly readConcern?: ReadConcernLike;
} {
  return { session, ...(isSnapshot && { readConcern: { level: 'snapshot' } }) };
}
