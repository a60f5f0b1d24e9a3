import { setTimeout as sleep } from 'node:timers/promises';
import type { Revision } from '../../backend.js';
import { ALL_CHANGES, type Database } from '../connection/database.js';
import { FORMAT } from '../format/format.js';
import { upgradeRestored } from '../format/upgrade.js';
import { readHeads } from '../log/heads.js';
import { resourcesOf } from './collections.js';
import type { UnstoredChanges } from './unstored.js';

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
 * Resolves when a database that was set back or replaced seems to be complete: its log is whole, and nothing has come
 * for some time that is not in the log. A restore writes the collections one after another, so a state that is read
 * meanwhile lacks objects.
 */
export async function whenComplete(database: Database, signal: AbortSignal): Promise<void> {
  let former: Look | undefined;
  let since = performance.now();
  while (!signal.aborted) {
    const look = await lookAt(database).catch(() => undefined);
    if (look?.end === undefined || !isSame(look, former)) since = performance.now();
    former = look;
    const isOver = performance.now() - since >= database.timeouts.complete;
    if (isOver && (await isUpgraded(database))) return;
    await sleep(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
  }
}

/** A copy of an earlier format may have been restored. In it, the objects would not follow. */
function isUpgraded(database: Database): Promise<boolean> {
  return upgradeRestored(database).then(
    () => true,
    () => false,
  );
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

const INCOMPLETE =
  'A collection of the database does not have the objects that were loaded, as while it is being restored. ' +
  'This server waits until no more objects come, and loads everything again.';

/**
 * Whether each resource has as many objects as a state at this revision, or the log ends elsewhere. MongoDB knows about
 * how many a collection has, so objects are counted only where that differs. It may differ for other reasons: a commit
 * under way, a crash, or another primary.
 */
export async function hasSizes(
  database: Database,
  unstored: UnstoredChanges,
  revision: Revision,
  sizes: ReadonlyMap<string, number>,
): Promise<boolean> {
  const { heads, growth } = await unstored.read();
  if (heads.end.revision !== revision) return true;
  const expected = [...sizes].map(([resource, size]) => [resource, size - (growth.get(resource) ?? 0)] as const);
  const estimates = await Promise.all(
    expected.map(async ([resource, size]) => {
      const estimate = await database.objects(resource).estimatedDocumentCount();
      return estimate === size ? [] : [[resource, size] as const];
    }),
  );
  for (const [resource, size] of estimates.flat()) {
    // A count may take too long. A server must start all the same.
    const count = await countAt(database, heads.stored, resource).catch(() => undefined);
    if (count === undefined || count === size) continue;
    database.warn(INCOMPLETE);
    return false;
  }
  return true;
}

/**
 * The number of documents of a resource, if the objects are at this revision before and after. Each bulk moves that, so
 * nothing else may change the number.
 */
async function countAt(database: Database, stored: Revision, resource: string): Promise<number | undefined> {
  return database.read(async (session) => {
    const isThere = async (): Promise<boolean> => (await readHeads(database, { session })).stored === stored;
    if (!(await isThere())) return undefined;
    const count = await database.objects(resource).countDocuments({}, { session });
    return (await isThere()) ? count : undefined;
  });
}

/**
 * The end of the log, if the record of the format is there, and all changes of the log up to its end, or the point of a
 * compaction.
 */
export async function wholeEnd(database: Database): Promise<Revision | undefined> {
  return database.read(async (session) => {
    const log = await database.logHead.findOne({ _id: 'log' }, { session, projection: { revision: 1, from: 1 } });
    const record = await database.domain.findOne({ _id: 'domain' }, { session, projection: { format: 1 } });
    if (log === null || record === null) return undefined;
    if (record.format === FORMAT && (await database.objectsHead.findOne({ _id: 'objects' }, { session })) === null)
      return undefined;
    const newest = { session, sort: { _id: -1 }, projection: { _id: 1 } } as const;
    // These are read after the end, so they may be newer.
    const last = (await database.changes.findOne(ALL_CHANGES, newest))?._id ?? 0;
    const point = (await database.compactionHead.findOne({ _id: 'compaction' }, { session }))?.revision ?? 0;
    const reached = Math.max(last, point);
    // The last commit may have no document of its own.
    return reached >= log.revision || log.from === reached + 1 ? log.revision : undefined;
  });
}
