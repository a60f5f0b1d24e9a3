import type { Revision } from '../../backend.js';
import { ALL_CHANGES, type Database } from '../connection/database.js';

const CHUNK = 1000;

export async function compacted(database: Database): Promise<Revision> {
  const found = await database.read((session) => database.compactionHead.findOne({ _id: 'compaction' }, { session }));
  return found?.revision ?? 0;
}

/**
 * Publishes the compacted revision, and then deletes the changes up to it in chunks. In this order, a reader notices
 * the gap. The objects must be at `stored` at least.
 */
export async function compact(database: Database, through: Revision, stored: Revision): Promise<void> {
  const point = Math.min(through, stored);
  await database.read(async (session) => {
    await database.compactionHead.updateOne({ _id: 'compaction' }, { $max: { revision: point } }, { session });
    database.advance(session);
  });
  await deleteChanges(database, point);
  await deleteStaged(database, point);
}

async function deleteChanges(database: Database, point: Revision): Promise<void> {
  const first = await database.changes.findOne(ALL_CHANGES, { sort: { _id: 1 }, projection: { _id: 1 } });
  for (let from = first?._id ?? point + 1; from <= point; from += CHUNK) {
    await database.changes.deleteMany({ _id: { $gte: from, $lt: Math.min(from + CHUNK, point + 1) } });
  }
}

async function deleteStaged(database: Database, point: Revision): Promise<void> {
  for (;;) {
    const old = await database.staged
      .find({ change: { $lte: point } }, { projection: { _id: 1 } })
      .limit(CHUNK)
      .toArray();
    if (old.length === 0) return;
    await database.staged.deleteMany({ _id: { $in: old.map(({ _id }) => _id) }, change: { $lte: point } });
  }
}

/**
 * Uses bisection, so that the times need no index. If the clock was set back, the result is one of the revisions around
 * that time.
 */
export async function revisionBefore(database: Database, age: number): Promise<Revision> {
  const hello = await database.admin({ hello: 1 });
  const limit = (hello['localTime'] as Date).getTime() - age;
  return database.read(async (session) => {
    const find = (from: Revision, direction: 1 | -1) =>
      database.changes.findOne({ _id: { $gte: from } }, { session, sort: { _id: direction }, projection: { at: 1 } });
    const first = await find(0, 1);
    const last = await find(0, -1);
    if (first === null || last === null || first.at.getTime() >= limit) return 0;
    let [old, young] = [first._id, last._id + 1];
    while (young - old > 1) {
      const middle = Math.floor((old + young) / 2);
      const change = await find(middle, 1);
      if (change !== null && change.at.getTime() < limit) old = middle;
      else young = middle;
    }
    return old;
  });
}
