import { setTimeout as sleep } from 'node:timers/promises';
import type { Revision } from '../backend.js';
import { resourcesOf } from './collections.js';
import { ALL_CHANGES, type Database } from './database.js';

/** Milliseconds between two looks. */
const LOOK_EVERY = 500;

/** What a restore of the database changes. */
interface Look {
  /** The end of the log. `undefined` if the log is not whole. */
  readonly end: Revision | undefined;
  /** The number of objects of each resource. */
  readonly counts: string;
}

/**
 * Resolves when a database that was set back or replaced seems to be complete: its log is whole, and nothing has come for some time that is not in the log.
 * A restore writes the collections one after another, so a state that is read meanwhile lacks objects.
 */
export async function whenComplete(database: Database, signal: AbortSignal): Promise<void> {
  let former: Look | undefined;
  let since = performance.now();
  while (!signal.aborted) {
    const look = await lookAt(database).catch(() => undefined);
    if (look?.end === undefined || !isSame(look, former)) since = performance.now();
    former = look;
    if (performance.now() - since >= database.timeouts.complete) return;
    await sleep(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
  }
}

/** If the log has grown, a server writes: its objects are in the log. */
function isSame(look: Look, former: Look | undefined): boolean {
  if (former?.end === undefined || look.end === undefined) return false;
  return look.end > former.end || (look.end === former.end && look.counts === former.counts);
}

async function lookAt(database: Database): Promise<Look> {
  const end = await wholeEnd(database);
  const resources = await resourcesOf(database);
  const counts = await Promise.all(resources.map((resource) => database.objects(resource).estimatedDocumentCount()));
  return { end, counts: resources.map((resource, i) => `${resource} ${counts[i]}`).join() };
}

/** The end of the log, if the record of the format is there, and all changes of the log up to its end, or the point of a compaction. */
export async function wholeEnd(database: Database): Promise<Revision | undefined> {
  return database.read(async (session) => {
    const log = await database.log.findOne({ _id: 'log' }, { session, projection: { revision: 1 } });
    const record = await database.domain.findOne({ _id: 'domain' }, { session, projection: { _id: 1 } });
    if (log === null || record === null) return undefined;
    const newest = { session, sort: { _id: -1 }, projection: { _id: 1 } } as const;
    // These are read after the end, so they may be newer.
    const last = (await database.changes.findOne(ALL_CHANGES, newest))?._id ?? 0;
    const point = (await database.compaction.findOne({ _id: 'compaction' }, { session }))?.revision ?? 0;
    return Math.max(last, point) >= log.revision ? log.revision : undefined;
  });
}
