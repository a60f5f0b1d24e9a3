import { type Database, HEADS } from './database.js';
import { CHANGES_APART, FORMAT, HEADS_APART } from './format.js';
import { refuseUsed, runsFormer } from './used.js';

/**
 * Brings a database of format 1 to this format: moves the documents of the log and of the compaction into the collection of the changes. Servers of format 1
 * could not write to it any more, so it is refused while a server runs. Several servers may call this at once.
 */
export async function moveHeads(database: Database, name: string): Promise<void> {
  await refuseUsed(database, name);
  await database.client.withSession((session) =>
    session.withTransaction(async () => {
      const former = { _id: 'domain', format: HEADS_APART } as const;
      const found = await database.domain.findOneAndUpdate(former, { $set: { format: FORMAT } }, { session });
      if (found === null) return;
      const heads = await database.formerHeads.find(HEADS, { session }).toArray();
      await database.formerHeads.deleteMany(HEADS, { session });
      for (const { _id, ...rest } of heads) await database.heads.insertOne({ _id, ...rest }, { session });
    }),
  );
}

/**
 * Brings a database of format 2 to this format, as soon as no server runs that only knows format 2. Returns whether it has this format now. Several servers
 * may call this at once. The documents of the log stay as they are until they are compacted, because they can still be read.
 */
export async function raiseFormat(database: Database): Promise<boolean> {
  if (await runsFormer(database)) return false;
  await database.domain.updateOne({ _id: 'domain', format: CHANGES_APART }, { $set: { format: FORMAT } });
  // Format 2 had the changes of the last commit here.
  await database.log.updateOne({ _id: 'log' }, { $unset: { changes: '' } });
  return true;
}
