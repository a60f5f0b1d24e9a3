import type { Revision } from '../../backend.js';
import type { LogPosition } from '../../log/log-end.js';
import { type Database, HEADS } from '../connection/database.js';
import { placeOf } from '../peers/read-index.js';
import { optionsOf, type Reading } from './reading.js';

/** Where the log begins and ends, and how far the objects have followed it. */
export interface Heads {
  readonly end: LogPosition;
  readonly compacted: Revision;
  /**
   * The revision of the objects. Databases of earlier formats do not have it, which only snapshots read: there, the
   * objects are at the end.
   */
  readonly stored: Revision;
}

/** If the end of the log were taken instead, what has not followed would be lost with the next compaction. */
const NO_OBJECTS =
  'The document `objects` of the collection changes is missing. It tells how far the objects have followed the log. Restore all of the database.';

/** Reads all with one command, so they are of one moment. Throws if the database has no log. */
export async function readHeads(database: Database, reading: Reading): Promise<Heads> {
  const projection = { revision: 1, commit: 1 } as const;
  const found = await database.heads.find(HEADS, { ...optionsOf(reading), projection }).toArray();
  const head = (id: string) => found.find(({ _id }) => _id === id);
  const log = head('log');
  const end = placeOf(log && { revision: log.revision, commit: log.commit ?? '' });
  const stored = head('objects')?.revision ?? (reading.isSnapshot ? end.revision : undefined);
  if (stored === undefined) throw new Error(NO_OBJECTS);
  return { end, compacted: head('compaction')?.revision ?? 0, stored };
}
