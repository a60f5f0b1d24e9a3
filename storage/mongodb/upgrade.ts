import type { ClientSession } from 'mongodb';
import { type Database, HEADS } from './database.js';
import { FORMAT, FORMER, HEADS_APART } from './format.js';
import { refuseUsed } from './used.js';

/**
 * Brings a database of an earlier format to that of this version. Servers of an earlier version could not read it any more, so it is refused while one
 * runs. Several servers may call this at once. The changes of format 2 stay as they are until they are compacted, because they can still be read.
 */
export async function upgrade(database: Database, name: string): Promise<void> {
  await refuseUsed(database, name);
  await database.client.withSession((session) =>
    session.withTransaction(async () => {
      const former = { _id: 'domain', format: { $in: FORMER } } as const;
      const found = await database.domain.findOneAndUpdate(former, { $set: { format: FORMAT } }, { session });
      if (found === null) return;
      if (found.format === HEADS_APART) await moveHeads(database, session);
      await database.log.updateOne({ _id: 'log' }, { $unset: { changes: '' } }, { session });
    }),
  );
}

/** Moves the documents of the log and of the compaction into the collection of the changes. */
async function moveHeads(database: Database, session: ClientSession): Promise<void> {
  const heads = await database.formerHeads.find(HEADS, { session }).toArray();
  await database.formerHeads.deleteMany(HEADS, { session });
  for (const { _id, ...rest } of heads) await database.heads.insertOne({ _id, ...rest }, { session });
}
