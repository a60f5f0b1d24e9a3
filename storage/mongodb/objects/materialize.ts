import type { ClientSession } from 'mongodb';
import { yieldingAsync } from '../../../pkg/system/yielding/yielding.js';
import type { Commit, Revision } from '../../backend.js';
import type { LogEnd } from '../../log/log-end.js';
import { weightOf } from '../../log/weight.js';
import type { RecentCommits } from '../append/recent.js';
import type { Database } from '../connection/database.js';
import { isConflict, isDuplicateKey } from '../connection/errors.js';
import { type Heads, readHeads } from '../log/heads.js';
import { LogGap, readLog } from '../log/log.js';
import { type ObjectChanges, objectChanges, objectCommands, withLargeObjects } from './objects.js';

/** The weight of the changes that one transaction carries into the objects. */
const BULK = 2 * 1024 * 1024;

/** The next changes of the log. */
interface Bulk {
  readonly from: Revision;
  readonly through: Revision;
  /** The id of its last commit. */
  readonly commit: string | undefined;
  readonly changes: ObjectChanges;
}

export interface Materialization {
  readonly database: Database;
  readonly known: LogEnd;
  /** The commits of this server. They need not be read again. */
  readonly recent: Pick<RecentCommits, 'after'>;
  /** Ends after the next bulk. */
  readonly signal: AbortSignal;
}

/**
 * Carries the log into the objects, up to its end at the call, or at least up to `through`. Each bulk is a transaction,
 * which also moves the revision of the objects by compare-and-set. So several servers may do this at once, and one that
 * was stopped for a while writes nothing old. Resolves with the revision of the objects.
 */
export async function materialize(
  { database, known, recent, signal }: Materialization,
  through: Revision = Number.POSITIVE_INFINITY,
): Promise<Revision> {
  const endRead = known.beginRead();
  const { end, stored } = await headsOf(database);
  endRead(end);
  let position = stored;
  while (position < Math.min(end.revision, through) && !signal.aborted) {
    const commits =
      recentAfter(recent, position, end.revision) ?? (await commitsAfter(database, position, end.revision));
    const last = commits.at(-1);
    const bulk = last && {
      from: position,
      through: last.end,
      commit: last.id,
      changes: await withLargeObjects(objectChanges(commits)),
    };
    // Another server carries it.
    if (bulk === undefined || !(await store(database, bulk))) return (await headsOf(database)).stored;
    position = bulk.through;
  }
  return position;
}

function headsOf(database: Database): Promise<Heads> {
  return database.read((session) => readHeads(database, { session }));
}

function recentAfter(
  recent: Pick<RecentCommits, 'after'>,
  from: Revision,
  end: Revision,
): readonly Commit[] | undefined {
  const commits: Commit[] = [];
  for (let [position, weight] = [from, 0]; position < end && weight < BULK; ) {
    const commit = recent.after(position);
    if (commit === undefined) break;
    commits.push(commit);
    position = commit.end;
    weight += weightOf(commit.changes);
  }
  return commits.length > 0 ? commits : undefined;
}

/** None if there is none. Throws LogGap if the first one is missing. */
async function commitsAfter(database: Database, after: Revision, through: Revision): Promise<readonly Commit[]> {
  const commits: Commit[] = [];
  const read = database.read(async (session) => {
    let weight = 0;
    for await (const commit of yieldingAsync(readLog(database, { after, through }, { session }))) {
      commits.push(commit);
      weight += weightOf(commit.changes);
      if (weight >= BULK) break;
    }
  });
  await read.catch((error: unknown) => {
    if (!(error instanceof LogGap) || commits.length === 0) throw error;
  });
  return commits;
}

/** False if another server has moved the objects meanwhile, or the log is another one. Nothing is written then. */
async function store(database: Database, bulk: Bulk): Promise<boolean> {
  await database.ensure(bulk.changes.last.keys());
  return storeOnce(database, bulk).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    // Somebody has put an object back by hand.
    return storeOnce(database, { ...bulk, changes: { ...bulk.changes, existing: new Set(keysOf(bulk.changes)) } });
  });
}

function keysOf({ last }: ObjectChanges) {
  return [...last.values()].flatMap((changes) => [...changes.keys()]);
}

async function storeOnce(database: Database, bulk: Bulk): Promise<boolean> {
  const session = database.startReading();
  try {
    session.startTransaction({
      readConcern: { level: 'local' },
      readPreference: 'primary',
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: database.timeouts.answer },
    });
    if (!(await write(database, session, bulk))) return false;
    await session.commitTransaction();
    database.advance(session);
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  } finally {
    // Aborts what was not committed.
    await session.endSession();
  }
}

async function write(database: Database, session: ClientSession, bulk: Bulk): Promise<boolean> {
  const { from, through, changes } = bulk;
  const moved = { q: { _id: 'objects', revision: from }, u: { $set: { revision: through } } };
  const { n } = await database.statement(session, { update: 'changes', updates: [moved] });
  if (n !== 1 || !(await isInLog(database, session, bulk))) return false;
  for (const command of objectCommands(changes)) await database.statement(session, command);
  return true;
}

/**
 * Whether the log has the last commit of the bulk. It may have been replaced since that was read or written, by one
 * whose objects are at the same revision. The commit may have no document of its own.
 */
async function isInLog(database: Database, session: ClientSession, { through, commit }: Bulk): Promise<boolean> {
  if (commit === undefined) return true;
  const place = { _id: { $in: [through, 'log'] }, commit };
  return (await database.changesAndHeads.findOne(place, { session, projection: { _id: 1 } })) !== null;
}
